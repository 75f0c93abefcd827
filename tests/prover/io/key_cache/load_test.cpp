// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <catch2/catch.hpp>

#include "cache_fixtures.hpp"
#include "fault_env.hpp"
#include "same_key.hpp"

#include <chrono>
#include <filesystem>

#include <zkgpu/prover/io/key_files.hpp>

using namespace zkgpu;
using namespace zkgpu::test;
namespace fs = std::filesystem;

namespace {

/// The system, but nothing waits for the disk.
struct UnsyncedEnv : RealEnv {
  SystemResult sync(int) const noexcept { return {}; }
};
static_assert(Env<UnsyncedEnv>);

/// A `.params` file, a list and a folder of decoded keys.
class Place {
 public:
  Place() {
    put(params_path, params);
    age_params();
  }

  template <Env E>
  io::ParamsFile<Bls> load(E& env) const {
    return io::load_params<Bls>(env, params_path, loading);
  }
  io::ParamsFile<Bls> load() const {
    UnsyncedEnv env;
    return load(env);
  }
  static void put(const std::string& path, std::span<const std::byte> bytes) {
    RealEnv env;
    io::write_file(env, path, bytes);
  }
  /// Makes the params older than anything written since.
  void age_params() const {
    fs::last_write_time(params_path, fs::last_write_time(params_path) - std::chrono::hours(1));
  }
  [[nodiscard]] Bytes cached() const {
    RealEnv env;
    const auto bytes = io::read_file(env, cache_path, std::uint64_t{1} << 20);
    return {bytes.begin(), bytes.end()};
  }
  void forget() const {
    fs::remove_all(loading.key_cache_folder);
    fs::remove(loading.checked_keys_path);
  }

  TemporaryFolder folder;
  Bytes params = toy::params();
  io::KeyCacheSource of = source_of(params);
  std::string params_path = folder / "toy.params";
  io::KeyLoading loading{.checked_keys_path = folder / "list",
                         .key_cache_folder = folder / "made/here"};
  std::string cache_path = io::key_cache_path(loading.key_cache_folder, of);
  ProvingKey<Bls> key = params_of(params).key;
};

using io::KeyCacheUse;

}  // namespace

TEST_CASE("the first load of params writes their decoded key, the second reads it", "[io][key]") {
  const Place at;
  const auto first = at.load();
  CHECK(first.report.cache == KeyCacheUse::written);
  CHECK(first.report.warnings.empty());
  expect_same_key(first.key, at.key);
  CHECK(at.cached() == decoded(first).bytes);
  // Only the beginning of the params is read: what comes after may be anything of that length.
  Bytes beginning = at.params;
  std::fill(beginning.begin() + 868 + 2 * 96, beginning.end(), std::byte{0xff});
  Place::put(at.params_path, beginning);
  at.age_params();
  const auto second = at.load();
  CHECK(second.report.cache == KeyCacheUse::read);
  CHECK(second.report.warnings.empty());
  CHECK(second.report.digest == io::digest_of(at.params));
  expect_same_key(second.key, at.key);
  // Params of another length are read themselves.
  Place::put(at.params_path, std::span(at.params).first(at.params.size() - 612));
  at.age_params();
  const auto shorter = at.load();
  CHECK(shorter.report.cache == KeyCacheUse::written);
  REQUIRE(shorter.report.warnings.size() == 1);
  CHECK(shorter.report.warnings[0].find("a decoded key of another file: that had") !=
        std::string::npos);
  fs::remove(at.params_path);
  CHECK_THROWS_AS(at.load(), IoError);
}

TEST_CASE("a link among decoded keys is replaced, and what it leads to is let be", "[io][key]") {
  const Place at;
  at.load();
  const std::string other = at.folder / "other", none = at.folder / "none";
  const Bytes text(10, std::byte{7});
  Place::put(other, text);
  for (const std::string& to : {other, none}) {
    fs::remove(at.cache_path);
    fs::create_symlink(to, at.cache_path);
    CHECK(at.load().report.cache == KeyCacheUse::written);
    CHECK(fs::is_regular_file(fs::symlink_status(at.cache_path)));
    CHECK(at.load().report.cache == KeyCacheUse::read);
  }
  CHECK_FALSE(fs::exists(none));
  RealEnv env;
  const auto left = io::read_file(env, other, 100);
  CHECK(Bytes(left.begin(), left.end()) == text);
}

TEST_CASE("a decoded key that cannot be used is told, and made again", "[io][key][fault]") {
  const Place at;
  at.load();
  const Bytes good = at.cached();
  std::vector<Bytes> bad(4, good);
  bad[0][cache_number(good, 4, 8)] ^= std::byte{1};
  bad[1].resize(good.size() / 2);
  bad[2].assign(5000, std::byte{7});
  bad[3].clear();
  const char* const words[] = {"b_g1 at byte", "truncated", "not a decoded key", "truncated"};
  for (std::size_t i = 0; i < bad.size(); ++i) {
    INFO(words[i]);
    Place::put(at.cache_path, bad[i]);
    const auto file = at.load();
    expect_same_key(file.key, at.key);
    CHECK(file.report.cache == KeyCacheUse::written);
    REQUIRE(file.report.warnings.size() == 1);
    CHECK(file.report.warnings[0].find("decoded key not used, made again: " + at.cache_path) == 0);
    CHECK(file.report.warnings[0].find(words[i]) != std::string::npos);
    CHECK(at.cached() == good);
    CHECK(at.load().report.cache == KeyCacheUse::read);
  }
}

TEST_CASE("a decoded key is believed by the list, whoever could write it", "[io][key][fault]") {
  const Place at;
  at.load();
  auto other = params_of(at.params);
  std::swap(other.key.a[0], other.key.a[1]);
  Place::put(at.cache_path, decoded(other).bytes);  // sound in itself
  const auto file = at.load();
  expect_same_key(file.key, at.key);
  REQUIRE(file.report.warnings.size() == 1);
  CHECK(file.report.warnings[0].find("not in the list of checked keys") != std::string::npos);
  CHECK(at.load().report.cache == KeyCacheUse::read);
  fs::remove(at.loading.checked_keys_path);
  CHECK(at.load().report.cache == KeyCacheUse::written);
  CHECK(at.load().report.cache == KeyCacheUse::read);
  io::KeyLoading no_list = at.loading;
  no_list.checked_keys_path.clear();
  RealEnv env;
  CHECK_THROWS_AS(io::load_params<Bls>(env, at.params_path, no_list), InvalidArgument);
}

TEST_CASE("params that were written again are read again", "[io][key]") {
  const Place at;
  at.load();
  // The same secret, the same counts, another circuit: the verifying key does not tell.
  auto other = params_of(at.params);
  std::swap(other.key.a[0], other.key.a[1]);
  io::MemorySink params;
  io::write_params(params, other.key, other.ceremony);
  REQUIRE(source_of(params.bytes()) == at.of);
  Place::put(at.params_path, params.bytes());
  fs::last_write_time(at.params_path,
                      fs::last_write_time(at.cache_path) + std::chrono::nanoseconds(1));
  const auto file = at.load();
  CHECK(file.report.cache == KeyCacheUse::written);
  CHECK(file.key.a == other.key.a);
  REQUIRE(file.report.warnings.size() == 1);
  CHECK(file.report.warnings[0].find("older than the .params file") != std::string::npos);
  at.age_params();
  CHECK(at.load().key.a == other.key.a);
  CHECK(at.load().report.cache == KeyCacheUse::read);
}

TEST_CASE("a decoded key that cannot be kept costs nothing but a warning", "[io][key][fault]") {
  Place at;
  Place::put(at.folder / "file", Bytes(1));
  at.loading.key_cache_folder = at.folder / "file";
  for (int run = 0; run < 2; ++run) {
    const auto file = at.load();
    expect_same_key(file.key, at.key);
    CHECK(file.report.cache == KeyCacheUse::none);
    REQUIRE(file.report.warnings.size() == 1);
    CHECK(file.report.warnings[0].find("decoded key not kept: ") == 0);
  }
  // A list that others can write will not be believed: nothing is written for it.
  at.loading.key_cache_folder = at.folder / "folder";
  fs::permissions(at.loading.checked_keys_path, fs::perms::others_write, fs::perm_options::add);
  CHECK(at.load().report.cache == KeyCacheUse::none);
  CHECK_FALSE(fs::exists(at.loading.key_cache_folder));
}

TEST_CASE("every fault while a decoded key is made or used is a warning or a typed error",
          "[io][fault]") {
  const Place at;
  for (const bool used : {false, true}) {
    const auto prepare = [&] {
      at.forget();
      if (used) at.load();
    };
    prepare();
    FaultEnv counting;
    at.load(counting);
    std::size_t struck = 0;
    for (const Fault fault : {Fault::fail, Fault::interrupt, Fault::shorten, Fault::end,
                              Fault::corrupt, Fault::replace}) {
      // What is written is synced, which takes its time: not every fault at every call there.
      const std::uint64_t step = used || fault == Fault::fail ? 1 : 5;
      for (std::uint64_t call = 0; call < counting.calls(); call += step) {
        prepare();
        FaultEnv env(fault, call, call % 2 == 0 ? EIO : ENOSPC);
        INFO("used " << used << ", fault " << static_cast<int>(fault) << " at call " << call);
        const Outcome outcome = outcome_of([&] { at.load(env); });
        CAPTURE(outcome.message);
        CHECK(env.open_descriptors() == 0);
        CHECK((outcome.kind == ErrorKind{0} || outcome.kind == ErrorKind::io ||
               outcome.kind == ErrorKind::resource_exhausted ||
               outcome.kind == ErrorKind::malformed || outcome.kind == ErrorKind::insecure_key));
        struck += env.struck() ? 1 : 0;
        // What is there afterwards gives the key, and no temporary file is left.
        const auto after = at.load();
        REQUIRE(after.key.a == at.key.a);
        REQUIRE(after.key.b_g2 == at.key.b_g2);
        for (const auto& entry : fs::recursive_directory_iterator(at.folder / ".")) {
          REQUIRE(entry.path().extension() != ".tmp");
        }
      }
    }
    CHECK(struck > 50);
  }
}
