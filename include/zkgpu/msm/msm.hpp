// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstddef>
#include <span>

#include <zkgpu/backend/cpu.hpp>
#include <zkgpu/curve/bls12_381.hpp>
#include <zkgpu/curve/curve.hpp>
#include <zkgpu/msm/bitmap.hpp>
#include <zkgpu/msm/operation.hpp>
#include <zkgpu/msm/plan.hpp>
#include <zkgpu/msm/tables.hpp>

namespace zkgpu {

template <CurveGroup G, CpuArch A>
struct Msm<G, Cpu<A>> {
  using Queue = typename Cpu<A>::Queue;
  using Scalar = typename G::ScalarField::Integer;

  /// The plan for n points; pure.
  static MsmPlan plan(std::size_t n, const DeviceProperties& machine);
  /// The plan for n points with tables of at most `table_bytes`; pure.
  static MsmTablePlan plan(std::size_t n, std::size_t table_bytes, const DeviceProperties& machine);

  /// R = Σ_{i<n} kᵢ·Pᵢ by signed-digit buckets; done when it returns.
  ///
  /// @param plan       from plan(n, …), or changed by hand: every window width gives the same point
  /// @param scalars    n integers, canonical (not Montgomery), below the group's order
  /// @param bases      n affine points on the curve, in the group of prime order; (0,0) is infinity
  /// @param workspace  at least plan.workspace_bytes(), 64-byte aligned; overwritten. It keeps what
  ///                   derives from the scalars: who has secrets wipes it
  /// @param result     overwritten
  /// @throws InvalidArgument if sizes disagree with the plan, or a scalar is not below the order;
  ///         ResourceExhausted if some hundred bytes beside the workspace cannot be had
  /// @cost   with m scalars that are neither 0 nor 1: 5M + 1S for each of about m·windows digits,
  ///         for each scalar that is 1, and twice for each of 2^(c-1)·windows buckets
  /// @see    Bernstein et al. 2012, eprint 2012/549 §4; docs/math/pippenger.md
  static void enqueue(Queue& queue, const MsmPlan& plan, std::span<const Scalar> scalars,
                      std::span<const typename G::Affine> bases, std::span<std::byte> workspace,
                      typename G::Jacobian& result);

  /// The same for scalars most of which are 0 or 1, of which it reads a bit each.
  ///
  /// @param plan     from plan(scalars.size, …)
  /// @param scalars  see MsmBitmap
  /// @throws InvalidArgument as above, or if the bitmap has not n bits, or places and values do not
  ///         belong together
  static void enqueue(Queue& queue, const MsmPlan& plan,
                      const MsmBitmap<typename G::ScalarField>& scalars,
                      std::span<const typename G::Affine> bases, std::span<std::byte> workspace,
                      typename G::Jacobian& result);

  /// The same over bases whose multiples are known: fewer windows, and one set of buckets for those
  /// whose multiples the tables hold.
  ///
  /// @param plan  the plan of the bases, with any number of workers
  /// @throws InvalidArgument as above, or if the plan is not that of the bases
  /// @cost   5M + 1S for each of about n·parts·windows digits, and twice for each of
  ///         2^(c-1)·groups buckets
  static void enqueue(Queue& queue, const MsmTablePlan& plan, std::span<const Scalar> scalars,
                      const CpuMsmBases<G, A>& bases, std::span<std::byte> workspace,
                      typename G::Jacobian& result);
};

/// Plans, allocates and runs one multi-scalar multiplication. The workspace is not wiped: for
/// scalars that are public.
/// @throws InvalidArgument as Msm::enqueue; ResourceExhausted if the workspace does not fit
template <CurveGroup G, CpuArch A>
typename G::Jacobian msm(const Cpu<A>& cpu,
                         std::span<const typename G::ScalarField::Integer> scalars,
                         std::span<const typename G::Affine> bases) {
  using Op = Msm<G, Cpu<A>>;
  const MsmPlan plan = Op::plan(scalars.size(), cpu.properties());
  auto workspace = cpu.template allocate<std::byte>(plan.workspace_bytes());
  auto queue = cpu.make_queue();
  typename G::Jacobian result = G::Jacobian::infinity();
  Op::enqueue(queue, plan, scalars, bases, workspace.span(), result);
  queue.wait();
  return result;
}

extern template class CpuMsmBases<Bls12_381::G1, arch::scalar>;
extern template class CpuMsmBases<Bls12_381::G2, arch::scalar>;
extern template struct Msm<Bls12_381::G1, Cpu<arch::scalar>>;
extern template struct Msm<Bls12_381::G2, Cpu<arch::scalar>>;
#if defined(__x86_64__)
extern template struct Msm<Bls12_381::G1, Cpu<arch::x86_adx>>;
extern template struct Msm<Bls12_381::G2, Cpu<arch::x86_adx>>;
extern template class CpuMsmBases<Bls12_381::G1, arch::x86_adx>;
extern template class CpuMsmBases<Bls12_381::G2, arch::x86_adx>;
extern template struct Msm<Bls12_381::G1, Cpu<arch::avx2>>;
extern template struct Msm<Bls12_381::G2, Cpu<arch::avx2>>;
extern template class CpuMsmBases<Bls12_381::G1, arch::avx2>;
extern template class CpuMsmBases<Bls12_381::G2, arch::avx2>;
extern template class CpuMsmBases<Bls12_381::G1, arch::avx512ifma>;
extern template class CpuMsmBases<Bls12_381::G2, arch::avx512ifma>;
extern template struct Msm<Bls12_381::G1, Cpu<arch::avx512ifma>>;
extern template struct Msm<Bls12_381::G2, Cpu<arch::avx512ifma>>;
#endif

}  // namespace zkgpu
