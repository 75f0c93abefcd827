// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include <zkgpu/core/error.hpp>
#include <zkgpu/msm/bitmap.hpp>
#include <zkgpu/msm/cpu/sort_impl.hpp>
#include <zkgpu/msm/cpu/sparse_impl.hpp>
#include <zkgpu/msm/cpu/straus_impl.hpp>
#include <zkgpu/msm/cpu/sum_impl.hpp>
#include <zkgpu/msm/cpu/tables_impl.hpp>
#include <zkgpu/msm/layout.hpp>
#include <zkgpu/msm/msm.hpp>

namespace zkgpu {

namespace msm_cpu {

/// @throws InvalidArgument for a plan that was changed by hand into nonsense
inline void check_plan(const MsmPlan& plan, const MsmShape& shape) {
  check_shape(plan.shape, shape);
  if (plan.method == MsmMethod::straus || plan.n == 0) return;
  check_range("bits a window", plan.window_bits, 1, MsmPlan::max_window_bits);
  constexpr std::size_t most_points = std::size_t{1} << 28;  // beside four signs in a word
  constexpr std::size_t most_entries = ~std::uint32_t{0};    // offsets are of 32 bits
  check_range("points a slice", plan.slice_points, 1,
              std::min(most_points, most_entries / (plan.shape.parts * plan.windows())));
  check_range("entries a chunk", plan.chunk_entries, 2, msm_most_chunk_entries);
  check_range("workers", plan.workers, 1, msm_most_workers);
}

inline void check_size(const char* what, std::size_t have, std::size_t want) {
  if (have != want) {
    throw InvalidArgument("msm: plan is for n = " + std::to_string(want) + ", got " +
                          std::to_string(have) + " " + what);
  }
}

/// @throws InvalidArgument if the plan needs more, or the workspace is not aligned
inline void check_workspace(std::span<std::byte> workspace, const MsmLayout& layout) {
  if (workspace.size() < layout.total_bytes) {
    throw InvalidArgument("msm: a workspace of " + std::to_string(workspace.size()) +
                          " bytes; the plan needs " + std::to_string(layout.total_bytes));
  }
  if (reinterpret_cast<std::uintptr_t>(workspace.data()) % 64 != 0) {
    throw InvalidArgument("msm: the workspace does not begin at a multiple of 64 bytes");
  }
}

/// The sum of a bitmap without a workspace, for few points.
template <CurveGroup G>
typename G::Jacobian straus(const MsmBitmap<typename G::ScalarField>& scalars,
                            std::span<const typename G::Affine> bases) {
  SecretArray<typename G::ScalarField::Integer> dense(scalars.size);
  for (std::size_t i = 0; i < scalars.size; ++i) {
    dense[i] = {};
    dense[i].limb[0] = scalars.ones[i / 64] >> (i % 64) & 1;
  }
  for (std::size_t j = 0; j < scalars.places.size(); ++j) {
    dense[scalars.places[j]] = scalars.values[j];
  }
  return straus<G>(std::span<const typename G::ScalarField::Integer>(dense), bases);
}

}  // namespace msm_cpu

template <CurveGroup G, CpuArch A>
MsmPlan Msm<G, Cpu<A>>::plan(std::size_t n, const DeviceProperties& machine) {
  return plan_msm(msm_cpu::engine_shape<G, msm_cpu::EngineArch<A>>(), n, machine);
}

template <CurveGroup G, CpuArch A>
MsmTablePlan Msm<G, Cpu<A>>::plan(std::size_t n, std::size_t table_bytes,
                                  const DeviceProperties& machine) {
  return plan_msm_tables(msm_cpu::engine_shape<G, msm_cpu::EngineArch<A>>(), n, table_bytes,
                         machine);
}

template <CurveGroup G, CpuArch A>
void Msm<G, Cpu<A>>::enqueue(Queue&, const MsmPlan& plan, std::span<const Scalar> scalars,
                             std::span<const typename G::Affine> bases,
                             std::span<std::byte> workspace, typename G::Jacobian& result) {
  msm_cpu::check_size("scalars", scalars.size(), plan.n);
  msm_cpu::check_size("bases", bases.size(), plan.n);
  msm_cpu::check_plan(plan, msm_cpu::engine_shape<G, msm_cpu::EngineArch<A>>());
  if (plan.n == 0) {
    result = G::Jacobian::infinity();
    return;
  }
  if (plan.method == MsmMethod::straus) {
    check_msm_scalars<typename G::ScalarField>(scalars);
    result = with_typed_memory_errors("msm", [&] { return msm_cpu::straus<G>(scalars, bases); });
    return;
  }
  const MsmLayout layout = layout_msm(plan);
  msm_cpu::check_workspace(workspace, layout);
  const msm_cpu::Arrays<G, msm_cpu::EngineArch<A>> arrays(layout, workspace.data());
  msm_cpu::SparseSum<G, msm_cpu::EngineArch<A>> slices(plan, layout, arrays, workspace.data());
  result = with_typed_memory_errors("msm", [&] {
    auto sum = G::Jacobian::infinity();
    for (std::size_t first = 0; first < plan.n; first += plan.slice_points) {
      const std::size_t count = std::min(plan.slice_points, plan.n - first);
      sum += slices.run(scalars.subspan(first, count), bases.subspan(first, count), first);
    }
    return sum;
  });
}

template <CurveGroup G, CpuArch A>
void Msm<G, Cpu<A>>::enqueue(Queue&, const MsmPlan& plan,
                             const MsmBitmap<typename G::ScalarField>& scalars,
                             std::span<const typename G::Affine> bases,
                             std::span<std::byte> workspace, typename G::Jacobian& result) {
  msm_cpu::check_size("scalars", scalars.size, plan.n);
  msm_cpu::check_size("bases", bases.size(), plan.n);
  msm_cpu::check_plan(plan, msm_cpu::engine_shape<G, msm_cpu::EngineArch<A>>());
  check_msm_bitmap(scalars);
  if (plan.n == 0) {
    result = G::Jacobian::infinity();
    return;
  }
  if (plan.method == MsmMethod::straus) {
    result = with_typed_memory_errors("msm", [&] { return msm_cpu::straus<G>(scalars, bases); });
    return;
  }
  const MsmLayout layout = layout_msm(plan);
  msm_cpu::check_workspace(workspace, layout);
  const msm_cpu::Arrays<G, msm_cpu::EngineArch<A>> arrays(layout, workspace.data());
  msm_cpu::SparseSum<G, msm_cpu::EngineArch<A>> slices(plan, layout, arrays, workspace.data());
  result = with_typed_memory_errors("msm", [&] {
    auto sum = G::Jacobian::infinity();
    std::size_t from = 0;
    for (std::size_t first = 0; first < plan.n; first += plan.slice_points) {
      const std::size_t count = std::min(plan.slice_points, plan.n - first);
      std::size_t to = from;
      while (to < scalars.places.size() && scalars.places[to] < first + count) ++to;
      sum += slices.run(scalars.ones, first, scalars.places.subspan(from, to - from),
                        scalars.values.subspan(from, to - from), bases.subspan(first, count));
      from = to;
    }
    return sum;
  });
}

template <CurveGroup G, CpuArch A>
void Msm<G, Cpu<A>>::enqueue(Queue&, const MsmTablePlan& plan, std::span<const Scalar> scalars,
                             const CpuMsmBases<G, A>& bases, std::span<std::byte> workspace,
                             typename G::Jacobian& result) {
  msm_cpu::check_size("scalars", scalars.size(), plan.sum.n);
  if (plan.with_workers(1) != bases.plan().with_workers(1)) {
    throw InvalidArgument("msm: the plan is '" + to_string(plan) + "', the bases' '" +
                          to_string(bases.plan()) + "'");
  }
  if (bases.table().size() != plan.table_points()) {
    throw InvalidArgument(
        "msm: the bases were moved away: " + std::to_string(bases.table().size()) +
        " points are left of " + std::to_string(plan.table_points()));
  }
  msm_cpu::check_range("workers", plan.sum.workers, 1, msm_most_workers);
  check_msm_scalars<typename G::ScalarField>(scalars);
  if (plan.sum.n == 0) {
    result = G::Jacobian::infinity();
    return;
  }
  const MsmLayout layout = layout_msm(plan.sum);
  msm_cpu::check_workspace(workspace, layout);
  result = with_typed_memory_errors("msm", [&] {
    return msm_cpu::sum_tables<G, msm_cpu::EngineArch<A>>(plan, layout, scalars, bases.table(),
                                                          workspace.data());
  });
}

}  // namespace zkgpu
