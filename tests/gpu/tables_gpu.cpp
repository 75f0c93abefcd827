// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <cstddef>
#include <vector>

#include <catch2/catch.hpp>

#include <zkgpu/backend/cuda.hpp>
#include <zkgpu/curve/bls12_381.hpp>
#include <zkgpu/prover/io/bytes/byte_sink.hpp>
#include <zkgpu/prover/io/bytes/byte_source.hpp>
#include <zkgpu/prover/io/tables/cuda_table_file.hpp>

#include "points.hpp"

namespace {

using namespace zkgpu;
using namespace zkgpu::gpu_test;

template <class G>
void check_saved(std::size_t n, unsigned window_bits, unsigned tables) {
  using Affine = typename G::Affine;
  const Cuda cuda(0);
  const CudaQueue queue = cuda.make_queue();
  auto made = cuda.allocate<Affine>(n);
  make_points<G>(cuda, queue, 6, made.span());
  std::vector<Affine> points(n);
  queue.download(DeviceSpan<const Affine>(made.span()), std::span<Affine>(points));
  queue.wait();
  const auto plan =
      plan_cuda_msm_with(Msm<G, Cuda>::shape(), n, window_bits, tables, cuda.properties());
  io::MemorySink sink;
  {
    const CudaMsmBases<G> bases(cuda, queue, plan, made.span());
    io::write_cuda_msm_table(sink, cuda, queue, bases);
  }
  auto bytes = sink.take();
  io::SpanSource source(bytes, "table");
  const auto bases = io::read_cuda_msm_table<G>(source, cuda, queue, points);
  CHECK(bases.plan() == plan);
  const auto scalars = make_scalars(Scalars::uniform, n, 12);
  auto integers = cuda.allocate<Bls12_381::Fr::Integer>(n);
  auto workspace = cuda.allocate<std::byte>(plan.workspace_bytes());
  auto result = cuda.allocate<typename G::Jacobian>(1);
  queue.upload(std::span<const Bls12_381::Fr::Integer>(scalars), integers.span());
  Msm<G, Cuda>::enqueue(queue, plan, integers.span(), bases, workspace.span(), result.span());
  typename G::Jacobian sum;
  queue.download(DeviceSpan<const typename G::Jacobian>(result.span()),
                 std::span<typename G::Jacobian>(&sum, 1));
  queue.wait();
  CHECK(sum == scalar_mul_double_and_add(G::Jacobian::from_affine(G::generator()),
                                         combined_logarithm(scalars, 6).to_integer()));
  bytes[bytes.size() / 2] ^= std::byte{1};
  CHECK_THROWS_AS(io::read_cuda_msm_table<G>(source, cuda, queue, points), Malformed);
}

}  // namespace

TEST_CASE("multiples that were saved and loaded give the sum", "[gpu][msm][io][g1][g2]") {
  check_saved<Bls12_381::G1>(1000, 10, 1000);
  check_saved<Bls12_381::G1>(300001, 12, 4);  // more than one piece
  check_saved<Bls12_381::G2>(500, 8, 3);
}
