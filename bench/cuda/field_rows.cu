// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "rows.hpp"

#include <cstdint>

#include <zkgpu/backend/launch.cuh>
#include <zkgpu/curve/bls12_381.hpp>
#include <zkgpu/field/loose_fp.hpp>
#include <zkgpu/msm/cuda/lazy_bucket.hpp>

namespace zkgpu::bench {

namespace {

using Fr = Bls12_381::Fr;
using Fq = Bls12_381::Fq;
using P1 = Bls12_381::G1::Params;
using P2 = Bls12_381::G2::Params;
using LazyFq = LazyFp<bls12_381::FqParams>;
constexpr int operations = 512;  // one after the other in a thread

struct FrProduct {
  static constexpr const char* name = "field/bls12_381_fr/cuda/product";
  using Value = LooseFp<bls12_381::FrParams>;
  __device__ static Value start(std::uint32_t i) {
    return Value(Fr::from_integer(Limbs<4>::from_uint64(i + 2)).montgomery());
  }
  __device__ static void step(Value& x) {
    x = x * Fr::from_montgomery(Limbs<4>{
                {0x123456789abcdef0, 0xfedcba9876543210, 0x0f1e2d3c4b5a6978, 0x123456789abcdef}});
  }
};
struct FqProduct {
  static constexpr const char* name = "field/bls12_381_fq/cuda/product";
  struct Value {
    LazyFq x, y;
  };
  __device__ static Value start(std::uint32_t i) {
    const LazyFq x(Fq::from_integer(Limbs<6>::from_uint64(i + 2)));
    return {x, x + x};
  }
  __device__ static void step(Value& v) { v.x = v.x * v.y; }
};
struct FqSquare {
  static constexpr const char* name = "field/bls12_381_fq/cuda/square";
  using Value = LazyFq;
  __device__ static Value start(std::uint32_t i) {
    return LazyFq(Fq::from_integer(Limbs<6>::from_uint64(i + 2)));
  }
  __device__ static void step(Value& x) { x = x.square(); }
};
struct Fq2Product {
  static constexpr const char* name = "field/bls12_381_fq2/cuda/product";
  struct Value {
    Fp2<LazyFq> x, y;
  };
  __device__ static Value start(std::uint32_t i) {
    const LazyFq x(Fq::from_integer(Limbs<6>::from_uint64(i + 2)));
    return {{x, x + x}, {x + x, x}};
  }
  __device__ static void step(Value& v) { v.x = v.x * v.y; }
};
struct Fq2ProductOfSums : Fq2Product {  // the other way, two sums of two products
  static constexpr const char* name = "field/bls12_381_fq2/cuda/product_of_sums";
  __device__ static void step(Value& v) {
    v.x = {LazyFq::difference_of_products(v.x.c0, v.y.c0, v.x.c1, v.y.c1),
           LazyFq::sum_of_products(v.x.c0, v.y.c1, v.x.c1, v.y.c0)};
  }
};
struct FqInverse {
  static constexpr const char* name = "field/bls12_381_fq/cuda/inverse";
  using Value = LazyFq;
  static constexpr int count = 16;
  __device__ static Value start(std::uint32_t i) {
    return LazyFq(Fq::from_integer(Limbs<6>::from_uint64(i + 2)));
  }
  __device__ static void step(Value& x) { x = x.inverse() + LazyFq::one(); }
};
template <class P>
struct MixedAddition {
  struct Value {
    LazyBucket<P> sum;
    LazyAffine<P> point;
  };
  __device__ static Value start(std::uint32_t i) {
    const LazyAffine<P> g{LazyParams<P>::generator_x(), LazyParams<P>::generator_y()};
    LazyBucket<P> sum = LazyBucket<P>::doubled(g);
    if (i % 2 == 1) sum = sum + g;
    return {sum, g};
  }
  __device__ static void step(Value& v) { accumulate(v.sum, v.point); }
};
struct G1MixedAddition : MixedAddition<P1> {
  static constexpr const char* name = "curve/bls12_381_g1/cuda/xyzz_mixed_addition";
};
struct G2MixedAddition : MixedAddition<P2> {
  static constexpr const char* name = "curve/bls12_381_g2/cuda/xyzz_mixed_addition";
};

template <class Operation, unsigned threads>
__global__ void __launch_bounds__(threads, 1)
    operation_kernel(typename Operation::Value* out, int count) {
  const std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  typename Operation::Value x = Operation::start(i);
#pragma unroll 1
  for (int k = 0; k < count; ++k) Operation::step(x);
  out[i] = x;  // or nothing would be computed
}

template <class Operation, unsigned threads>
void row_of(const Cuda& cuda, Report& report) {
  constexpr int count = [] {
    if constexpr (requires { Operation::count; })
      return Operation::count;
    else
      return operations;
  }();
  const CudaQueue queue = cuda.make_queue();
  const auto units = static_cast<unsigned>(cuda.properties().compute_units);
  Grid grid{dim3(units * 8), threads, 0};
  auto out = cuda.allocate<typename Operation::Value>(std::size_t{grid.blocks.x} * threads);
  Row row = measure(queue, std::string(Operation::name) + "/threads_" + std::to_string(threads), 21,
                    [&](const CudaQueue& q) {
                      launch(q, grid, "bench.operation", operation_kernel<Operation, threads>,
                             out.data(), count);
                    });
  const double rate = double(grid.blocks.x) * threads * count / row.median_ms * 1e3;
  row.counters = {{"operations_per_second", rate}};
  report.add(std::move(row));
}

}  // namespace

void field_rows(const Cuda& cuda, Report& report) {
  row_of<FrProduct, 512>(cuda, report);
  row_of<FqProduct, 512>(cuda, report);
  row_of<FqSquare, 512>(cuda, report);
  row_of<FqInverse, 512>(cuda, report);
  row_of<Fq2Product, 256>(cuda, report);
  row_of<Fq2Product, 512>(cuda, report);
  row_of<Fq2ProductOfSums, 256>(cuda, report);
  row_of<G1MixedAddition, 256>(cuda, report);
  row_of<G2MixedAddition, 256>(cuda, report);
}

}  // namespace zkgpu::bench
