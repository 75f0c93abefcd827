// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// The one main() of all test programs. A test that cannot run here (no shared data, no device)
// calls `zkgpu::test::skip(why)`, and a program whose tests all need something registers a
// `zkgpu::test::Requirement`; a run in which nothing failed but something skipped ends with
// status 77, which ctest reports as "skipped" rather than "passed".
#define CATCH_CONFIG_RUNNER
#include <catch2/catch.hpp>

#include <iostream>
#include <string>
#include <string_view>

#include "shared.hpp"

namespace {

/// Is this a run of tests, not a list of them?
bool runs_tests(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    if (argument.starts_with("--list") || argument == "-l" || argument == "-h" ||
        argument == "--help") {
      return false;
    }
  }
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  for (const auto reason : zkgpu::test::requirements()) {
    if (!runs_tests(argc, argv)) break;
    const std::string missing = reason();
    if (missing.empty()) continue;
    std::cout << "skipped: " << missing << '\n';
    return zkgpu::test::skipped_status;
  }
  const int status = Catch::Session().run(argc, argv);
  const auto& skipped = zkgpu::test::skips();
  for (const auto& why : skipped) std::cout << "skipped: " << why << '\n';
  if (status != 0) return status;
  return skipped.empty() ? 0 : zkgpu::test::skipped_status;
}
