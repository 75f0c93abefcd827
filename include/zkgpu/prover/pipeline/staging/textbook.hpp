// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstddef>

#include <zkgpu/backend/cpu.hpp>
#include <zkgpu/core/config.hpp>
#include <zkgpu/field/field.hpp>
#include <zkgpu/prover/pipeline/policy.hpp>
#include <zkgpu/prover/pipeline/staging/in_order.hpp>

namespace zkgpu {
template <NttField F, CpuArch A>
struct QuotientReference;  // qap/reference.hpp, which whoever runs the stage includes
}  // namespace zkgpu

namespace zkgpu::pipeline {

namespace detail {

template <NttField F, Backend B>
struct TextbookQuotient {
  static_assert(always_false<F, B>,
                "the textbook's seven transforms are for the CPU: take the staging in_order");
};
template <NttField F, CpuArch A>
struct TextbookQuotient<F, Cpu<A>> {
  using type = QuotientReference<F, A>;
};

}  // namespace detail

/// Staging policy: one stage after another in the order of the graph, and the quotient by the seven
/// transforms of the textbook. The oracle of every other staging; for the CPU only.
struct textbook {
  template <NttField F, Backend B>
  using QuotientStage = typename detail::TextbookQuotient<F, B>::type;

  static constexpr GraphPlaces places{};

  static Schedule plan(const ProofGraph& graph, std::size_t proofs, PipelineLimits limits) {
    return in_order::plan(graph, proofs, limits);
  }
};

}  // namespace zkgpu::pipeline
