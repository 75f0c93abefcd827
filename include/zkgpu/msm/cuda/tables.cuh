// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstddef>
#include <cstdint>

#include <zkgpu/backend/launch.cuh>
#include <zkgpu/curve/curve.hpp>
#include <zkgpu/msm/cuda/lazy_bucket.hpp>

/// The kernels that make the multiples of bases.
namespace zkgpu::msm_cuda {

template <CurveParams P>
__global__ void infinity_kernel(const Affine<P>* bases, std::uint8_t* infinity, std::size_t n) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) infinity[i] = bases[i].is_infinity() ? 1 : 0;
}

constexpr unsigned double_threads = 128;

/// out[i] = 2^doublings · bases[i]
template <CurveParams P>
__global__ void __launch_bounds__(double_threads)
    double_kernel(const LazyAffine<P>* bases, LazyBucket<P>* out, std::size_t n,
                  unsigned doublings) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= n) return;
  LazyBucket<P> p = LazyBucket<P>::from_affine(bases[i]);
  for (unsigned k = 0; k < doublings; ++k) p = p.doubled();
  out[i] = p;
}

/// A thread inverts the product of `run` denominators that are `stride` apart.
struct InversionRuns {
  std::size_t n = 0;
  std::size_t stride = 0;  ///< threads that work
};

/// out[i] = points[i] in affine form, reduced; infinity becomes (0, 0).
///
/// @param products  n field elements, overwritten
/// @see   batch_to_affine
template <CurveParams P>
__global__ void __launch_bounds__(double_threads)
    to_affine_kernel(const LazyBucket<P>* points, LazyFieldOf<typename P::BaseField>* products,
                     Affine<P>* out, InversionRuns runs) {
  using F = LazyFieldOf<typename P::BaseField>;
  const std::size_t first = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (first >= runs.stride) return;
  F product = F::one();
  std::size_t last = first;
  for (std::size_t i = first; i < runs.n; i += runs.stride) {
    products[i] = product;
    if (!points[i].is_infinity()) product = product * points[i].zzz;
    last = i;
  }
  F inverse = product.inverse();
  for (std::size_t i = last;; i -= runs.stride) {
    const LazyBucket<P> p = points[i];
    if (p.is_infinity()) {
      out[i] = Affine<P>::infinity();
    } else {
      const F zzz_inverse = inverse * products[i];
      inverse = inverse * p.zzz;
      const F zz_inverse = (zzz_inverse * p.zz).square();  // (ZZ/ZZZ)² = 1/ZZ
      out[i] = Affine<P>{to_canonical(p.x * zz_inverse), to_canonical(p.y * zzz_inverse)};
    }
    if (i == first) break;
  }
}

template <CurveParams P>
void enqueue_infinity(const CudaQueue& queue, const Affine<P>* bases, std::uint8_t* infinity,
                      std::size_t n) {
  launch(queue, grid_for(n, 256), "msm.infinity", infinity_kernel<P>, bases, infinity, n);
}

/// to[i] = 2^doublings·from[i] for n points.
///
/// @param points, products  scratch for n
template <CurveParams P>
void enqueue_multiples(const CudaQueue& queue, const Affine<P>* from, Affine<P>* to, std::size_t n,
                       unsigned doublings, LazyBucket<P>* points,
                       LazyFieldOf<typename P::BaseField>* products) {
  launch(queue, grid_for(n, double_threads), "msm.double", double_kernel<P>,
         reinterpret_cast<const LazyAffine<P>*>(from), points, n, doublings);
  constexpr std::size_t run = 32;  // an inversion takes the time of about 32 products: 1 an element
  const InversionRuns runs{n, (n + run - 1) / run};
  launch(queue, grid_for(runs.stride, double_threads), "msm.to_affine", to_affine_kernel<P>, points,
         products, to, runs);
}

}  // namespace zkgpu::msm_cuda
