// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/parallel_for.h>

#include <algorithm>
#include <string>

#include <zkgpu/core/error.hpp>
#include <zkgpu/prover/r1cs/row_product.hpp>
#include <zkgpu/prover/witness/evaluate.hpp>

namespace zkgpu {

template <PrimeField F, CpuArch A>
auto Evaluate<F, Cpu<A>>::operator()(StageContext<Cpu<A>>& at, const Input& z) const -> Output {
  if (rows.size() > domain_size || rows.input_rows > z.size()) {
    throw InvalidArgument("evaluate: " + std::to_string(rows.size()) + " rows, domain of " +
                          std::to_string(domain_size) + ", " + std::to_string(z.size()) + " wires");
  }
  Output out{at.template scratch<F>(domain_size), at.template scratch<F>(domain_size)};
  const std::span<F> a = out.a.span();
  const std::span<F> b = out.b.span();
  const F radix = montgomery_radix<F>();

  // A row is some dozens of products: 512 rows outweigh the cost of a task.
  constexpr std::size_t grain = 512;
  const std::size_t constraints = rows.constraints;
  using Range = oneapi::tbb::blocked_range<std::size_t>;
  oneapi::tbb::parallel_for(Range(0, constraints, grain), [&](const Range& range) {
    for (std::size_t row = range.begin(); row < range.end(); ++row) {
      a[row] = row_product(*rows.a, row, z, radix);
      b[row] = row_product(*rows.b, row, z, radix);
    }
  });
  rows.append_inputs(z, a, b);
  return out;
}

}  // namespace zkgpu
