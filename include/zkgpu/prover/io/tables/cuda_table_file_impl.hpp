// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include <zkgpu/core/error.hpp>
#include <zkgpu/prover/io/tables/cuda_table_file.hpp>
#include <zkgpu/prover/io/tables/table_file_impl.hpp>

namespace zkgpu::io {

template <CurveGroup G>
void write_cuda_msm_table(ByteSink& sink, const Cuda& cuda, const CudaQueue& queue,
                          const CudaMsmBases<G>& bases) {
  using Affine = typename G::Affine;
  const CudaMsmPlan& plan = bases.plan();
  MsmTableHeader header;
  header.group = MsmTableGroup<G>::number;
  header.point_bytes = sizeof(Affine);
  header.n = plan.n;
  header.window_bits = plan.window_bits;
  header.tables = plan.tables;
  header.groups = plan.groups;
  const auto buffer = cuda.template allocate_pinned<Affine>(msm_table_piece<G>);
  write_msm_table<G>(sink, header, buffer.span(),
                     [&](std::uint64_t first, std::span<Affine> piece) {
                       queue.download(bases.table().subspan(first, piece.size()), piece);
                       queue.wait();
                     });
}

template <CurveGroup G>
CudaMsmBases<G> read_cuda_msm_table(ByteSource& source, const Cuda& cuda, const CudaQueue& queue,
                                    std::span<const typename G::Affine> bases) {
  using Affine = typename G::Affine;
  const MsmTableHeader header = read_msm_table_header<G>(source);
  const CudaMsmPlan plan =
      plan_cuda_msm_with(Msm<G, Cuda>::shape(), static_cast<std::size_t>(header.n),
                         header.window_bits, header.tables, cuda.properties());
  if (plan.tables != header.tables || plan.groups != header.groups) {
    throw Malformed({source.name(), "header", 36},
                    std::to_string(header.tables) + " tables of " + std::to_string(header.groups) +
                        " groups are not what windows of " + std::to_string(header.window_bits) +
                        " bits need");
  }
  CudaMsmBases<G> made(cuda, plan);
  const auto buffer = cuda.template allocate_pinned<Affine>(msm_table_piece<G>);
  read_msm_table<G>(source, header, bases, buffer.span(),
                    [&](std::uint64_t first, std::span<const Affine> piece) {
                      made.set(queue, first, piece);
                      queue.wait();  // the buffer is read
                    });
  made.complete(queue);
  return made;
}

}  // namespace zkgpu::io
