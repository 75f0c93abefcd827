// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// The covering set covers: each pair of values of two parts stands in one of its policies, but for
// those that do not compile.
#include <catch2/catch.hpp>

#include <string>

#include <zkgpu/prover/pipeline/fingerprint.hpp>

#include "table.hpp"

using namespace zkgpu::test;  // NOLINT

TEST_CASE("each pair of values that may stand together does so in some policy", "[pipeline][law]") {
  using namespace covering;  // NOLINT
  std::size_t pairs = 0;
  for (std::size_t part = 0; part < part_count; ++part) {
    for (std::size_t other = part + 1; other < part_count; ++other) {
      for (std::size_t value = 0; value < value_counts[part]; ++value) {
        for (std::size_t beside = 0; beside < value_counts[other]; ++beside) {
          bool found = false;
          for (const Row& row : rows) found = found || (row[part] == value && row[other] == beside);
          INFO("part " << part << " value " << value << ", part " << other << " value " << beside);
          CHECK(found == fits(part, value, other, beside));
          ++pairs;
        }
      }
    }
  }
  CHECK(pairs > 1000);
}

TEST_CASE("a policy's fingerprint names its five parts", "[pipeline]") {
  using zkgpu::pipeline::fingerprint;
  const std::string text = fingerprint<zkgpu::pipeline::phase12>();
  CHECK(text ==
        "sized_pools | split_lock | staging<synthesis::matrix_cpu, upload::registered, "
        "g2_tail::cpu_detached, sync::deferred, key_stream::per_circuit> | memory<resident_host, "
        "allocate_each, "
        "free_serialised, true> | flow<unit::partition, order::oldest_first, "
        "admission::held_through_queue, batching::continuous, throttle::yield_flag, "
        "grain::per_partition>");
  CHECK_FALSE(fingerprint<covering::Policy<0>>() == fingerprint<covering::Policy<1>>());
}
