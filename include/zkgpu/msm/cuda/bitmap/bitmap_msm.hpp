// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <zkgpu/backend/cuda.hpp>
#include <zkgpu/backend/cuda_feed.hpp>
#include <zkgpu/curve/bls12_381.hpp>
#include <zkgpu/curve/curve.hpp>
#include <zkgpu/msm/bitmap.hpp>
#include <zkgpu/msm/cuda.hpp>
#include <zkgpu/msm/cuda/bitmap/plan.hpp>

namespace zkgpu {

/// Scalars most of which are 0 or 1, on the device; read by any number of sums, over any bases.
template <PrimeField F>
class CudaMsmBitmap {
 public:
  using Integer = typename F::Integer;

  /// Copies `scalars`; the host's memory stays as it is until the queue drains.
  ///
  /// @throws InvalidArgument as check_msm_bitmap; ResourceExhausted; DeviceError
  CudaMsmBitmap(const Cuda& cuda, const CudaQueue& queue, const MsmBitmap<F>& scalars)
      : size_(scalars.size) {
    check_msm_bitmap(scalars);
    ones_ = cuda.template allocate<std::uint64_t>(scalars.ones.size());
    places_ = cuda.template allocate<std::uint32_t>(scalars.places.size());
    values_ = cuda.template allocate<Integer>(scalars.values.size());
    queue.upload(scalars.ones, ones_.span());
    queue.upload(scalars.places, places_.span());
    queue.upload(scalars.values, values_.span());
    for (std::size_t first = 0; first < size_; first += cuda_bitmap_block) {
      const auto at = std::lower_bound(scalars.places.begin(), scalars.places.end(), first);
      wide_before_.push_back(static_cast<std::size_t>(at - scalars.places.begin()));
    }
  }

  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] DeviceSpan<const std::uint64_t> ones() const noexcept { return ones_.span(); }
  [[nodiscard]] DeviceSpan<const std::uint32_t> places() const noexcept { return places_.span(); }
  [[nodiscard]] DeviceSpan<const Integer> values() const noexcept { return values_.span(); }
  /// Wide scalars at places below `at`.
  /// @pre at is a multiple of cuda_bitmap_block, or at least size()
  [[nodiscard]] std::size_t wide_before(std::size_t at) const noexcept {
    return at >= size_ ? places_.size() : wide_before_[at / cuda_bitmap_block];
  }

 private:
  std::size_t size_ = 0;
  CudaBuffer<std::uint64_t> ones_;
  CudaBuffer<std::uint32_t> places_;
  CudaBuffer<Integer> values_;
  std::vector<std::size_t> wide_before_;
};

/// Multi-scalar multiplication on a device by bitmaps of scalars, several over one pass of bases.
template <CurveGroup G>
struct BitmapMsm {
  using Bitmap = CudaMsmBitmap<typename G::ScalarField>;
  using Affine = typename G::Affine;

  /// R_b = Σ_i k_{b,i}·P_i for each bitmap b. Waits for the numbers of ones and digits.
  ///
  /// @param plan       from plan_cuda_msm_bitmap(bases.plan(), …), for as many bitmaps
  /// @param bitmaps    of n scalars each
  /// @param workspace  at least plan.workspace_bytes(), 256-byte aligned, untouched by others until
  ///                   the queue drains
  /// @param results    a point for each bitmap, device; overwritten
  /// @throws InvalidArgument if sizes or plans disagree; DeviceError
  /// @cost   5M + 1S for each one; for the wide scalars as Msm
  static void enqueue(const CudaQueue& queue, const CudaMsmBitmapPlan& plan,
                      std::span<const Bitmap> bitmaps, const CudaMsmBases<G>& bases,
                      DeviceSpan<std::byte> workspace, DeviceSpan<typename G::Jacobian> results);

  /// The same over bases that come to the device in chunks, each once for all bitmaps.
  ///
  /// @param feed   of the same device; for one sum at a time
  /// @param plan   from plan_cuda_msm_bitmap_streamed(…)
  /// @param bases  n points on the curve, (0,0) is infinity; anywhere
  /// @pre   host memory that is read stays as it is until the queue drains
  static void enqueue(const CudaQueue& queue, const CudaFeed& feed, const CudaMsmBitmapPlan& plan,
                      std::span<const Bitmap> bitmaps, CudaSource<Affine> bases,
                      DeviceSpan<std::byte> workspace, DeviceSpan<typename G::Jacobian> results);
};

extern template struct BitmapMsm<Bls12_381::G1>;
extern template struct BitmapMsm<Bls12_381::G2>;

}  // namespace zkgpu
