// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <catch2/catch.hpp>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include <zkgpu/core/env.hpp>
#include <zkgpu/prover/io/bytes/byte_source.hpp>
#include <zkgpu/prover/io/bytes/digest.hpp>
#include <zkgpu/prover/porep/parameters/official.hpp>

#include "cli/program.hpp"
#include "shared.hpp"

using namespace zkgpu::test;
namespace fs = std::filesystem;
namespace io = zkgpu::io;

namespace {

/// What stands behind a name in a file of the reference.
std::string golden(const std::string& file, const std::string& name) {
  std::istringstream in(read_text(shared_dir() / "golden/reference" / file));
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with(name + " ")) return line.substr(name.size() + 1);
  }
  throw std::runtime_error(file + ": no " + name);
}

std::string hex_of(const std::string& bytes) {
  std::string text;
  for (const char byte : bytes) {
    text += "0123456789abcdef"[static_cast<unsigned char>(byte) >> 4];
    text += "0123456789abcdef"[byte & 15];
  }
  return text;
}

/// The data of the reference's seal B, 2032 bytes.
std::string data_of_b() {
  std::string data;
  for (unsigned i = 0; i < 2032; ++i) data += static_cast<char>(i * i + 3 * i + 7);
  return data;
}

/// SHA-256 of a file of a gigabyte, a piece at a time.
std::string sha256_of(const std::string& path) {
  zkgpu::RealEnv env;
  io::FileSource<zkgpu::RealEnv> source(env, path);
  io::DigestStream digest;
  std::vector<std::byte> piece(1 << 20);
  for (std::uint64_t at = 0; at < source.size(); at += piece.size()) {
    const auto n = std::min<std::uint64_t>(piece.size(), source.size() - at);
    source.read(at, std::span(piece).first(static_cast<std::size_t>(n)));
    digest.update(std::span<const std::byte>(piece).first(static_cast<std::size_t>(n)));
  }
  return to_hex(digest.finish());
}

RunOptions long_run() {
  RunOptions options;
  options.minutes = 30;
  return options;
}

}  // namespace

// About 4 GiB of memory, 1.1 GB of disk; minutes on two cores.
TEST_CASE("a sector goes from nothing to the reference's proof, byte for byte",
          "[cli][porep][slow]") {
  if (!shared_present("golden/reference/groth16/porep-2KiB.txt")) return;
  const TemporaryFolder at;
  const auto good = [&](const std::vector<std::string>& arguments) {
    Outcome outcome = at.run(arguments, long_run());
    INFO(outcome.err);
    REQUIRE(outcome.status == 0);
    return outcome;
  };
  // Secret, blinding: shared/golden/README.md.
  const Outcome made = good({"porep", "setup", at.path(), "--sector-size", "2KiB", "--insecure-tau",
                             "3673", "--insecure-alpha", "48577", "--insecure-beta", "22580",
                             "--insecure-gamma", "53332", "--insecure-delta", "5481"});
  CHECK(made.err.find("WARNING: the secret of the new key is given") != std::string::npos);
  const std::string name =
      at /
      zkgpu::porep::cache_id({zkgpu::porep::CircuitName::Kind::porep, "2KiB"}).insert(0, "v28-");
  CHECK(sha256_of(name + ".params") == golden("groth16/porep-2KiB.txt", "params-sha256"));
  CHECK(sha256_of(name + ".vk") == golden("groth16/porep-2KiB.txt", "vk-sha256"));
  CHECK(read_text(name + ".meta") == "{\"sector_size\":2048}");

  write_text(at / "b.data", data_of_b());
  good({"porep", "seal", at / "b.json", "--sector-size", "2KiB", "--data", at / "b.data",
        "--statement", at / "b.claim"});
  const auto prove = [&](std::vector<std::string> more) {
    more.insert(more.begin(), {"porep", "c2", "--c1", at / "b.json", "--params", at.path(), "-o",
                               at / "b.proof", "--device", "cpu"});
    return good(more);
  };
  prove({"--vk", at.path(), "--insecure-r", "27134", "--insecure-s", "17146"});
  CHECK(hex_of(read_text(at / "b.proof")) == golden("groth16/porep-2KiB.txt", "proof"));
  const auto verify = [&] {
    return at.run({"porep", "verify", "--statement", at / "b.claim", "--proof", at / "b.proof",
                   "--vk", at.path()});
  };
  CHECK(verify().out == "valid\n");
  const Outcome again = prove({"--json"});  // with blinding of its own
  CHECK(hex_of(read_text(at / "b.proof")) != golden("groth16/porep-2KiB.txt", "proof"));
  CHECK(verify().out == "valid\n");
  const auto result = nlohmann::json::parse(again.out);
  CHECK(result["partitions"] == 1);
  CHECK(result["key_was_listed"] == true);  // of the first proof
  for (const char* step : {"read C1", "check C1", "load key", "shape of the circuit", "prove",
                           "verify", "synthesize", "quotient"}) {
    CAPTURE(step);
    CHECK(result["seconds"].contains(step));
  }

  // Decoded parameters: written, then read; not where the parameters must be the network's.
  for (const char* use : {"written", "read"}) {
    const Outcome outcome = prove({"--key-cache", at / "decoded", "--json"});
    CHECK(nlohmann::json::parse(outcome.out)["key_cache"] == use);
    CHECK(verify().out == "valid\n");
  }

  // A flipped byte, and a verifying key of other parameters.
  fs::copy(shared_dir() / "golden/reference/groth16/squarings-4.vk", at / "other.vk");
  Outcome refused = at.run({"porep", "c2", "--c1", at / "b.json", "--params", at.path(), "--vk",
                            at / "other.vk", "-o", at / "none.proof"},
                           long_run());
  CHECK(refused.status == 2);
  CHECK(refused.err.find("do not belong together") != std::string::npos);
  std::fstream params(name + ".params", std::ios::in | std::ios::out | std::ios::binary);
  params.seekp(500'000'000);
  const int byte = params.peek();
  params.put(static_cast<char>(byte ^ 1));
  params.close();
  refused =
      at.run({"porep", "c2", "--c1", at / "b.json", "--params", at.path(), "-o", at / "none.proof"},
             long_run());
  CHECK(refused.status == 3);
  CHECK(is_one_error_line(refused.err, 3));
  CHECK_FALSE(fs::exists(at / "none.proof"));
}
