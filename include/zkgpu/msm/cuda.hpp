// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include <zkgpu/backend/cuda.hpp>
#include <zkgpu/backend/cuda_feed.hpp>
#include <zkgpu/core/span.hpp>
#include <zkgpu/curve/bls12_381.hpp>
#include <zkgpu/curve/curve.hpp>
#include <zkgpu/msm/cuda/plan.hpp>
#include <zkgpu/msm/operation.hpp>

namespace zkgpu {

/// The bases of MSMs on the device, with the multiples that a plan asks for; made once, read by any
/// number of MSMs, also at a time.
template <CurveGroup G>
class CudaMsmBases {
 public:
  using Affine = typename G::Affine;

  /// Copies the bases and makes plan.tables multiples of each. Bases in the host's memory stay as
  /// they are until the queue drains.
  ///
  /// @param bases  plan.n points on the curve, anywhere; (0,0) is infinity
  /// @throws InvalidArgument if the number of bases is not the plan's; ResourceExhausted
  /// @cost   tables·n·(c·groups doublings + about 10M)
  CudaMsmBases(const Cuda& cuda, const CudaQueue& queue, const CudaMsmPlan& plan,
               CudaSource<Affine> bases);

  /// Memory for bases whose multiples are known: `set` all of them, then `complete`.
  /// @throws ResourceExhausted
  CudaMsmBases(const Cuda& cuda, const CudaMsmPlan& plan);
  /// The same in memory that is there, also lent: plan.tables·plan.n points and plan.n bytes.
  CudaMsmBases(const CudaMsmPlan& plan, CudaBuffer<Affine> table,
               CudaBuffer<std::uint8_t> infinity) noexcept
      : plan_(plan), table_(std::move(table)), infinity_(std::move(infinity)) {}
  /// Points [first, first + points.size()) of the runs that table() names, one after the other.
  /// @throws InvalidArgument if there are not that many; DeviceError
  void set(const CudaQueue& queue, std::size_t first, CudaSource<Affine> points);
  void complete(const CudaQueue& queue);

  /// plan.tables runs of n points: run j holds 2^(c·groups·j) times each base.
  [[nodiscard]] DeviceSpan<const Affine> table() const noexcept { return table_.span(); }
  /// One byte a base: 1 for infinity.
  [[nodiscard]] DeviceSpan<const std::uint8_t> infinity() const noexcept {
    return infinity_.span();
  }
  [[nodiscard]] const CudaMsmPlan& plan() const noexcept { return plan_; }

 private:
  void make_multiples(const Cuda& cuda, const CudaQueue& queue);

  CudaMsmPlan plan_;
  CudaBuffer<Affine> table_;
  CudaBuffer<std::uint8_t> infinity_;
};

template <CurveGroup G>
struct Msm<G, Cuda> {
  using Queue = CudaQueue;
  using Scalar = typename G::ScalarField::Integer;

  /// What plans must know of the group.
  static CudaMsmShape shape() noexcept {
    return {sizeof(typename G::Affine), sizeof(typename G::Bucket),
            unsigned{G::ScalarField::bits} - 1, 256};
  }
  /// The plan for n points without tables; pure.
  static CudaMsmPlan plan(std::size_t n, const DeviceProperties& machine) {
    return plan_cuda_msm(shape(), n, 0, machine);
  }
  /// The plan for n points with tables of at most `table_bytes`.
  static CudaMsmPlan plan(std::size_t n, std::size_t table_bytes, const DeviceProperties& machine) {
    return plan_cuda_msm(shape(), n, table_bytes, machine);
  }

  /// R = Σ_{i<n} kᵢ·Pᵢ by signed-digit buckets. The digits that are not zero are sorted by bucket;
  /// where they are many, neighbours of one bucket are added in affine form, round by round; what
  /// is left is cut into segments of equal size. So no distribution of scalars is slow. Where there
  /// may be millions of digits it waits for their number, else it returns at once.
  ///
  /// @param plan       the plan of the bases
  /// @param scalars    n integers, taken modulo the order, device
  /// @param workspace  at least plan.workspace_bytes(), 256-byte aligned, untouched by others until
  ///                   the queue drains
  /// @param result     one point, device; overwritten
  /// @throws InvalidArgument if sizes or plans disagree; DeviceError
  /// @cost   one affine addition (5M + 1S) for each digit that is not zero, or where they are few a
  ///         mixed one (8M + 2S); about 2 additions (12M + 2S) a bucket; c·groups doublings one
  ///         after the other
  /// @see    Bernstein et al. 2012, eprint 2012/549 §4; docs/math/pippenger.md
  static void enqueue(const Queue& queue, const CudaMsmPlan& plan, DeviceSpan<const Scalar> scalars,
                      const CudaMsmBases<G>& bases, DeviceSpan<std::byte> workspace,
                      DeviceSpan<typename G::Jacobian> result);
};

extern template class CudaMsmBases<Bls12_381::G1>;
extern template class CudaMsmBases<Bls12_381::G2>;
extern template struct Msm<Bls12_381::G1, Cuda>;
extern template struct Msm<Bls12_381::G2, Cuda>;

}  // namespace zkgpu
