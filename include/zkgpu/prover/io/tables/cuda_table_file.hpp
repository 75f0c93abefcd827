// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include <zkgpu/backend/cuda.hpp>
#include <zkgpu/core/env.hpp>
#include <zkgpu/core/error.hpp>
#include <zkgpu/curve/curve.hpp>
#include <zkgpu/msm/cuda.hpp>
#include <zkgpu/prover/io/bytes/byte_sink.hpp>
#include <zkgpu/prover/io/bytes/byte_source.hpp>
#include <zkgpu/prover/io/tables/table_file.hpp>

namespace zkgpu::io {

/// Writes the multiples that a device has made of bases.
/// @throws IoError, ResourceExhausted; DeviceError
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

/// Bases on the device with the multiples of a file.
///
/// @param bases  of which it must be
/// @throws Malformed, IoError; ResourceExhausted if the table does not fit on the device;
///         DeviceError
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

/// Saves a table for read_cuda_msm_table, readable and writable by this user alone; complete or
/// not at all. @throws as write_cuda_msm_table
template <CurveGroup G, Env E>
void save_cuda_msm_table(E& env, const std::string& path, const Cuda& cuda, const CudaQueue& queue,
                         const CudaMsmBases<G>& bases) {
  AtomicFile<E> file(env, path, AtomicFile<E>::private_mode);
  write_cuda_msm_table(file, cuda, queue, bases);
  file.commit();
}

/// @throws as read_cuda_msm_table
template <CurveGroup G, Env E>
CudaMsmBases<G> load_cuda_msm_table(E& env, const std::string& path, const Cuda& cuda,
                                    const CudaQueue& queue,
                                    std::span<const typename G::Affine> bases) {
  FileSource<E> source(env, path);
  return read_cuda_msm_table<G>(source, cuda, queue, bases);
}

}  // namespace zkgpu::io
