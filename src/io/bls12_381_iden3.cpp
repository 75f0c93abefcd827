// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <zkgpu/prover/io/iden3/r1cs_file_impl.hpp>
#include <zkgpu/prover/io/iden3/wtns_file_impl.hpp>

namespace zkgpu::io {

template R1csFile<Bls12_381::Fr> read_r1cs(ByteSource&);
template void write_r1cs(ByteSink&, const R1csFile<Bls12_381::Fr>&);
template Witness<Bls12_381::Fr> read_wtns(ByteSource&);
template void write_wtns(ByteSink&, const Witness<Bls12_381::Fr>&);

}  // namespace zkgpu::io
