// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "cli/program.hpp"
#include "shared.hpp"

/// Seals of the reference, as files for the program.
namespace zkgpu::test {

/// The first word of each line, and the rest.
inline std::map<std::string, std::string> lines_of(const std::string& text) {
  std::map<std::string, std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    const std::size_t space = line.find(' ');
    if (line[0] != '#') lines[line.substr(0, space)] = line.substr(space + 1);
  }
  return lines;
}

inline std::string golden(const std::string& name) {
  return read_text(shared_dir() / "golden/reference" / name);
}

inline std::string bytes_of_hex(const std::string& hex) {
  std::string bytes;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2) {
    bytes += static_cast<char>(std::stoi(hex.substr(i, 2), nullptr, 16));
  }
  return bytes;
}

/// The reference's seal A with its proof and the key that it was made with.
class SealA : public TemporaryFolder {
 public:
  SealA() {
    const auto seal = lines_of(golden("seal/A.txt"));
    claim = {{"registered_proof", seal.at("registered-proof")},
             {"prover_id", "e807" + std::string(60, '0')},
             {"sector_number", 1},
             {"ticket", repeated("01")},
             {"seed", repeated("02")},
             {"comm_d", seal.at("comm-d")},
             {"comm_r", seal.at("comm-r")}};
    proof = bytes_of_hex(lines_of(golden("groth16/c2.txt")).at("A.proof"));
    vk = (shared_dir() / "golden/reference/groth16/porep-2KiB.vk").string();
  }
  static std::string repeated(const std::string& byte) {
    std::string text;
    for (int i = 0; i < 32; ++i) text += byte;
    return text;
  }
  /// `porep VERB more... --statement --proof --vk` with what the members say now.
  Outcome run_verb(const std::string& verb, const std::vector<std::string>& more) const {
    const TemporaryFolder& at = *this;
    write_text(at / "claim.json", claim.dump());
    write_text(at / "proof.bin", proof);
    std::vector<std::string> arguments{"porep", verb};
    arguments.insert(arguments.end(), more.begin(), more.end());
    for (const auto& [option, value] :
         {std::pair<std::string, std::string>{"--statement", at / "claim.json"},
          {"--proof", at / "proof.bin"},
          {"--vk", vk}}) {
      arguments.push_back(option);
      arguments.push_back(value);
    }
    return run(arguments);
  }
  Outcome verify(const std::vector<std::string>& more = {}) const {
    return run_verb("verify", more);
  }
  nlohmann::json claim;
  std::string proof, vk;
};

}  // namespace zkgpu::test
