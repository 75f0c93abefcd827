// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <zkgpu/prover/io/binary/point_cursor_impl.hpp>
#include <zkgpu/prover/io/binary/proof_file.hpp>

namespace zkgpu::io {

template <Curve C>
std::vector<Proof<C>> parse_proofs(std::span<const std::byte> bytes, const std::string& file) {
  if (bytes.empty() || bytes.size() % proof_bytes<C> != 0) {
    throw Malformed({file, "proof", bytes.size()},
                    "a binary proof has " + std::to_string(proof_bytes<C>) +
                        " bytes, or a multiple of it for several; here are " +
                        std::to_string(bytes.size()));
  }
  std::vector<Proof<C>> proofs(bytes.size() / proof_bytes<C>);
  for (std::size_t i = 0; i < proofs.size(); ++i) {
    const std::string name = proofs.size() == 1 ? "proof" : "proof " + std::to_string(i);
    Cursor at(bytes.subspan(i * proof_bytes<C>, proof_bytes<C>), file, name, i * proof_bytes<C>);
    proofs[i].a = detail::take_compressed<typename C::G1>(at, "A", /*infinity_allowed=*/false);
    proofs[i].b = detail::take_compressed<typename C::G2>(at, "B", false);
    proofs[i].c = detail::take_compressed<typename C::G1>(at, "C", false);
  }
  return proofs;
}

template <Curve C>
Proof<C> parse_proof(std::span<const std::byte> bytes, const std::string& file) {
  if (bytes.size() != proof_bytes<C>) {
    throw Malformed({file, "proof", bytes.size()},
                    "a binary proof has " + std::to_string(proof_bytes<C>) + " bytes, here are " +
                        std::to_string(bytes.size()));
  }
  return parse_proofs<C>(bytes, file).front();
}

template <Curve C>
void write_proof(ByteSink& sink, const Proof<C>& proof) {
  sink.write(encode_compressed(proof.a));
  sink.write(encode_compressed(proof.b));
  sink.write(encode_compressed(proof.c));
}

}  // namespace zkgpu::io
