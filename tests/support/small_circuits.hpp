// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include <zkgpu/prover/circuit/boolean.hpp>
#include <zkgpu/prover/circuit/linear_combination.hpp>
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

/// A circuit without sense and with everything: `bits` boolean wires, rows of one to five terms
/// with coefficients ±1, small and of full size, now and then a row of hundreds, wires that only A
/// or only B has. Every constraint makes a wire; the last one is public.
template <class F>
struct RandomCircuit {
  std::size_t constraints = 100;
  std::size_t bits = 10;
  std::uint64_t seed = 1;  ///< of rows and coefficients
  bool flip = false;       ///< another witness

  template <class CS>
  void synthesize(CS& cs) const {
    std::mt19937_64 random(seed);
    std::vector<Variable> wires;
    for (std::size_t i = 0; i < bits && i < constraints; ++i) {
      const bool bit = ((random() & 1) != 0) != flip;
      wires.push_back(allocate_bit(cs, [&] { return bit; }));
    }
    wires.push_back(cs.allocate([&] { return F(flip ? 5 : 3); }));
    for (std::size_t made = bits; made + 1 < constraints; ++made) {
      const std::size_t terms = made % 97 == 50 ? 70 + random() % 400 : 1 + random() % 5;
      const LinearCombination<F> x = combination(random, wires, terms);
      const LinearCombination<F> y = combination(random, wires, 1 + random() % 2);
      const Variable z = cs.allocate([&] { return cs.value(x) * cs.value(y); });
      cs.enforce(x, y, z);
      wires.push_back(z);
    }
    const Variable out = cs.allocate_public([&] { return cs.value(wires.back()); });
    cs.enforce(wires.back(), Variable::one(), out);
  }

 private:
  static constexpr std::size_t near = 8;

  static LinearCombination<F> combination(std::mt19937_64& random,
                                          const std::vector<Variable>& wires, std::size_t terms) {
    LinearCombination<F> made;
    for (std::size_t i = 0; i < terms; ++i) {
      // Near wires more often than far ones: what a constraint makes is soon read.
      const std::size_t reach = random() % 4 == 0 ? wires.size() : std::min(wires.size(), near);
      const Variable wire = wires[wires.size() - 1 - random() % reach];
      switch (random() % 4) {
        case 0: made.add(-F::one(), wire); break;
        case 1: made.add(F(static_cast<int>(2 + random() % 9)), wire); break;
        case 2: {
          const typename F::Integer full{{random(), random(), random(), random() >> 2}};
          made.add(F::from_integer(full), wire);
          break;
        }
        default: made.add(F::one(), wire);
      }
    }
    return made;
  }
};

}  // namespace zkgpu::test
