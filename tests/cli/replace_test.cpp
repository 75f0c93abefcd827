// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <catch2/catch.hpp>

#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <string>
#include <utility>
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

unsigned mode_of(const std::string& path) {
  struct stat status {};
  REQUIRE(::stat(path.c_str(), &status) == 0);
  return status.st_mode & 07777;
}

/// The umask of the test and of the programs that it runs, while this lives.
class Umask {
 public:
  explicit Umask(mode_t mask) : before_(::umask(mask)) {}
  ~Umask() { ::umask(before_); }
  Umask(const Umask&) = delete;
  Umask& operator=(const Umask&) = delete;

 private:
  mode_t before_;
};

}  // namespace

TEST_CASE("a file that is replaced keeps its mode, a new one follows the umask", "[cli]") {
  const OwnCircuit own;
  for (const auto& [mask, expected] : {std::pair{022u, 0644u}, {027u, 0640u}, {077u, 0600u}}) {
    const Umask umask(mask);
    const std::string fresh = own / ("new-" + std::to_string(mask));
    REQUIRE(own.run(prove_to(own, fresh, own / "public.json")).status == 0);
    CHECK(mode_of(fresh) == expected);
    for (const unsigned mode : {0644u, 0664u, 0600u, 0440u, 0666u, 0755u}) {
      REQUIRE(::chmod(fresh.c_str(), mode) == 0);
      REQUIRE(own.run(prove_to(own, fresh, own / "public.json")).status == 0);
      CHECK(mode_of(fresh) == mode);
    }
  }
}

TEST_CASE("a witness is its owner's alone, whatever stood in its place", "[cli]") {
  const OwnCircuit own;
  const Umask umask(022);
  const std::vector<std::string> convert{"convert", own / "witness.wtns", own / "copy.wtns"};
  REQUIRE(own.run(convert).status == 0);
  CHECK(mode_of(own / "copy.wtns") == 0600);
  for (const unsigned mode : {0640u, 0644u, 0666u, 0755u, 0600u, 0440u, 0400u}) {
    REQUIRE(::chmod((own / "copy.wtns").c_str(), mode) == 0);
    REQUIRE(own.run(convert).status == 0);
    CHECK(mode_of(own / "copy.wtns") == (mode & 0600));
  }
}

TEST_CASE("the file of another user hands no mode down", "[cli]") {
  const OwnCircuit own;
  const Umask umask(022);
  const std::string proof = own / "proof-of-another.json";
  write_text(proof, "{}");
  if (::chown(proof.c_str(), ::geteuid() + 1, static_cast<gid_t>(-1)) != 0) {
    WARN("only root can give a file to another user: skipped");
    return;
  }
  for (const unsigned mode : {0666u, 0600u}) {
    REQUIRE(::chmod(proof.c_str(), mode) == 0);
    REQUIRE(own.run(prove_to(own, proof, own / "public.json")).status == 0);
    CHECK(mode_of(proof) == 0644);
    REQUIRE(::chown(proof.c_str(), ::geteuid() + 1, static_cast<gid_t>(-1)) == 0);
  }
}

TEST_CASE("an output that is a link makes the file it leads to, and stays a link", "[cli]") {
  const OwnCircuit own;
  fs::create_directory(own / "folder");
  fs::create_symlink("folder/second", own / "first");     // beside the link
  fs::create_symlink("new.json", own / "folder/second");  // to what is not there
  fs::create_symlink(own / "values.json", own / "absolute");
  const Outcome outcome = own.run(prove_to(own, own / "first", own / "absolute"));
  INFO(outcome.err);
  REQUIRE(outcome.status == 0);
  CHECK(fs::is_symlink(own / "first"));
  CHECK(fs::is_symlink(own / "folder/second"));
  CHECK(fs::is_symlink(own / "absolute"));
  CHECK(
      own.run({"verify", own / "circuit.zkey", own / "values.json", own / "folder/new.json"}).out ==
      "valid\n");
}

TEST_CASE("links that cannot be written through are refused before the work", "[cli][fault]") {
  const OwnCircuit own;
  fs::create_symlink("missing/new.json", own / "no-folder");
  fs::create_symlink("circle", own / "circle");
  fs::create_symlink("new/", own / "slash");
  fs::create_symlink("same.json", own / "one");
  fs::create_symlink("same.json", own / "two");
  const auto before = own.files();
  for (const std::string& bad : {own / "no-folder", own / "circle", own / "slash"}) {
    const Outcome outcome = own.run(prove_to(own, bad, own / "u.json"));
    INFO(outcome.err);
    CHECK(is_one_error_line(outcome.err, 9));
    CHECK(outcome.err.find(bad) != std::string::npos);
  }
  // Two names of one file that is not there yet.
  CHECK(is_one_error_line(own.run(prove_to(own, own / "one", own / "two")).err, 2));
  CHECK(is_one_error_line(own.run(prove_to(own, own / "one", own / "same.json")).err, 2));
  CHECK(own.files() == before);
}

TEST_CASE("a home that is not there is not made: the proof succeeds without a list", "[cli]") {
  const OwnCircuit own;
  write_text(own / "file", "");
  fs::create_directory(own / "real");
  const auto prove_at = [&](const std::string& home, bool verbose) {
    RunOptions options;
    options.environment = {"XDG_STATE_HOME=", "HOME=" + home};
    auto arguments = prove_to(own, own / "p.json", own / "u.json");
    if (verbose) arguments.emplace_back("-v");
    return own.run(arguments, options);
  };
  for (const std::string& home : {own / "nowhere", own / "file", std::string()}) {
    const Outcome quiet = prove_at(home, false);
    CHECK(quiet.status == 0);
    CHECK(quiet.err.empty());
    const Outcome told = prove_at(home, true);
    CHECK(told.status == 0);
    CHECK(told.err.find("no list of checked keys: HOME is ") != std::string::npos);
  }
  const std::string relative = prove_at("here", true).err;
  CHECK(relative.find("HOME is 'here', which is no absolute path") != std::string::npos);
  CHECK(!fs::exists(own / "nowhere"));
  CHECK(prove_at(own / "real", true).err.find("no list") == std::string::npos);
  CHECK(fs::exists(own / "real/.local/state/zkgpu/checked-keys"));
}
