// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <zkgpu/prover/io/iden3/zkey_file_impl.hpp>
#include <zkgpu/prover/io/iden3/zkey_write_impl.hpp>

namespace zkgpu::io {

template ZkeyFile<Bls12_381> read_zkey(ByteSource&, const KeyReading&);
template void write_zkey(ByteSink&, const ProvingKey<Bls12_381>&, const ZkeyCeremony&);

}  // namespace zkgpu::io
