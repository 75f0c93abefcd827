// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// The named policies, each with all laws.
#include <catch2/catch.hpp>

#include "laws.hpp"

using namespace zkgpu;        // NOLINT
using namespace zkgpu::test;  // NOLINT

namespace {

/// Of a shape that three workers' proofs fit with.
using phase10 =
    pipeline::phase10<pipeline::CircuitShape{.domain_size = 64, .num_wires = 64, .field_bytes = 32},
                      100000>;

}  // namespace

TEMPLATE_TEST_CASE("named policies give the reference's bytes, within their plans",
                   "[pipeline][agreement][fault]", pipeline::datacenter, pipeline::desktop16,
                   pipeline::low_memory, pipeline::cpu_only, pipeline::phase0, pipeline::phase1,
                   pipeline::phase2, pipeline::phase3, pipeline::phase4, pipeline::phase5,
                   pipeline::phase6, pipeline::phase7, pipeline::phase8, pipeline::phase9, phase10,
                   pipeline::phase11, pipeline::phase12) {
  check_policy<TestType>(static_cast<unsigned>(TestType::name.size()));
}
