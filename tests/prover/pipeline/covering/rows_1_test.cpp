// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Policies of the covering set, each with all laws. In two files, each compiled by itself.
#include <catch2/catch.hpp>

#include <cstddef>
#include <utility>

#include "laws.hpp"
#include "table.hpp"

using namespace zkgpu::test;  // NOLINT

TEST_CASE("policies of the covering set give the reference's bytes, within their plans, part 1",
          "[pipeline][agreement][fault]") {
  constexpr std::size_t first = covering::row_count * 0 / 2;
  constexpr std::size_t end = covering::row_count * 1 / 2;
  []<std::size_t... i>(std::index_sequence<i...>) {
    (check_policy<covering::Policy<first + i>>(first + i), ...);
  }
  (std::make_index_sequence<end - first>());
}
