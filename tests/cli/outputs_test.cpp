// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <catch2/catch.hpp>

#include <sys/stat.h>

#include <filesystem>
#include <string>
#include <vector>

#include "program.hpp"
#include "shared.hpp"

using namespace zkgpu::test;
namespace fs = std::filesystem;

namespace {

std::vector<std::string> prove_to(const OwnCircuit& own, const std::string& proof,
                                  const std::string& values) {
  return {"prove", own / "circuit.zkey", own / "witness.wtns", proof, values};
}

/// Fails with status 9 before the work, names the path, leaves no new file.
void expect_io_error(const TemporaryFolder& at, const std::vector<std::string>& arguments,
                     const std::string& named) {
  INFO(named);
  const auto before = at.files();
  const Outcome outcome = at.run(arguments);
  INFO(outcome.err);
  CHECK(outcome.status == 9);
  CHECK(is_one_error_line(outcome.err, 9));
  CHECK(outcome.err.find(named) != std::string::npos);
  CHECK(at.files() == before);
}

}  // namespace

TEST_CASE("an input that is no readable regular file is an Io error that names it",
          "[cli][fault]") {
  const OwnCircuit own;
  fs::create_directory(own / "folder");
  REQUIRE(::mkfifo((own / "fifo").c_str(), 0600) == 0);
  fs::create_symlink("nowhere", own / "dangling");
  for (const std::string& bad : {own / "missing", own / "folder", own / "fifo", own / "dangling",
                                 std::string("/dev/null"), own / "circuit.zkey" + "/below"}) {
    expect_io_error(own, {"prove", bad, own / "witness.wtns", own / "p", own / "u"}, bad);
    expect_io_error(own, {"prove", own / "circuit.zkey", bad, own / "p", own / "u"}, bad);
    expect_io_error(
        own,
        {"prove", own / "circuit.zkey", own / "witness.wtns", own / "p", own / "u", "--r1cs", bad},
        bad);
    expect_io_error(own, {"verify", bad, own / "public.json", own / "proof.json"}, bad);
    expect_io_error(own, {"verify", own / "circuit.zkey", bad, own / "proof.json"}, bad);
    expect_io_error(own, {"verify", own / "circuit.zkey", own / "public.json", bad}, bad);
    expect_io_error(own, {"check", bad, own / "witness.wtns"}, bad);
    expect_io_error(own, {"check", own / "circuit.r1cs", bad}, bad);
    expect_io_error(own, {"setup", bad, own / "new.zkey"}, bad);
    expect_io_error(own, {"info", bad}, bad);
    expect_io_error(own, {"export", "vk", bad, own / "vk.json"}, bad);
    expect_io_error(own, {"convert", bad, own / "out.json"}, bad);
  }
}

TEST_CASE("an output that cannot be written is an Io error before the work begins",
          "[cli][fault]") {
  const OwnCircuit own;
  fs::create_directory(own / "folder");
  REQUIRE(::mkfifo((own / "fifo").c_str(), 0600) == 0);
  // /proc: a folder in which nobody, not even root, can make a file.
  for (const std::string& bad : {own / "missing/out.json", own / "folder", own / "folder/",
                                 own / "fifo", std::string("/dev/full"), std::string("/dev/null"),
                                 own / "proof.json" + "/out.json", std::string("/proc/out.json")}) {
    expect_io_error(own, prove_to(own, bad, own / "u.json"), bad);
    expect_io_error(own, prove_to(own, own / "p.json", bad), bad);
    // Before the work: with a key that does not exist the output is still what is complained about.
    expect_io_error(own, {"prove", own / "none", own / "none", bad, own / "u.json"}, bad);
    expect_io_error(own, {"export", "vk", own / "circuit.zkey", bad}, bad);
    expect_io_error(own, {"convert", own / "proof.json", bad}, bad);
  }
  expect_io_error(own, {"setup", own / "circuit.r1cs", own / "missing/k.zkey"}, "missing/k.zkey");
  expect_io_error(own, {"example", "chain", "--log-constraints", "7", own / "proof.json"},
                  own / "proof.json");
}

TEST_CASE("an output that is an input or the other output is refused", "[cli]") {
  const OwnCircuit own;
  fs::create_symlink("circuit.zkey", own / "link");
  fs::create_directory(own / "folder");
  const std::string other_name = own / "folder/../circuit.zkey";
  const std::string key_before = read_text(own / "circuit.zkey");
  const std::vector<std::vector<std::string>> commands{
      prove_to(own, own / "circuit.zkey", own / "u.json"),
      prove_to(own, own / "link", own / "u.json"),
      prove_to(own, own / "p.json", other_name),
      prove_to(own, own / "same.json", own / "same.json"),
      prove_to(own, own / "same.json", own / "folder/../same.json"),
      prove_to(own, own / "witness.wtns", own / "u.json"),
      {"setup", own / "circuit.r1cs", own / "folder/../circuit.r1cs"},
      {"export", "vk", own / "circuit.zkey", own / "link"},
      {"convert", own / "proof.json", own / "proof.json"},
  };
  for (const auto& command : commands) {
    const auto before = own.files();
    const Outcome outcome = own.run(command);
    INFO(outcome.err);
    CHECK(outcome.status == 2);
    CHECK(is_one_error_line(outcome.err, 2));
    CHECK(own.files() == before);
  }
  CHECK(read_text(own / "circuit.zkey") == key_before);
}

TEST_CASE("a full disk leaves the old files and nothing new", "[cli][fault]") {
  const OwnCircuit own;
  const std::string proof = read_text(own / "proof.json");
  const auto before = own.files();
  for (const rlim_t limit : {rlim_t{0}, rlim_t{1}, rlim_t{64}, rlim_t{1000}}) {
    RunOptions options;
    options.file_size_bytes = limit;
    for (const auto& command : std::vector<std::vector<std::string>>{
             prove_to(own, own / "proof.json", own / "public.json"),
             prove_to(own, own / "new-proof.json", own / "new-public.json"),
             {"setup", own / "circuit.r1cs", own / "new.zkey"},
             {"export", "vk", own / "circuit.zkey", own / "new.vk"},
             {"convert", own / "circuit.r1cs", own / "new.r1cs"}}) {
      auto arguments = command;
      if (command[0] == "prove") arguments.insert(arguments.end(), {"--checked-keys", "none"});
      const Outcome outcome = own.run(arguments, options);
      INFO(command[0] << " " << limit << ": " << outcome.err);
      CHECK(outcome.status == 6);
      CHECK(own.files() == before);
    }
  }
  CHECK(read_text(own / "proof.json") == proof);
}

TEST_CASE("standard output on a full disk ends with status 6, as any other file", "[cli][fault]") {
  const OwnCircuit own;
  RunOptions options;
  options.stdout_path = "/dev/full";
  for (const auto& command : std::vector<std::vector<std::string>>{
           {"--help"},
           {"info", own / "circuit.zkey"},
           {"check", own / "circuit.r1cs", own / "witness.wtns"},
           {"verify", own / "circuit.zkey", own / "public.json", own / "proof.json"}}) {
    const Outcome outcome = own.run(command, options);
    CHECK(outcome.status == 6);
    CHECK(is_one_error_line(outcome.err, 6));
  }
}

TEST_CASE("an existing output is replaced, through its link", "[cli]") {
  const OwnCircuit own;
  write_text(own / "old.json", "old");
  fs::create_symlink("old.json", own / "link.json");
  const Outcome outcome = own.run(prove_to(own, own / "link.json", own / "public.json"));
  REQUIRE(outcome.status == 0);
  CHECK(fs::is_symlink(own / "link.json"));
  CHECK(own.run({"verify", own / "circuit.zkey", own / "public.json", own / "old.json"}).status ==
        0);
}

TEST_CASE("a signal removes what is half-written and ends with status 10", "[cli][crash]") {
  const OwnCircuit own("chain", 12);
  const auto before = own.files();
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    RunOptions options;
    options.signal_number = signal;
    options.signal_on_file = own / "copy.zkey.*.tmp";
    Outcome outcome;
    // The file is half-written for milliseconds only: the signal may come too late.
    for (int attempt = 0; attempt < 50 && outcome.status != 10; ++attempt) {
      outcome = own.run({"convert", own / "circuit.zkey", own / "copy.zkey"}, options);
      if (outcome.status == 0) fs::remove(own / "copy.zkey");
    }
    INFO(outcome.err);
    CHECK(outcome.status == 10);
    CHECK(is_one_error_line(outcome.err, 10));
    CHECK(own.files() == before);
  }
}

TEST_CASE("a signal in the middle of a proof ends the program at once", "[cli][crash]") {
  const OwnCircuit own("chain", 14);
  const auto before = own.files();
  RunOptions options;
  options.signal_number = SIGTERM;
  options.signal_on_text = "load key";  // the step before the proof, and it has ended
  auto arguments = prove_to(own, own / "new-proof.json", own / "new-public.json");
  arguments.push_back("-v");
  const Outcome outcome = own.run(arguments, options);
  INFO(outcome.err);
  CHECK(outcome.status == 10);
  CHECK(outcome.err.find("zkgpu: error: Cancelled: ended by SIGTERM\n") != std::string::npos);
  CHECK(own.files() == before);
}
