// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// The one main() of all test programs. A test that cannot run here (no shared data, no device)
// calls `zkgpu::test::skip(why)`; a run in which nothing failed but something skipped ends with
// status 77, which ctest reports as "skipped" rather than "passed".
#define CATCH_CONFIG_RUNNER
#include <catch2/catch.hpp>

#include <iostream>

#include "shared.hpp"

int main(int argc, char** argv) {
  const int status = Catch::Session().run(argc, argv);
  const auto& skipped = zkgpu::test::skips();
  for (const auto& why : skipped) std::cout << "skipped: " << why << '\n';
  if (status != 0) return status;
  return skipped.empty() ? 0 : zkgpu::test::skipped_status;
}
