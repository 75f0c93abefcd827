// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <zkgpu/core/config.hpp>
#include <zkgpu/prover/circuit/boolean.hpp>
#include <zkgpu/prover/circuit/constraint_system.hpp>

namespace zkgpu {

/// p = x·y, a new auxiliary variable; one constraint.
template <ConstraintSystem CS>
Variable multiply(CS& cs, const LinearCombination<typename CS::Scalar>& x,
                  const LinearCombination<typename CS::Scalar>& y) {
  const Variable product = cs.allocate([&] { return cs.value(x) * cs.value(y); });
  cs.enforce(x, y, product);
  return product;
}

/// States x = y, as x·1 = y.
template <ConstraintSystem CS>
void enforce_equal(CS& cs, const LinearCombination<typename CS::Scalar>& x,
                   const LinearCombination<typename CS::Scalar>& y) {
  cs.enforce(x, Variable::one(), y);
}

/// A public variable with the value of x: y·1 = x.
template <ConstraintSystem CS>
Variable make_public(CS& cs, const LinearCombination<typename CS::Scalar>& x) {
  const Variable y = cs.allocate_public([&] { return cs.value(x); });
  cs.enforce(y, Variable::one(), x);
  return y;
}

/// c = condition ? a : b, for a condition that is a bit: (b − a)·condition = b − c.
template <ConstraintSystem CS>
Variable select(CS& cs, const Boolean& condition, const LinearCombination<typename CS::Scalar>& a,
                const LinearCombination<typename CS::Scalar>& b) {
  using F = typename CS::Scalar;
  const Variable c = cs.allocate([&] { return condition.value(cs) ? cs.value(a) : cs.value(b); });
  enforce_as(
      cs, [&] { cs.enforce(b - a, condition.scaled(F::one()), b - c); },
      [&] {
        return RowValues<F>{cs.value(b) - cs.value(a), bit_element<F>(condition.value(cs))};
      });
  return c;
}

/// Σ 2^i bits[i] as a linear combination; costs no constraint.
template <PrimeField F>
LinearCombination<F> weighted_sum(std::span<const Boolean> bits) {
  LinearCombination<F> sum;
  F weight = F::one();
  for (const Boolean& bit : bits) {
    sum += bit.scaled(weight);
    weight = weight.doubled();
  }
  return sum;
}

/// x = Σ 2^i bits[i], a new auxiliary variable. Fewer bits than the modulus has: the sum cannot
/// wrap.
template <ConstraintSystem CS>
Variable pack(CS& cs, std::span<const Boolean> bits) {
  using F = typename CS::Scalar;
  ZKGPU_ASSERT(bits.size() < F::bits);
  const LinearCombination<F> sum = weighted_sum<F>(bits);
  const Variable x = cs.allocate([&] { return cs.value(sum); });
  cs.enforce(sum, Variable::one(), x);
  return x;
}

/// The `count` lowest bits of x as new bits with Σ 2^i b_i = x, which holds only for x < 2^count.
///
/// With count < F::bits the decomposition is unique, and so a range check. With count == F::bits
/// it is not: x and x + modulus may both fit.
/// @cost count + 1 constraints
template <ConstraintSystem CS>
std::vector<Boolean> unpack(CS& cs, const LinearCombination<typename CS::Scalar>& x,
                            std::size_t count) {
  using F = typename CS::Scalar;
  ZKGPU_ASSERT(count <= F::bits);
  typename F::Integer integer{};
  if constexpr (CS::has_values) integer = cs.value(x).to_integer();
  std::vector<Boolean> bits;
  bits.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    bits.push_back(Boolean::is(allocate_bit(cs, [&] { return integer.bit(i); })));
  }
  enforce_equal(cs, weighted_sum<F>(bits), x);
  return bits;
}

}  // namespace zkgpu
