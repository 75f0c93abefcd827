// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstddef>

#include <zkgpu/prover/circuit/boolean.hpp>
#include <zkgpu/prover/circuit/number.hpp>

/// Circuits that several tests prove.
namespace zkgpu::test {

/// c = a ⊕ b with the two bits auxiliary and the result public; the bits are bound by their boolean
/// rows, the result by the exclusive or itself.
template <class F>
struct XorCircuit {
  bool a = false, b = false;

  template <class CS>
  void synthesize(CS& cs) const {
    using Lc = LinearCombination<F>;
    const Variable x = allocate_bit(cs, [&] { return a; });
    const Variable y = allocate_bit(cs, [&] { return b; });
    const Variable z = cs.allocate_public([&] { return a != b ? F::one() : F::zero(); });
    cs.enforce(Lc(F(2), x), y, Lc(x) + y - z);
  }
};

/// x_0 auxiliary, x_{i+1} = x_i² `squarings` times, the last one public: x_last · 1 = out.
template <class F>
struct SquaringsCircuit {
  std::size_t squarings = 1;
  F start = F(3);

  template <class CS>
  void synthesize(CS& cs) const {
    Variable x = cs.allocate([&] { return start; });
    for (std::size_t i = 0; i < squarings; ++i) x = multiply(cs, x, x);
    const Variable out = cs.allocate_public([&] { return cs.value(x); });
    enforce_equal(cs, x, out);
  }
};

}  // namespace zkgpu::test
