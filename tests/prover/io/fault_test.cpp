// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "io_fixtures.hpp"

#include <catch2/catch.hpp>

#include <sys/stat.h>

#include <fstream>
#include "fault_env.hpp"
#include "toy_files.hpp"

#include <zkgpu/prover/io/iden3/r1cs_file.hpp>
#include <zkgpu/prover/io/iden3/wtns_file.hpp>
#include <zkgpu/prover/io/key_files.hpp>

using namespace zkgpu;
using namespace zkgpu::test;

namespace {

bool is_typed(ErrorKind kind) {
  return kind == ErrorKind::io || kind == ErrorKind::resource_exhausted ||
         kind == ErrorKind::malformed;
}

/// Runs `work` with each fault at each of its calls; each run is followed by a clean one.
/// @return number of faults that struck
template <class Work>
std::size_t sweep(const Work& work) {
  FaultEnv counting;
  work(counting);
  REQUIRE(counting.calls() > 0);
  CHECK(counting.open_descriptors() == 0);
  std::size_t struck = 0;
  for (const Fault fault :
       {Fault::fail, Fault::interrupt, Fault::shorten, Fault::end, Fault::replace}) {
    for (std::uint64_t at = 0; at < counting.calls(); ++at) {
      FaultEnv env(fault, at, at % 2 == 0 ? EIO : ENOSPC);
      INFO("fault " << static_cast<int>(fault) << " at call " << at);
      const Outcome outcome = outcome_of([&] { work(env); });
      CHECK(env.open_descriptors() == 0);
      if (outcome.kind != ErrorKind{0}) CHECK(is_typed(outcome.kind));
      if (fault == Fault::shorten) CHECK(outcome.message.empty());
      struck += env.struck() ? 1 : 0;
      FaultEnv clean;
      CHECK_NOTHROW(work(clean));
    }
  }
  return struck;
}

std::string written_file(const TemporaryFolder& folder, const char* name, const Bytes& bytes) {
  RealEnv env;
  io::write_file(env, folder / name, bytes);
  return folder / name;
}

}  // namespace

TEST_CASE("every fault while reading a key is a typed error, and the next read works",
          "[io][fault]") {
  const TemporaryFolder folder;
  const std::string path = written_file(folder, "toy.zkey", toy::zkey());
  const auto expected = read_zkey_bytes(toy::zkey()).key;
  const std::size_t struck = sweep([&](FaultEnv& env) {
    const auto file = io::load_zkey<Bls>(env, path, {});
    REQUIRE(file.key.a == expected.a);  // whatever happened on the way: right, or refused
    REQUIRE(file.key.a_matrix == expected.a_matrix);
  });
  CHECK(struck > 50);
}

TEST_CASE("every fault while reading params, r1cs and wtns is a typed error", "[io][fault]") {
  const TemporaryFolder folder;
  const std::string params = written_file(folder, "toy.params", toy::params());
  const std::string r1cs = written_file(folder, "toy.r1cs", toy::r1cs());
  const std::string wtns = written_file(folder, "toy.wtns", toy::wtns());
  std::size_t struck = sweep([&](FaultEnv& env) { io::load_params<Bls>(env, params, {}); });
  struck += sweep([&](FaultEnv& env) {
    io::FileSource<FaultEnv> source(env, r1cs);
    io::read_r1cs<Bls::Fr>(source);
  });
  struck += sweep([&](FaultEnv& env) {
    io::FileSource<FaultEnv> source(env, wtns);
    io::read_wtns<Bls::Fr>(source);
  });
  CHECK(struck > 50);
}

TEST_CASE("a fault at the list of checked keys never costs the key", "[io][fault]") {
  const TemporaryFolder folder;
  const std::string path = written_file(folder, "toy.zkey", toy::zkey());
  const io::KeyLoading loading{.checked_keys_path = folder / "list", .allow_insecure = false};
  FaultEnv counting;
  io::load_zkey<Bls>(counting, path, loading);
  for (std::uint64_t at = 0; at < counting.calls(); ++at) {
    std::filesystem::remove(folder / "list");
    FaultEnv env(Fault::fail, at);
    const Outcome outcome = outcome_of([&] { io::load_zkey<Bls>(env, path, loading); });
    if (outcome.kind != ErrorKind{0}) {
      INFO(outcome.message);
      CHECK(is_typed(outcome.kind));
      CHECK(outcome.message.find("list") == std::string::npos);
    }
    CHECK(env.open_descriptors() == 0);
    // Whatever is there under the list's name is a whole list.
    RealEnv real;
    CHECK(io::load_checked_keys(real, loading.checked_keys_path).warning.empty());
  }
}

TEST_CASE("a flipped bit on the way from the disk never gives another key", "[io][fault]") {
  const TemporaryFolder folder;
  const std::string path = written_file(folder, "toy.zkey", toy::zkey());
  const auto clean = read_zkey_bytes(toy::zkey());
  FaultEnv counting;
  io::load_zkey<Bls>(counting, path, {});
  for (std::uint64_t at = 0; at < counting.calls(); ++at) {
    FaultEnv env(Fault::corrupt, at);
    try {
      const auto file = io::load_zkey<Bls>(env, path, {});
      // Accepted: the flip was harmless, or its digest is not that of the file on the disk.
      CHECK((file.report.digest == clean.report.digest) ==
            (file.key.a == clean.key.a && file.key.a_matrix == clean.key.a_matrix &&
             file.key.b_matrix == clean.key.b_matrix &&
             file.ceremony.bytes == clean.ceremony.bytes && file.key.vk == clean.key.vk));
    } catch (const Error& error) {
      CHECK((is_typed(error.kind()) || error.kind() == ErrorKind::insecure_key));
    }
  }
}

TEST_CASE("every fault while writing leaves the old file or the whole new one", "[io][fault]") {
  const TemporaryFolder folder;
  const std::string path = folder / "out.bin";
  const Bytes before(10, std::byte{1});
  const Bytes after(200'000, std::byte{2});  // beyond the buffer
  FaultEnv counting;
  io::write_file(counting, path, after);
  for (const Fault fault : {Fault::fail, Fault::interrupt, Fault::shorten, Fault::end}) {
    for (std::uint64_t at = 0; at < counting.calls(); ++at) {
      INFO("fault " << static_cast<int>(fault) << " at call " << at);
      RealEnv real;
      io::write_file(real, path, before);
      FaultEnv env(fault, at, ENOSPC);
      const Outcome outcome = outcome_of([&] { io::write_file(env, path, after); });
      const Bytes now = read_bytes(path);
      CHECK((now == before || now == after));
      if (outcome.kind == ErrorKind{0}) {
        CHECK(now == after);
      } else {
        CHECK((outcome.kind == ErrorKind::io || outcome.kind == ErrorKind::resource_exhausted));
        CHECK((outcome.message.find(path) != std::string::npos ||
               outcome.message.find("random") != std::string::npos));
      }
      if (fault == Fault::shorten) CHECK(now == after);
      CHECK(env.open_descriptors() == 0);
      CHECK(folder.files() == 1);  // no temporary file stays
    }
  }
}

TEST_CASE("only regular files are read, only regular files are replaced", "[io][edge]") {
  const TemporaryFolder folder;
  RealEnv env;
  const std::string fifo = folder / "fifo";
  REQUIRE(::mkfifo(fifo.c_str(), 0600) == 0);
  for (const std::string& path : {fifo, folder / ".", std::string("/dev/null"),
                                  std::string("/dev/zero"), folder / "missing", std::string()}) {
    INFO(path);
    const Outcome read = outcome_of([&] { io::FileSource<RealEnv>(env, path); });
    CHECK(read.kind == ErrorKind::io);
    CHECK(read.message.find(path) != std::string::npos);
  }
  for (const std::string& path : {fifo, folder / ".", std::string("/dev/null"), std::string(),
                                  folder / "no/such/folder/file", folder / "folder/"}) {
    INFO(path);
    const Outcome write = outcome_of([&] { io::write_file(env, path, Bytes(1)); });
    CHECK(write.kind == ErrorKind::io);
    CHECK(write.message.find(path) != std::string::npos);
  }
  struct stat status {};
  REQUIRE(::stat("/dev/null", &status) == 0);
  CHECK(S_ISCHR(status.st_mode));
}

TEST_CASE("a link is written through, not replaced", "[io][edge]") {
  const TemporaryFolder folder;
  RealEnv env;
  io::write_file(env, folder / "real", Bytes(1));
  std::filesystem::create_symlink(folder / "real", folder / "link");
  io::write_file(env, folder / "link", Bytes(5));
  CHECK(std::filesystem::is_symlink(folder / "link"));
  CHECK(read_bytes(folder / "real").size() == 5);
}

TEST_CASE("every fault on the way through a link and over an old file leaves a whole file",
          "[io][fault]") {
  const TemporaryFolder folder;
  const std::string real = folder / "real";
  std::filesystem::create_symlink("real", folder / "link");
  RealEnv env;
  io::write_file(env, real, Bytes(1));
  REQUIRE(::chmod(real.c_str(), 0640) == 0);
  FaultEnv counting;
  io::write_file(counting, folder / "link", Bytes(2));
  for (const Fault fault : {Fault::fail, Fault::interrupt}) {
    for (std::uint64_t at = 0; at < counting.calls(); ++at) {
      FaultEnv faulty(fault, at);
      const Outcome outcome =
          outcome_of([&] { io::write_file(faulty, folder / "link", Bytes(3 + at)); });
      INFO("fault " << static_cast<int>(fault) << " at call " << at << ": " << outcome.message);
      CHECK((outcome.kind == ErrorKind{0} || outcome.kind == ErrorKind::io));
      CHECK(std::filesystem::is_symlink(folder / "link"));
      CHECK(folder.files() == 2);
      struct stat status {};
      REQUIRE(::stat(real.c_str(), &status) == 0);
      CHECK((status.st_mode & 07777) == 0640);
      if (outcome.kind == ErrorKind{0}) CHECK(read_bytes(real).size() == 3 + at);
    }
  }
}

TEST_CASE("a file that shrinks or grows while it is read is an error, no signal", "[io][fault]") {
  const TemporaryFolder folder;
  const std::string path = written_file(folder, "file", Bytes(10'000));
  RealEnv env;
  {
    io::FileSource<RealEnv> source(env, path);
    std::filesystem::resize_file(path, 100);
    Bytes out(10'000);
    const Outcome outcome = outcome_of([&] { source.read(0, out); });
    CHECK(outcome.kind == ErrorKind::io);
    CHECK(outcome.message.find("truncated while being read") != std::string::npos);
  }
  {
    io::FileSource<RealEnv> source(env, path);
    std::filesystem::resize_file(path, 20'000);
    CHECK(outcome_of([&] { source.expect_unchanged(); }).kind == ErrorKind::io);
  }
}
