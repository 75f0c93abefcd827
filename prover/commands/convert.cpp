// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <string>
#include <utility>
#include <variant>

#include <zkgpu/prover/io/bytes/byte_source.hpp>
#include <zkgpu/prover/io/json/groth16_json.hpp>
#include <zkgpu/prover/io/json/json_value.hpp>

#include "commands/commands.hpp"
#include "files/circuits.hpp"
#include "files/proofs.hpp"
#include "files/verifying_key_text.hpp"
#include "session/outputs.hpp"

namespace zkgpu::cli {

namespace {

/// What is written, in words: for the result and for refusals.
struct Converted {
  std::string what;
};

[[noreturn]] void refuse(const ConvertOptions& options, std::string_view what, const char* why) {
  throw InvalidArgument(options.in + " is " + std::string(what) + ", which cannot become '" +
                        options.out + "': " + why);
}

void write_text(Session& session, const std::string& path, std::string_view text) {
  OutputGroup files(session.env());
  files.add(path).write(io::bytes_of(text));
  files.commit();
}

bool wants_verifying_key(const std::string& path) {
  const std::string extension = extension_of(path);
  return extension == "json" || extension == "vk";
}

Converted convert_verifying_key(Session& session, const ConvertOptions& options) {
  if (!wants_verifying_key(options.out)) {
    refuse(options, "a key", "a verifying key is written as .json or .vk");
  }
  const LoadedVerifyingKey vk = load_verifying_key(session, options.in, options.keys);
  write_text(session, options.out,
             format_verifying_key(vk, verifying_key_form_of(options.out), options.in));
  return {"verifying key"};
}

/// A proving key stays in its format, or gives its verifying key.
Converted convert_proving_key(Session& session, const ConvertOptions& options, FileKind kind) {
  const std::string extension = extension_of(options.out);
  const bool zkey = kind == FileKind::zkey;
  if (wants_verifying_key(options.out)) return convert_verifying_key(session, options);
  if (extension != (zkey ? "zkey" : "params")) {
    refuse(
        options, to_string(kind),
        "it can become its own format, .json or .vk; .zkey and .params hold h in different bases");
  }
  const LoadedProvingKey loaded = load_proving_key(session, options.in, options.keys);
  OutputGroup files(session.env());
  io::ByteSink& sink = files.add(options.out);
  if (zkey) {
    io::write_zkey<Curve>(sink, loaded.key, std::get<io::ZkeyCeremony>(loaded.ceremony));
  } else {
    io::write_params<Curve>(sink, loaded.key, std::get<io::ParamsCeremony>(loaded.ceremony));
  }
  files.commit();
  return {"proving key"};
}

Converted convert_proof(Session& session, const ConvertOptions& options) {
  const std::string extension = extension_of(options.out);
  if (extension != "json" && extension != "bin" && extension != "proof") {
    refuse(options, "a proof", "a proof is written as .json, .bin or .proof");
  }
  const Proof<Curve> proof = load_proof(session, options.in);
  write_text(session, options.out, format_proof(proof, proof_form_of(options.out)));
  return {"proof"};
}

Converted convert_json(Session& session, const ConvertOptions& options) {
  const auto bytes = io::read_file(session.env(), options.in, io::max_json_bytes);
  const io::JsonValue value = io::parse_json(bytes, options.in);
  if (value.find("pi_a") != nullptr) return convert_proof(session, options);
  if (value.kind != io::JsonKind::array) return convert_verifying_key(session, options);
  if (extension_of(options.out) != "json") {
    refuse(options, "a list of public values", "it is written as .json");
  }
  const auto values = io::parse_public_json<Curve>(bytes, options.in);
  write_text(session, options.out, io::public_json<Curve>(values));
  return {"public values"};
}

Converted rewrite_r1cs(Session& session, const ConvertOptions& options) {
  if (extension_of(options.out) != "r1cs") {
    refuse(options, "a constraint system", "it is written as .r1cs");
  }
  const auto file = load_r1cs(session, options.in);
  OutputGroup files(session.env());
  io::write_r1cs(files.add(options.out), file);
  files.commit();
  return {"constraint system"};
}

Converted rewrite_wtns(Session& session, const ConvertOptions& options) {
  if (extension_of(options.out) != "wtns") refuse(options, "a witness", "it is written as .wtns");
  const auto witness = load_witness(session, options.in);
  OutputGroup files(session.env());
  io::write_wtns(files.add(options.out, OutputGroup::File::private_mode), witness);
  files.commit();
  return {"witness"};
}

Converted convert_file(Session& session, const ConvertOptions& options) {
  FileKind kind = FileKind::unknown;
  {
    io::FileSource<CommandEnv> source(session.env(), options.in);
    kind = kind_of(source);
  }
  switch (kind) {
    case FileKind::zkey:
    case FileKind::bellman_params: return convert_proving_key(session, options, kind);
    case FileKind::bellman_vk:
    case FileKind::gnark_vk:
    case FileKind::waves_vk: return convert_verifying_key(session, options);
    case FileKind::proof_binary: return convert_proof(session, options);
    case FileKind::json: return convert_json(session, options);
    case FileKind::r1cs: return rewrite_r1cs(session, options);
    case FileKind::wtns: return rewrite_wtns(session, options);
    case FileKind::ptau:
    case FileKind::decoded_key:
    case FileKind::unknown: break;
  }
  throw Malformed({options.in, "", 0}, "no file of a kind that zkgpu converts");
}

}  // namespace

int convert(Session& session, const ConvertOptions& options) {
  announce(session, options.keys);
  const std::string outputs[] = {options.out};
  const std::string inputs[] = {options.in};
  expect_outputs(session.env(), outputs, inputs);
  const Converted converted = convert_file(session, options);
  session.finish(
      "",
      {{"command", "convert"}, {"in", options.in}, {"out", options.out}, {"what", converted.what}});
  return exit_success;
}

}  // namespace zkgpu::cli
