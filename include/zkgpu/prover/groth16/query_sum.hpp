// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <bit>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include <zkgpu/backend/cpu.hpp>
#include <zkgpu/backend/stage.hpp>
#include <zkgpu/core/config.hpp>
#include <zkgpu/core/error.hpp>
#include <zkgpu/msm/msm.hpp>
#include <zkgpu/prover/r1cs/density.hpp>

namespace zkgpu {

/// Stage: Σ scalar_i · P_i over one query of a key.
template <CurveGroup G, Backend B>
struct QuerySum {
  static_assert(always_false<G, B>,
                "no query sum for this backend: specialise zkgpu::QuerySum in prover/groth16/");
};

template <CurveGroup G, CpuArch A>
struct QuerySum<G, Cpu<A>> {
  static constexpr std::string_view name = "msm";
  using Integer = typename G::ScalarField::Integer;
  using Input = std::span<const Integer>;  ///< canonical; one a wire, or one a point
  using Output = typename G::Jacobian;

  std::span<const typename G::Affine> points;
  /// The wires that have a point, in ascending order; null when each scalar has one.
  const WireSet* wires = nullptr;

  /// @throws InvalidArgument if there are not as many scalars as points
  Output operator()(StageContext<Cpu<A>>& at, const Input& scalars) const {
    if (wires == nullptr) return sum(at, scalars);
    if (wires->num_wires() != scalars.size() || wires->count() != points.size()) {
      throw InvalidArgument("query: " + std::to_string(points.size()) +
                            " points, but the circuit uses " + std::to_string(wires->count()) +
                            " wires there; key and circuit do not belong together");
    }
    const auto dense = at.template scratch<Integer>(points.size());
    std::size_t next = 0;
    for (std::size_t wire = 0; wire < scalars.size(); ++wire) {
      if (wires->contains(wire)) dense.span()[next++] = scalars[wire];
    }
    return sum(at, dense.span());
  }

 private:
  Output sum(StageContext<Cpu<A>>& at, std::span<const Integer> scalars) const {
    using Op = Msm<G, Cpu<A>>;
    const auto plan = Op::plan(points.size(), at.backend.properties());
    const auto workspace = at.template scratch<std::byte>(plan.workspace_bytes());
    Output result = G::Jacobian::infinity();
    Op::enqueue(at.queue, plan, scalars, points, workspace.span(), result);
    at.queue.wait();
    return result;
  }
};

}  // namespace zkgpu
