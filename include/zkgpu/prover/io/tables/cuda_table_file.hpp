// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <span>

#include <zkgpu/backend/cuda.hpp>
#include <zkgpu/curve/bls12_381.hpp>
#include <zkgpu/curve/curve.hpp>
#include <zkgpu/msm/cuda.hpp>

/// Files of the multiples that a device has made of bases; table_file.hpp has their form.
namespace zkgpu::io {

class ByteSink;    // bytes/byte_sink.hpp
class ByteSource;  // bytes/byte_source.hpp

/// Writes the multiples that a device has made. For a file: an AtomicFile of mode private_mode, and
/// its commit.
/// @throws IoError, ResourceExhausted; DeviceError
template <CurveGroup G>
void write_cuda_msm_table(ByteSink& sink, const Cuda& cuda, const CudaQueue& queue,
                          const CudaMsmBases<G>& bases);

/// Bases on the device with the multiples of a file.
///
/// @param bases  of which it must be
/// @throws Malformed, IoError; ResourceExhausted if the table does not fit on the device;
///         DeviceError
template <CurveGroup G>
CudaMsmBases<G> read_cuda_msm_table(ByteSource& source, const Cuda& cuda, const CudaQueue& queue,
                                    std::span<const typename G::Affine> bases);

extern template void write_cuda_msm_table(ByteSink&, const Cuda&, const CudaQueue&,
                                          const CudaMsmBases<Bls12_381::G1>&);
extern template void write_cuda_msm_table(ByteSink&, const Cuda&, const CudaQueue&,
                                          const CudaMsmBases<Bls12_381::G2>&);
extern template CudaMsmBases<Bls12_381::G1> read_cuda_msm_table<Bls12_381::G1>(
    ByteSource&, const Cuda&, const CudaQueue&, std::span<const Bls12_381::G1::Affine>);
extern template CudaMsmBases<Bls12_381::G2> read_cuda_msm_table<Bls12_381::G2>(
    ByteSource&, const Cuda&, const CudaQueue&, std::span<const Bls12_381::G2::Affine>);

}  // namespace zkgpu::io
