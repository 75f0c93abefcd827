// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "io_fixtures.hpp"

#include <catch2/catch.hpp>

#include <sys/stat.h>

#include <zkgpu/prover/io/key/checked_keys.hpp>
#include <zkgpu/prover/io/key_files.hpp>

using namespace zkgpu;
using namespace zkgpu::test;

namespace {

io::Digest digest_number(unsigned n) {
  const std::array<std::byte, 2> bytes = {static_cast<std::byte>(n),
                                          static_cast<std::byte>(n >> 8)};
  return io::digest_of(bytes);
}

unsigned mode_of(const std::string& path) {
  struct stat status {};
  REQUIRE(::stat(path.c_str(), &status) == 0);
  return status.st_mode & 07777;
}

void write_text(const std::string& path, std::string_view text) {
  RealEnv env;
  io::write_file(env, path, io::bytes_of(text), 0600);
}

}  // namespace

TEST_CASE("SHA-256 agrees with its published example", "[io][vec]") {
  // FIPS 180-2, appendix B.1
  CHECK(io::to_hex(io::digest_of(io::bytes_of("abc"))) ==
        "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

TEST_CASE("the list of checked keys keeps what was added, in private files", "[io][key]") {
  const TemporaryFolder folder;
  const std::string path = folder / ".local/state/zkgpu/checked-keys";  // as in a fresh home
  RealEnv env;
  CHECK(io::load_checked_keys(env, path).keys.size() == 0);
  CHECK(io::load_checked_keys(env, path).warning.empty());
  for (unsigned n = 0; n < 5; ++n) io::add_checked_key(env, path, digest_number(n));
  io::add_checked_key(env, path, digest_number(3));  // a second time
  const auto list = io::load_checked_keys(env, path);
  CHECK(list.warning.empty());
  CHECK(list.keys.size() == 5);
  for (unsigned n = 0; n < 5; ++n) CHECK(list.keys.contains(digest_number(n)));
  CHECK_FALSE(list.keys.contains(digest_number(5)));
  CHECK(mode_of(path) == 0600);
  CHECK(mode_of(folder / ".local/state/zkgpu") == 0700);
  CHECK(mode_of(folder / ".local") == 0700);
  REQUIRE(::chmod(path.c_str(), 0644) == 0);
  io::add_checked_key(env, path, digest_number(6));
  CHECK(mode_of(path) == 0600);  // narrower again
}

TEST_CASE("a private file is private whatever it replaces, a public one inherits", "[io]") {
  const TemporaryFolder folder;
  const std::string path = folder / "file";
  RealEnv env;
  constexpr unsigned private_mode = io::AtomicFile<RealEnv>::private_mode;
  for (const unsigned mode : {0666u, 0640u, 0777u, 0600u, 0440u, 0044u}) {
    INFO("over mode " << mode);
    io::write_file(env, path, Bytes(1));
    REQUIRE(::chmod(path.c_str(), mode) == 0);
    io::write_file(env, path, Bytes(2));
    CHECK(mode_of(path) == mode);
    io::write_file(env, path, Bytes(3), private_mode);
    CHECK(mode_of(path) == (mode & private_mode));
  }
}

TEST_CASE("the list of checked keys is bounded: the oldest go", "[io][key]") {
  io::CheckedKeys keys;
  for (unsigned n = 0; n < io::CheckedKeys::max_keys + 3; ++n) keys.insert(digest_number(n));
  CHECK(keys.size() == io::CheckedKeys::max_keys);
  CHECK_FALSE(keys.contains(digest_number(2)));
  CHECK(keys.contains(digest_number(3)));
  CHECK(keys.format().size() <= io::CheckedKeys::max_bytes);
  const std::string text = keys.format();
  CHECK(io::CheckedKeys::parse(io::bytes_of(text), "list").format() == text);
}

TEST_CASE("a list of checked keys that is damaged counts as empty, with a warning", "[io][key]") {
  const TemporaryFolder folder;
  const std::string path = folder / "checked-keys";
  RealEnv env;
  const std::string header(io::CheckedKeys::header);
  const std::string line = io::to_hex(digest_number(1)) + "\n";
  for (const std::string& bad :
       {std::string(), std::string("\n"), line, header + line.substr(1), header + line + "x",
        header + line.substr(0, 63) + "G\n", header + line.substr(0, 64), header + "\n" + line,
        std::string("zkgpu-checked-keys 2 sha256\n") + line, header + std::string(300'000, '0')}) {
    write_text(path, bad);
    const auto list = io::load_checked_keys(env, path);
    CHECK(list.keys.size() == 0);
    CHECK(list.warning.find("list of checked keys not used") != std::string::npos);
    CHECK_THROWS_AS(io::add_checked_key(env, path, digest_number(2)), IoError);
    CHECK(read_text(path) == bad);  // whatever it is: a proving key, named by mistake
  }
  write_text(path, header + line);
  CHECK(io::load_checked_keys(env, path).keys.contains(digest_number(1)));
  REQUIRE(::chmod(path.c_str(), 0620) == 0);  // the group could add keys of its own
  CHECK(io::load_checked_keys(env, path).warning.find("others can write") != std::string::npos);
}

TEST_CASE("a key is checked once, then listed; another key with the same name is checked again",
          "[io][key]") {
  if (!snarkjs_present()) return;
  const TemporaryFolder folder;
  const std::string path = folder / "key.zkey";
  const io::KeyLoading loading{.checked_keys_path = folder / "checked-keys",
                               .allow_insecure = false};
  RealEnv env;
  Bytes bytes = read_bytes(snarkjs_file("manypub", "circuit.zkey"));
  io::write_file(env, path, bytes);
  const auto first = io::load_zkey<Bls>(env, path, loading);
  CHECK_FALSE(first.report.was_listed);
  const auto second = io::load_zkey<Bls>(env, path, loading);
  CHECK(second.report.was_listed);
  CHECK(second.report.warnings.empty());
  CHECK(second.key.a == first.key.a);
  CHECK(second.key.a_matrix == first.key.a_matrix);

  bytes[bytes.size() / 2] ^= std::byte{1};  // a point: no longer on the curve
  io::write_file(env, path, bytes);
  const Outcome outcome = outcome_of([&] { io::load_zkey<Bls>(env, path, loading); });
  CHECK(outcome.kind == ErrorKind::malformed);
  CHECK(io::load_checked_keys(env, loading.checked_keys_path).keys.size() == 1);
}

TEST_CASE("an unusable list of checked keys costs a check and a warning, never the key",
          "[io][key]") {
  if (!snarkjs_present()) return;
  const TemporaryFolder folder;
  RealEnv env;
  const std::string path = snarkjs_file("mult", "circuit.zkey").string();
  const auto file = io::load_zkey<Bls>(
      env, path, {.checked_keys_path = "/proc/zkgpu/checked-keys", .allow_insecure = false});
  CHECK_FALSE(file.report.was_listed);
  REQUIRE(file.report.warnings.size() == 1);
  CHECK(file.report.warnings[0].find("/proc/zkgpu") != std::string::npos);
}
