// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstddef>

#include <zkgpu/prover/circuit/constraint_system.hpp>
#include <zkgpu/prover/circuit/linear_combination.hpp>

namespace zkgpu::cli {

/// x → x² + k, `steps` times: public y (the end) and k, private x (the start). One constraint a
/// step; nearly every wire holds a full-size scalar.
template <PrimeField F>
struct ChainCircuit {
  std::size_t steps = 1;
  F x = F(3);
  F k = F(7);

  template <ConstraintSystem CS>
  void synthesize(CS& cs) const {
    const Variable end = cs.allocate_public([&] {
      F value = x;
      for (std::size_t i = 0; i < steps; ++i) value = value.square() + k;
      return value;
    });
    const Variable constant = cs.allocate_public([&] { return k; });
    Variable current = cs.allocate([&] { return x; });
    for (std::size_t i = 0; i < steps; ++i) {
      const Variable next =
          i + 1 == steps ? end : cs.allocate([&] { return cs.value(current).square() + k; });
      cs.enforce(current, current, LinearCombination<F>(next) - constant);  // s·s = s' − k
      current = next;
    }
  }
};

}  // namespace zkgpu::cli
