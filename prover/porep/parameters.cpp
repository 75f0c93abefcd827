// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "porep/parameters.hpp"

#include <cstdlib>

#include <zkgpu/prover/io/bytes/byte_sink.hpp>
#include <zkgpu/prover/io/bytes/byte_source.hpp>

namespace zkgpu::cli {

std::string parameter_path(CommandEnv& env, const std::string& option,
                           const porep::CircuitName& circuit, porep::ParameterFile file) {
  std::string folder = option;
  if (folder.empty()) {
    const char* const set = std::getenv(std::string(porep::parameter_folder_variable).c_str());
    folder = set != nullptr && set[0] != '\0' ? set : porep::default_parameter_folder;
  } else {
    FileStatus status;
    if (env.status_of_path(folder.c_str(), status).failed() || !status.directory) return option;
  }
  return folder + "/" + porep::file_name(circuit, file);
}

std::string tell_provenance(Session& session, const std::string& path,
                            const io::FullVerifyingKey<Curve>& vk,
                            const porep::CircuitName& circuit, bool required) {
  io::MemorySink bytes;
  io::write_bellman_vk<Curve>(bytes, vk);
  const porep::Provenance whose =
      porep::provenance(circuit, porep::ParameterFile::vk, porep::parameters_digest(bytes.bytes()));
  if (required) expect_official(whose, path);
  if (whose.owner == porep::Provenance::Owner::other_circuit) {
    session.warn(path + ": a verifying key of another circuit: " + whose.text());
  }
  session.say(path + ": the verifying key: " + whose.text());
  return whose.text();
}

void expect_official_file(Session& session, const std::string& path,
                          const porep::CircuitName& circuit) {
  io::FileSource<CommandEnv> source(session.env(), path);
  const std::string digest = session.timed("digest of the parameters", [&] {
    return porep::parameters_digest(source, &session.progress());
  });
  expect_official(porep::provenance(circuit, porep::ParameterFile::params, digest), path);
}

SealVerifyingKey load_seal_key(Session& session, const std::string& option,
                               const porep::RegisteredProof& proof, bool official,
                               const KeyOptions& keys) {
  const porep::CircuitName circuit{porep::CircuitName::Kind::porep, proof.sector_name};
  const std::string path = parameter_path(session.env(), option, circuit, porep::ParameterFile::vk);
  SealVerifyingKey key{load_verifying_key(session, path, keys),
                       "unknown: the file has no beta and delta in G1"};
  if (key.vk.full) {
    key.whose = tell_provenance(session, path, *key.vk.full, circuit, official);
  } else if (official) {
    throw InvalidArgument(path + ": whose key it is can be told of .vk and .params only");
  }
  const porep::SectorShape& shape = porep::shape_of_name(proof.sector_name);
  if (key.vk.key.num_public() != shape.public_inputs()) {
    throw InvalidArgument(path + ": a key for " + std::to_string(key.vk.key.num_public()) +
                          " public values; a partition of " + std::string(shape.name) + " has " +
                          std::to_string(shape.public_inputs()));
  }
  return key;
}

void expect_same_key(const std::string& path, const VerifyingKey<Curve>& key,
                     const std::string& other_path, const VerifyingKey<Curve>& other) {
  const char* what = nullptr;
  if (!(key.ic == other.ic)) what = "ic";
  if (!(key.delta_g2 == other.delta_g2)) what = "delta";
  if (!(key.gamma_g2 == other.gamma_g2)) what = "gamma";
  if (!(key.beta_g2 == other.beta_g2)) what = "beta";
  if (!(key.alpha_g1 == other.alpha_g1)) what = "alpha";
  if (what == nullptr) return;
  throw InvalidArgument(path + " and " + other_path + " do not belong together: their " + what +
                        " differs");
}

}  // namespace zkgpu::cli
