// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "points.hpp"

#include <algorithm>

#include <zkgpu/backend/launch.cuh>
#include <zkgpu/curve/bls12_381.hpp>
#include <zkgpu/msm/cuda/lazy_bucket.hpp>

namespace zkgpu::gpu_test {

namespace {

template <CurveParams P>
__global__ void points_kernel(std::uint64_t seed, std::size_t first, std::size_t n,
                              LazyBucket<P>* out) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const std::uint64_t k = logarithm(seed, first + i);
  const LazyAffine<P> g{LazyParams<P>::generator_x(), LazyParams<P>::generator_y()};
  LazyBucket<P> p = LazyBucket<P>::infinity();
  for (int bit = 63; bit >= 0; --bit) {
    p = p.doubled();
    if ((k >> bit & 1) != 0) p = p + g;
  }
  out[i] = p;
}

/// One inversion for each point: slow and plain.
template <CurveParams P>
__global__ void affine_kernel(const LazyBucket<P>* points, std::size_t n, Affine<P>* out) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const LazyAffine<P> p = points[i].to_affine();
  out[i] = Affine<P>{to_canonical(p.x), to_canonical(p.y)};
}

}  // namespace

template <class G>
void make_points(const Cuda& cuda, const CudaQueue& queue, std::uint64_t seed,
                 DeviceSpan<typename G::Affine> points) {
  using P = typename G::Params;
  const std::size_t chunk = std::min<std::size_t>(points.size(), std::size_t{1} << 20);
  auto scratch = cuda.template allocate<LazyBucket<P>>(chunk);
  for (std::size_t at = 0; at < points.size(); at += chunk) {
    const std::size_t n = std::min(chunk, points.size() - at);
    launch(queue, grid_for(n, 128), "test.points", points_kernel<P>, seed, at, n, scratch.data());
    launch(queue, grid_for(n, 128), "test.affine", affine_kernel<P>,
           static_cast<const LazyBucket<P>*>(scratch.data()), n, points.data() + at);
  }
  queue.wait();
}

template void make_points<Bls12_381::G1>(const Cuda&, const CudaQueue&, std::uint64_t,
                                         DeviceSpan<Bls12_381::G1::Affine>);
template void make_points<Bls12_381::G2>(const Cuda&, const CudaQueue&, std::uint64_t,
                                         DeviceSpan<Bls12_381::G2::Affine>);

}  // namespace zkgpu::gpu_test
