// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <ios>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

/// Test data made by other people's software (vectors, fixtures) is not part of the repository.
/// Tests that read it say so in their first line and are reported as skipped where it is absent:
///
///     if (!zkgpu::test::shared_present("vectors/eip-2537")) return;
namespace zkgpu::test {

/// Exit status of a test program that failed nothing and skipped something.
inline constexpr int skipped_status = 77;

/// What was skipped in this process, and why.
inline std::vector<std::string>& skips() {
  static std::vector<std::string> reasons;
  return reasons;
}

/// Records that a test could not run here. Never call it to hide a failure.
inline void skip(std::string_view why) { skips().emplace_back(why); }

/// What a program's tests need all together: each gives the reason why it is not here, or nothing.
/// Asked before any test runs; a program registers its own from a static object.
inline std::vector<std::string (*)()>& requirements() {
  static std::vector<std::string (*)()> all;
  return all;
}
struct Requirement {
  explicit Requirement(std::string (*reason)()) { requirements().push_back(reason); }
};

/// The folder of shared test data: the environment variable ZKGPU_SHARED if set, else what the
/// build was configured with, else `shared/` in or beside the current folder. May not exist.
inline std::filesystem::path shared_dir() {
  if (const char* set = std::getenv("ZKGPU_SHARED"); set != nullptr && *set != '\0') return set;
#ifdef ZKGPU_SHARED
  if (const std::filesystem::path configured{ZKGPU_SHARED}; !configured.empty()) return configured;
#endif
  return std::filesystem::is_directory("shared") ? "shared" : "../shared";
}

/// True if `relative` (a file or folder below `shared_dir()`) is here; else records the skip.
inline bool shared_present(std::string_view relative) {
  if (std::filesystem::exists(shared_dir() / relative)) return true;
  skip("shared data not here: " + std::string(relative) + " (set ZKGPU_SHARED to its folder)");
  return false;
}

/// A file's bytes. @throws std::runtime_error naming the path if it cannot be read
inline std::string read_text(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::string text(std::istreambuf_iterator<char>(in), {});
  if (!in.is_open() || in.bad()) throw std::runtime_error("cannot read " + path.string());
  return text;
}

/// The same as bytes.
inline std::vector<std::byte> read_bytes(const std::filesystem::path& path) {
  const std::string text = read_text(path);
  const auto* first = reinterpret_cast<const std::byte*>(text.data());
  return {first, first + text.size()};
}

}  // namespace zkgpu::test
