// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include <zkgpu/core/config.hpp>
#include <zkgpu/prover/circuit/boolean.hpp>
#include <zkgpu/prover/circuit/number.hpp>

namespace zkgpu {

/// All F::bits bits of x, least significant first: Σ 2^i b_i = x, stated as 0·0 = Σ 2^i b_i − x.
///
/// Not a range check: x and x + modulus may both fit. bellman's form of it, which keys are made
/// for.
/// @cost F::bits + 1 constraints
template <ConstraintSystem CS>
std::vector<Boolean> unpack_all(CS& cs, Variable x) {
  using F = typename CS::Scalar;
  typename F::Integer integer{};
  if constexpr (CS::has_values) integer = cs.value(x).to_integer();
  std::vector<Boolean> bits;
  bits.reserve(F::bits);
  for (std::size_t i = 0; i < F::bits; ++i) {
    bits.push_back(Boolean::is(allocate_bit(cs, [&] { return integer.bit(i); })));
  }
  enforce_as(
      cs,
      [&] {
        cs.enforce({}, {}, weighted_sum<F>(std::span<const Boolean>(bits)).add(-F::one(), x));
      },
      [] {
        return RowValues<F>{F::zero(), F::zero()};
      });
  return bits;
}

/// A public variable x = Σ 2^i bits[i]; one constraint, Σ·1 = x.
template <ConstraintSystem CS>
Variable pack_into_public(CS& cs, std::span<const Boolean> bits) {
  using F = typename CS::Scalar;
  ZKGPU_ASSERT(bits.size() < F::bits);
  const LinearCombination<F> sum = weighted_sum<F>(bits);
  const Variable x = cs.allocate_public([&] { return cs.value(sum); });
  cs.enforce(sum, Variable::one(), x);
  return x;
}

/// From bits in the order of their weight to the order in which hashes take bytes, and back: zeros
/// are added to a whole number of bytes, then each byte is turned round, so that its most
/// significant bit comes first. Bytes keep their places.
inline std::vector<Boolean> reverse_within_bytes(std::vector<Boolean> bits) {
  while (bits.size() % 8 != 0) bits.push_back(Boolean::constant(false));
  for (auto byte = bits.begin(); byte != bits.end(); byte += 8) std::reverse(byte, byte + 8);
  return bits;
}

}  // namespace zkgpu
