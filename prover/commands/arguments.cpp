// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "commands/arguments.hpp"

#include <algorithm>
#include <array>
#include <string>

#include <zkgpu/core/error.hpp>
#include <zkgpu/prover/io/bytes/byte_source.hpp>

#include "files/kind.hpp"

namespace zkgpu::cli {

namespace {

constexpr Content operator|(Content a, Content b) {
  return Content(static_cast<std::uint8_t>(a) | static_cast<std::uint8_t>(b));
}
constexpr bool overlap(Content a, Content b) {
  return (static_cast<std::uint8_t>(a) & static_cast<std::uint8_t>(b)) != 0;
}

/// What a file looks like, and all that it may therefore be.
struct Look {
  Content content = Content::none;
  std::string_view text;
};

/// By the first key that tells: our readers refuse a file that has keys of two kinds.
Look look_at_json(io::ByteSource& source) {
  std::array<std::byte, 4096> start{};
  const auto size = static_cast<std::size_t>(std::min<std::uint64_t>(source.size(), start.size()));
  source.read(0, std::span(start).first(size));
  const std::string_view text(reinterpret_cast<const char*>(start.data()), size);
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first != text.npos && text[first] == '[') {
    return {Content::public_values, "public values (JSON)"};
  }
  const std::size_t proof = std::min(text.find("\"pi_a\""), text.find("\"pi_b\""));
  const std::size_t key = std::min(text.find("\"vk_alpha_1\""), text.find("\"vk_beta_2\""));
  if (proof < key) return {Content::proof, "a proof (JSON)"};
  if (key < proof) return {Content::verifying_key, "a verifying key (JSON)"};
  return {Content::verifying_key | Content::public_values | Content::proof, "JSON"};
}

Look look_at(CommandEnv& env, const std::string& path) {
  io::FileSource<CommandEnv> source(env, path);
  const FileKind kind = kind_of(source);
  const auto as = [&](Content content) { return Look{content, to_string(kind)}; };
  switch (kind) {
    case FileKind::zkey:
    case FileKind::bellman_params: return as(Content::any_key);
    case FileKind::r1cs: return as(Content::constraints);
    case FileKind::wtns: return as(Content::witness);
    case FileKind::ptau:
    case FileKind::decoded_key: return as(Content::none);
    case FileKind::json: return look_at_json(source);
    case FileKind::proof_binary: return as(Content::proof);
    case FileKind::bellman_vk:
    case FileKind::gnark_vk:
    case FileKind::waves_vk: return as(Content::verifying_key);
    case FileKind::unknown: break;
  }
  return {};
}

std::string_view to_string(Content content) {
  switch (content) {
    case Content::proving_key: return "a proving key";
    case Content::verifying_key: return "a verifying key";
    case Content::any_key: return "a key";
    case Content::constraints: return "a constraint system (.r1cs)";
    case Content::witness: return "a witness (.wtns)";
    case Content::public_values: return "public values (JSON)";
    case Content::proof: return "a proof";
    case Content::none: break;
  }
  return "nothing";
}

}  // namespace

void expect_kinds(CommandEnv& env, std::span<const InputArgument> inputs, std::string_view usage) {
  std::string wrong;
  for (const InputArgument& input : inputs) {
    const Look look = look_at(env, input.path);
    if (look.text.empty() || overlap(look.content, input.wanted)) continue;
    wrong += std::string(input.name) + " '" + input.path + "' looks like " +
             std::string(look.text) + ", not like " + std::string(to_string(input.wanted)) + "; ";
  }
  if (!wrong.empty()) throw InvalidArgument(wrong + "the order is: " + std::string(usage));
}

void expect_same_count(const FileCount& a, const FileCount& b) {
  if (a.count == b.count) return;
  const auto words = [](const FileCount& file) {
    return file.path + " has " + std::to_string(file.count) + " " + std::string(file.what);
  };
  throw InvalidArgument(words(a) + ", but " + words(b) + ": they belong to different circuits");
}

}  // namespace zkgpu::cli
