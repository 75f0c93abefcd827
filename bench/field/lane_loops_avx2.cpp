// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "field/lane_loops.hpp"

#if defined(__x86_64__)
#include <zkgpu/ntt/cpu/lane_arithmetic_avx2_impl.hpp>

namespace zkgpu::bench {

namespace {
using M = ntt_cpu::LaneArithmetic<Bls12_381::Fr, arch::avx2>;
constexpr std::size_t vectors = elements_a_step / M::group_lanes;

/// step(x) on each of the vectors in turn.
template <class Step>
void run(std::size_t steps, const Step& step) {
  const M::Scope scope;
  M::Group x[vectors];
  for (M::Group& value : x) value = M::broadcast(M::Radix::from_field);
  for (std::size_t i = 0; i < steps; ++i) {
    for (M::Group& value : x) {
      value = step(value);
      asm volatile("" : : "m"(value) : "memory");
    }
  }
}
}  // namespace

void avx2_products(std::size_t steps) {
  const M::Group factor = M::broadcast(M::Radix::one);
  run(
      steps, [&](const M::Group& x)
                 __attribute__((always_inline)) { return M::product(x, factor); });
}
void avx2_known_products(std::size_t steps) {
  // Any words will do for the time: products read 52 bits of what they are given.
  alignas(64) std::uint64_t words[ntt_cpu::lane_factor_words * ntt_cpu::lane_width];
  M::write_factor(M::broadcast(M::Radix::one), words);
  M::write_factor(M::broadcast(M::Radix::one), words + 5 * ntt_cpu::lane_width);
  const M::LaneFactor factor{words};
  run(
      steps, [&](const M::Group& x)
                 __attribute__((always_inline)) { return M::product(M::carried(x), factor); });
}

}  // namespace zkgpu::bench
#endif
