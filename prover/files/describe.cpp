// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "files/describe.hpp"

#include <algorithm>
#include <cstddef>
#include <span>
#include <string_view>
#include <utility>
#include <variant>

#include <zkgpu/prover/io/binary/proof_file.hpp>
#include <zkgpu/prover/io/bytes/byte_source.hpp>
#include <zkgpu/prover/io/json/groth16_json.hpp>
#include <zkgpu/prover/io/json/json_value.hpp>

#include "files/circuits.hpp"

namespace zkgpu::cli {

namespace {

constexpr const char* curve_name = "bls12381";

std::string hex(std::span<const std::byte> bytes) {
  std::string text;
  for (const std::byte b : bytes) {
    text += "0123456789abcdef"[std::to_integer<unsigned>(b) >> 4];
    text += "0123456789abcdef"[std::to_integer<unsigned>(b) & 15];
  }
  return text;
}

/// "1023 (36 at infinity)" would be one value: two are easier to read for a machine.
template <class Points>
Json count_points(const Points& points) {
  const auto infinities =
      std::count_if(points.begin(), points.end(), [](const auto& p) { return p.is_infinity(); });
  Json counts{{"points", points.size()}};
  if (infinities != 0) counts["at_infinity"] = infinities;
  return counts;
}

/// Whoever wrote the file wrote this too, and could have written anything.
constexpr const char* unverified = "none: contributions are listed as the file tells, not verified";

Json describe_ceremony(const io::ZkeyCeremony& ceremony) {
  Json list = Json::array();
  for (const io::ZkeyContribution& contribution : ceremony.contributions) {
    Json entry{{"type", contribution.type == 1 ? "beacon" : "person"}};
    if (!contribution.name.empty()) entry["name"] = contribution.name;
    if (contribution.type == 1) {
      entry["log_iterations"] = contribution.log_iterations;
      entry["beacon"] = hex(contribution.beacon);
    }
    entry["transcript"] = hex(contribution.transcript);
    list.push_back(std::move(entry));
  }
  return {{"circuit_hash", hex(ceremony.circuit_hash)},
          {"verification", unverified},
          {"contributions", std::move(list)}};
}

Json describe_ceremony(const io::ParamsCeremony& ceremony) {
  return {{"circuit_hash", hex(ceremony.circuit_hash)},
          {"verification", unverified},
          {"number_of_contributions", ceremony.contributions}};
}

Json describe_proving_key(const LoadedProvingKey& loaded, const std::string& insecure) {
  const ProvingKey<Curve>& key = loaded.key;
  Json facts{{"protocol", "groth16"}, {"curve", curve_name}, {"public_values", key.num_public()}};
  facts["secure"] = insecure.empty();
  if (!insecure.empty()) facts["reason"] = insecure;
  if (key.num_wires != 0) facts["wires"] = key.num_wires;  // .params: only its circuit knows
  facts["domain"] = key.domain_size();
  facts["h_basis"] = key.h_basis == HBasis::tau_powers ? "powers of tau" : "Lagrange, odd coset";
  facts["layout"] =
      key.layout == QueryLayout::filtered ? "points at infinity left out" : "one point a wire";
  if (key.has_matrices()) {
    facts["coefficients"] = {{"a", key.a_matrix.entries()}, {"b", key.b_matrix.entries()}};
  }
  facts["queries"] = {{"ic", count_points(key.vk.ic)},  {"a", count_points(key.a)},
                      {"b_g1", count_points(key.b_g1)}, {"b_g2", count_points(key.b_g2)},
                      {"l", count_points(key.l)},       {"h", count_points(key.h)}};
  facts["sha256"] = io::to_hex(loaded.report.digest);
  facts["points_checked"] = loaded.report.was_listed ? "before, and listed" : "now";
  std::visit(
      [&](const auto& ceremony) {
        if (ceremony.present) facts["ceremony"] = describe_ceremony(ceremony);
      },
      loaded.ceremony);
  return facts;
}

/// Runs `load` with the options; a key that is refused as insecure is loaded once more without the
/// rule, and the reason kept.
template <class Load>
auto load_and_judge(KeyOptions options, std::string& insecure, const Load& load) {
  options.allow_insecure_key = false;
  try {
    return load(options);
  } catch (const InsecureKey& error) {
    insecure = error.what();
    options.allow_insecure_key = true;
  }
  return load(options);
}

Description describe_proving_file(Session& session, const std::string& path,
                                  const KeyOptions& options) {
  std::string insecure;
  const LoadedProvingKey loaded = load_and_judge(options, insecure, [&](const KeyOptions& how) {
    return load_proving_key(session, path, how);
  });
  return {std::string(to_string(loaded.kind)), describe_proving_key(loaded, insecure)};
}

Description describe_verifying_file(Session& session, const std::string& path,
                                    const KeyOptions& options) {
  std::string insecure;
  const LoadedVerifyingKey loaded = load_and_judge(options, insecure, [&](const KeyOptions& how) {
    return load_verifying_key(session, path, how);
  });
  Json facts{{"protocol", "groth16"}, {"curve", curve_name}};
  facts["public_values"] = loaded.key.num_public();
  facts["secure"] = insecure.empty();
  if (!insecure.empty()) facts["reason"] = insecure;
  const std::string kind = loaded.kind == FileKind::json ? "a verifying key (JSON)"
                                                         : std::string(to_string(loaded.kind));
  return {kind, std::move(facts)};
}

Description describe_r1cs(Session& session, const std::string& path) {
  const io::R1csFile<Curve::Fr> file = load_r1cs(session, path);
  Json facts{{"curve", curve_name},
             {"constraints", file.system.num_constraints()},
             {"wires", file.system.num_wires},
             {"public_outputs", file.num_outputs},
             {"public_inputs", file.num_public_inputs},
             {"private_inputs", file.num_private_inputs},
             {"labels", file.num_labels}};
  facts["coefficients"] = {{"a", file.system.a.entries()},
                           {"b", file.system.b.entries()},
                           {"c", file.system.c.entries()}};
  return {std::string(to_string(FileKind::r1cs)), std::move(facts)};
}

Description describe_json(Session& session, const std::string& path, const KeyOptions& options) {
  const auto bytes = io::read_file(session.env(), path, io::max_json_bytes);
  const io::JsonValue value = io::parse_json(bytes, path);
  if (value.kind == io::JsonKind::array) {
    const auto values = io::parse_public_json<Curve>(bytes, path);
    return {"public values (JSON)", {{"curve", curve_name}, {"values", values.size()}}};
  }
  if (value.find("pi_a") != nullptr) {
    static_cast<void>(io::parse_proof_json<Curve>(bytes, path));
    return {"a proof (JSON)", {{"protocol", "groth16"}, {"curve", curve_name}}};
  }
  return describe_verifying_file(session, path, options);
}

Description describe_binary_proofs(Session& session, const std::string& path) {
  constexpr std::uint64_t limit = std::uint64_t{1} << 24;
  const auto bytes = io::read_file(session.env(), path, limit);
  const auto proofs = io::parse_proofs<Curve>(bytes, path);
  return {std::string(to_string(FileKind::proof_binary)),
          {{"protocol", "groth16"}, {"curve", curve_name}, {"proofs", proofs.size()}}};
}

}  // namespace

Description describe_file(Session& session, const std::string& path, const KeyOptions& options) {
  FileKind kind = FileKind::unknown;
  {
    io::FileSource<CommandEnv> source(session.env(), path);
    kind = kind_of(source);
  }
  switch (kind) {
    case FileKind::zkey:
    case FileKind::bellman_params: return describe_proving_file(session, path, options);
    case FileKind::r1cs: return describe_r1cs(session, path);
    case FileKind::wtns:
      return {std::string(to_string(kind)),
              {{"curve", curve_name}, {"values", load_witness(session, path).size()}}};
    case FileKind::json: return describe_json(session, path, options);
    case FileKind::proof_binary: return describe_binary_proofs(session, path);
    case FileKind::bellman_vk:
    case FileKind::gnark_vk:
    case FileKind::waves_vk: return describe_verifying_file(session, path, options);
    case FileKind::ptau:
      throw Malformed({path, "", 0}, "powers of tau (.ptau) are recognised but not read");
    case FileKind::decoded_key:
      throw Malformed({path, "", 0}, "a decoded key, which --key-cache uses and nothing else");
    case FileKind::unknown: break;
  }
  throw Malformed({path, "", 0}, "no file of a kind that zkgpu knows");
}

}  // namespace zkgpu::cli
