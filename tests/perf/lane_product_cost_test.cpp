// SPDX-License-Identifier: Apache-2.0 OR MIT
#if defined(__x86_64__)
#include <ctime>

#include <algorithm>
#include <catch2/catch.hpp>

#include <zkgpu/backend/cpu.hpp>

#include "lane_chains.hpp"
#include "measurable.hpp"

// What a product in lanes costs, in multiply-adds: both are timed in turn, in the same run, so that
// clock and load cancel. Compilers have doubled this cost by moving registers around.
//
// Tagged slow for its need of a quiet machine: a busy sibling of the core changes even the ratio,
// by a fifth.
namespace {

using namespace zkgpu;
using namespace zkgpu::test;

double thread_seconds() {
  timespec t{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

template <class Function>
double seconds_of(const Function& f) {
  const double start = thread_seconds();
  f();
  return thread_seconds() - start;
}

constexpr std::size_t madds_a_step = 12, products_a_step = 6;

/// Cost of one vector of products in multiply-adds issued at full rate: the smallest of many short
/// times of either, taken in turn.
class Cost {
 public:
  void measure(void (*chain)(std::size_t repetitions)) {
    constexpr std::size_t madd_steps = 8000, product_steps = 250;  // some 20 to 80 µs each
    for (int i = 0; i < 100; ++i) {
      madd_ = std::min(madd_, seconds_of([] { lane_madd_chain(madd_steps); }) /
                                  static_cast<double>(madds_a_step * madd_steps));
      product_ = std::min(product_, seconds_of([&] { chain(product_steps); }) /
                                        static_cast<double>(products_a_step * product_steps));
    }
  }
  [[nodiscard]] double in_madds() const { return product_ / madd_; }

 private:
  double madd_ = 1, product_ = 1;
};

/// Does this core start two multiply-adds a cycle, as Intel's server cores do, and not one, as Zen
/// 4 does? A chain of `imul` of three cycles each tells the clock. The smallest of all times so
/// far.
class MaddRate {
 public:
  void measure() {
    for (int i = 0; i < 50; ++i) {
      madd_ = std::min(madd_, seconds_of([] { lane_madd_chain(steps); }));
      imul_ = std::min(
          imul_, seconds_of([] {
            std::uint64_t x = 3;
            for (std::size_t k = 0; k < steps; ++k) {
              asm volatile("imul %0, %0\n\timul %0, %0\n\timul %0, %0\n\timul %0, %0" : "+r"(x));
            }
          }));
    }
  }
  [[nodiscard]] bool two_a_cycle() const {
    const double cycle = imul_ / (12.0 * steps);
    return madd_ / (madds_a_step * static_cast<double>(steps)) < 0.75 * cycle;
  }

 private:
  static constexpr std::size_t steps = 20'000;
  double madd_ = 1, imul_ = 1;
};

/// In multiply-adds a vector.
struct Limit {
  double least;  ///< those of the formula
  double one_a_cycle, two_a_cycle;
};

void check_cost(const char* what, const Limit& limit, void (*chain)(std::size_t repetitions)) {
  static MaddRate rate;  // of the core, whatever is timed on it
  Cost cost;
  double most = 0;
  // Another program on the same core can slow a whole measurement down, and none up: of the rate as
  // well as of the cost.
  for (int attempt = 0; attempt <= 20; ++attempt) {
    rate.measure();
    cost.measure(chain);
    most = rate.two_a_cycle() ? limit.two_a_cycle : limit.one_a_cycle;
    if (cost.in_madds() <= most) break;
  }
  INFO(what << ": " << cost.in_madds() << " multiply-adds a vector, the formula has "
            << limit.least);
  CHECK(cost.in_madds() <= most);
  CHECK(cost.in_madds() >= 0.9 * limit.least);  // less: it is the measurement that is wrong
}

bool measurable_here() {
  if (detected_cpu_level() < CpuLevel::avx512ifma) {
    WARN("this machine has no AVX-512 IFMA: products are not timed");
    return false;
  }
  if (!measurable) WARN("not optimised, or under a sanitizer: products are not timed");
  return measurable;
}

}  // namespace

TEST_CASE("a product in lanes costs few more cycles than its multiply-adds",
          "[field][lanes][perf][slow]") {
  if (!measurable_here()) return;
    // 15 % above what is usual. Two multiply-adds a cycle: measured on Sapphire Rapids. One a
    // cycle: Zen 4, from docs/performance/field.md.
#if defined(__clang__)
  constexpr Limit fq{256, 342, 400}, fq_square{200, 280, 345}, fr{100, 131, 178},
      fr_square{80, 108, 178};
#else
  constexpr Limit fq{256, 320, 385}, fq_square{200, 256, 335}, fr{100, 131, 155},
      fr_square{80, 104, 140};
#endif
  check_cost("product in Fq", fq, lane_product_chain<Bls12_381::Fq>);
  check_cost("square in Fq", fq_square, lane_square_chain<Bls12_381::Fq>);
  check_cost("product in Fr", fr, lane_product_chain<Bls12_381::Fr>);
  check_cost("square in Fr", fr_square, lane_square_chain<Bls12_381::Fr>);
}
#endif
