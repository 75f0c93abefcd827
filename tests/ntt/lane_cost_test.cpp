// SPDX-License-Identifier: Apache-2.0 OR MIT
#if defined(__x86_64__)
#include <algorithm>
#include <catch2/catch.hpp>
#include <ctime>
#include <string>
#include <vector>

#include <zkgpu/backend/cpu.hpp>
#include <zkgpu/ntt/ntt.hpp>

#include "perf/measurable.hpp"

// What a transform in lanes costs beside a scalar one: both are timed in turn, in the same run, so
// that clock and load cancel.
namespace {

using namespace zkgpu;
using Fr = Bls12_381::Fr;

double thread_seconds() {
  timespec t{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

/// The smallest time of some transforms on one thread.
template <class Arch>
double seconds_of_transform(const NttTwiddles<Fr>& twiddles, std::vector<Fr>& x, double least) {
  const DeviceProperties one_thread{.compute_units = 1, .unit_cache_bytes = std::size_t{1} << 20};
  const Cpu<Arch> cpu(one_thread);
  for (int i = 0; i < 10; ++i) {
    const double start = thread_seconds();
    ntt<Fr>(cpu, twiddles, {NttDirection::forward, NttOrder::natural_to_reversed, Fr::one()}, x);
    least = std::min(least, thread_seconds() - start);
  }
  return least;
}

/// Does a transform in the lanes of an architecture take less than 1/`ratio` of a scalar one?
template <class Arch>
void check_cost(double ratio) {
  if (selected_cpu_level() < cpu_level<Arch>) {
    WARN("this machine has no " + std::string(Arch::name) +
         ", or may not use it: transforms are not timed");
    return;
  }
  if (!zkgpu::test::measurable) {
    WARN("not optimised, or under a sanitizer: transforms are not timed");
    return;
  }
  // One tile of 2^10: no second thread has a part in it.
  const NttTwiddles<Fr> twiddles(NttDomain<Fr>(10), cpu_level<Arch>);
  std::vector<Fr> x(twiddles.domain().size());
  Fr value = Fr(3);
  for (Fr& e : x) e = value = value.square() + Fr::one();
  double lanes = 1, scalar = 1;
  for (int retry = 0; retry < 20;
       ++retry) {  // others on the core slow a measurement, never speed it
    lanes = seconds_of_transform<Arch>(twiddles, x, lanes);
    scalar = seconds_of_transform<arch::scalar>(twiddles, x, scalar);
    if (ratio * lanes < scalar) break;
  }
  INFO("lanes " << 1e6 * lanes << " us, scalar " << 1e6 * scalar << " us");
  CHECK(ratio * lanes < scalar);
}

TEST_CASE("a transform in lanes takes less than a third of a scalar one", "[ntt][lanes][perf]") {
  check_cost<arch::avx512ifma>(3);  // measured: a sixth, g++ 12 and clang 14
}
TEST_CASE("a transform in lanes of AVX2 takes less than three quarters of a scalar one",
          "[ntt][lanes][perf]") {
  check_cost<arch::avx2>(4.0 / 3);
}

}  // namespace
#endif
