// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "files/proofs.hpp"

#include <cstdint>

#include <zkgpu/prover/io/binary/proof_file.hpp>
#include <zkgpu/prover/io/json/groth16_json.hpp>
#include <zkgpu/prover/io/json/json_value.hpp>

namespace zkgpu::cli {

namespace {

constexpr std::uint64_t max_proof_bytes = std::uint64_t{1} << 20;  // a JSON proof has about 1.2 KB

}  // namespace

ProofForm proof_form_of(const std::string& path) {
  const std::string extension = extension_of(path);
  return extension == "bin" || extension == "proof" ? ProofForm::binary : ProofForm::json;
}

Proof<Curve> load_proof(Session& session, const std::string& path) {
  io::FileSource<CommandEnv> source(session.env(), path);
  const std::string extension = extension_of(path);
  const bool binary =
      extension == "bin" || (extension != "json" && kind_of(source) != FileKind::json);
  constexpr std::uint64_t one = io::proof_bytes<Curve>;
  if (binary && source.size() > one && kind_of(source) == FileKind::proof_binary) {
    throw Malformed({path, "proof", one}, std::to_string(source.size() / one) + " proofs of " +
                                              std::to_string(one) + " bytes, one is expected");
  }
  const auto bytes = io::read_all(source, max_proof_bytes);
  return binary ? io::parse_proof<Curve>(bytes, path) : io::parse_proof_json<Curve>(bytes, path);
}

std::string format_proof(const Proof<Curve>& proof, ProofForm form) {
  if (form == ProofForm::json) return io::proof_json<Curve>(proof);
  io::MemorySink sink;
  io::write_proof<Curve>(sink, proof);
  return {reinterpret_cast<const char*>(sink.bytes().data()), sink.bytes().size()};
}

std::vector<Curve::Fr::Integer> load_public(Session& session, const std::string& path) {
  const auto bytes = io::read_file(session.env(), path, io::max_json_bytes);
  return io::parse_public_json<Curve>(bytes, path);
}

}  // namespace zkgpu::cli
