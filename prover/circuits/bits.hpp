// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstddef>
#include <cstdint>

#include <zkgpu/prover/circuit/constraint_system.hpp>
#include <zkgpu/prover/circuit/linear_combination.hpp>
#include <zkgpu/prover/circuit/number.hpp>

namespace zkgpu::cli {

/// Range checks: `numbers` private 64-bit numbers, taken apart into bits; their sum is public. Of
/// 66 wires 65 are bits or words: the load of circuits that hash, where most scalars are 0 or 1.
template <PrimeField F>
struct BitsCircuit {
  static constexpr std::size_t width = 64;
  static constexpr std::size_t constraints_a_number = width + 1;

  std::size_t numbers = 1;

  template <ConstraintSystem CS>
  void synthesize(CS& cs) const {
    const Variable total = cs.allocate_public([&] {
      F sum = F::zero();
      for (std::size_t i = 0; i < numbers; ++i) sum = sum + number(i);
      return sum;
    });
    LinearCombination<F> sum;
    for (std::size_t i = 0; i < numbers; ++i) {
      const Variable x = cs.allocate([&] { return number(i); });
      unpack(cs, x, width);
      sum += LinearCombination<F>(x);
    }
    enforce_equal(cs, sum, total);
  }

 private:
  /// The i-th number of a fixed sequence: SplitMix64 (Steele, Lea, Flood 2014), an equidistributed
  /// bijection, so that half of all bits are ones.
  static F number(std::size_t i) {
    std::uint64_t z = (i + 1) * 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return F::from_integer(F::Integer::from_uint64(z ^ (z >> 31)));
  }
};

}  // namespace zkgpu::cli
