// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <ctime>
#include <span>
#include <string>
#include <vector>
#include "inputs.hpp"

#include <zkgpu/core/array.hpp>
#include <zkgpu/msm/msm.hpp>

// Sums whose entries crowd into few buckets, or whose points meet ± themselves. One thread; a
// uniform sum of as many points in turn with each, so that clock and load cancel.
namespace {

using namespace zkgpu;
using bench::Fr;
using bench::Kind;

/// equal_scalars: one bucket a window. heavy_bucket: fifteen of sixteen in one bucket of the lowest
/// windows. equal_bases: every pair of points is a doubling. opposite_bases: half of all pairs have
/// a point and its negative or infinity.
enum class Skew { equal_scalars, heavy_bucket, equal_bases, opposite_bases };
constexpr const char* names[] = {"equal_scalars", "heavy_bucket", "equal_bases", "opposite_bases"};

double thread_seconds() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

double median(std::vector<double> times) {
  const auto middle = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2);
  std::nth_element(times.begin(), middle, times.end());
  return *middle;
}

template <class G>
void sum_skewed(benchmark::State& state, std::size_t n, Skew skew) {
  with_best_cpu([&](auto cpu) {
    using Op = Msm<G, decltype(cpu)>;
    const auto uniform_bases = bench::points<G>(n);
    const auto uniform = bench::scalars(Kind::uniform, n);
    Array<typename G::Affine> bases(uniform_bases.begin(), uniform_bases.end());
    auto k = uniform;
    for (std::size_t i = 0; i < n; ++i) {
      switch (skew) {
        case Skew::equal_scalars: k[i] = uniform[0]; break;
        case Skew::heavy_bucket:
          if (i % 16 != 0) k[i].limb[0] = (k[i].limb[0] & ~std::uint64_t{0xffff}) | 0x1234;
          break;
        case Skew::equal_bases: bases[i] = uniform_bases[0]; break;
        case Skew::opposite_bases:
          bases[i] = i % 2 == 0 ? uniform_bases[0] : -uniform_bases[0];
          break;
      }
    }
    const MsmPlan plan = Op::plan(n, cpu.properties()).with_workers(1);
    auto workspace = cpu.template allocate<std::byte>(plan.workspace_bytes());
    auto queue = cpu.make_queue();
    typename G::Jacobian result;
    const auto seconds = [&](const auto& scalars, std::span<const typename G::Affine> points) {
      const double start = thread_seconds();
      Op::enqueue(queue, plan, scalars, points, workspace.span(), result);
      benchmark::DoNotOptimize(result);
      return thread_seconds() - start;
    };
    static_cast<void>(seconds(uniform, uniform_bases));
    std::vector<double> quotients;
    for (auto _ : state) {
      const double usual = seconds(uniform, uniform_bases), skewed = seconds(k, bases);
      quotients.push_back(skewed / usual);
      state.SetIterationTime(skewed);
    }
    state.counters["of_uniform"] = median(quotients);
  });
}

template <class G>
void add(const std::string& group) {
  for (const unsigned log_n : {14U, 16U, 18U}) {
    for (const Skew skew :
         {Skew::equal_scalars, Skew::heavy_bucket, Skew::equal_bases, Skew::opposite_bases}) {
      const std::string name =
          "msm/" + group + "_" + names[static_cast<int>(skew)] + "/cpu/2^" + std::to_string(log_n);
      benchmark::RegisterBenchmark(
          name.c_str(),
          [=](benchmark::State& state) { sum_skewed<G>(state, std::size_t{1} << log_n, skew); })
          ->UseManualTime()
          ->Unit(benchmark::kMillisecond);
    }
  }
}

const bool registered = [] {
  add<Bls12_381::G1>("bls12_381_g1");
  add<Bls12_381::G2>("bls12_381_g2");
  return true;
}();

}  // namespace
