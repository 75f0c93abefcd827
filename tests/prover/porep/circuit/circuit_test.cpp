// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <catch2/catch.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include <zkgpu/prover/porep/circuit/stacked_drg.hpp>

#include "prover/circuit/gadgets/golden_r1cs.hpp"

namespace zkgpu::porep {

namespace {

void check_shape(const std::string& golden, const SectorShape& shape,
                 std::size_t checkpoints_at_least) {
  const std::size_t compared = test::check_against_reference(
      golden, [&](auto& cs) { StackedDrgCircuit{shape}.synthesize(cs); });
  CHECK(compared >= checkpoints_at_least);
}

}  // namespace

TEST_CASE("the 2 KiB circuit is the network's", "[prover][porep]") {
  // Counts and digests as published with the reference's files, so that this holds without them
  // too.
  io::R1csDigest<Fr> cs({571, 272865, 292152, 815957, 1341811, 1344246, 2687921});
  StackedDrgCircuit{shape_of_name("2KiB")}.synthesize(cs);
  const char* const on_the_way[] = {"681bfeb5237a77e9", "a2813cff7e0940dd", "2b9ea02a6f6ea1ed",
                                    "ad80a9c8f546aad0", "54bb009078a2f00d", "edccf624b9281a5e",
                                    "c48acf08e6220b08"};
  REQUIRE(cs.checkpoints().size() == 7);
  for (std::size_t i = 0; i < 7; ++i) {
    CHECK(io::to_hex(cs.checkpoints()[i].digest).substr(0, 16) == on_the_way[i]);
  }
  cs.append_input_rows();
  const io::R1csSummary summary = cs.summary();
  CHECK(summary.inputs == 40);
  CHECK(summary.auxiliary == 2685673);
  CHECK(summary.constraints == 2687961);
  CHECK(summary.a_auxiliary_density == 2674908);
  CHECK(summary.b_input_density == 1);
  CHECK(summary.b_auxiliary_density == 685521);
  CHECK(io::to_hex(summary.digest) ==
        "3978711cf3396732e234867f133810af61d62d9bc894f5eefbf7ee63b5b777cd");
}

TEST_CASE("gadgets of the proof of replication are the reference's", "[prover][porep]") {
  if (!test::shared_present("golden/reference/r1cs")) return;
  test::check_against_reference("gadget-tree-d-node", [](auto& cs) {
    const std::vector<Variable> children = {cs.allocate([] { return Fr::one(); }),
                                            cs.allocate([] { return Fr::one(); })};
    Sha256Node()(cs, children);
  });
  test::check_against_reference("gadget-label", [](auto& cs) {
    const auto allocate_bits = [&] {
      std::vector<Boolean> bits;
      for (int i = 0; i < 256; ++i) {
        bits.push_back(Boolean::is(allocate_bit(cs, [] { return false; })));
      }
      return bits;
    };
    std::vector<std::vector<Boolean>> parents;
    for (std::size_t i = 0; i < label_parents; ++i) parents.push_back(allocate_bits());
    const std::vector<Boolean> replica_id = allocate_bits();
    std::vector<Boolean> node;
    for (int i = 0; i < 64; ++i) {
      node.push_back(Boolean::constant(((std::uint64_t{22} >> i) & 1) != 0));
    }
    create_label(cs, replica_id, 3, node, parents);
  });
}

TEST_CASE("circuits of small shapes are the reference's", "[prover][porep]") {
  if (!test::shared_present("golden/reference/r1cs")) return;
  check_shape("porep-2KiB", shape_of_name("2KiB"), 200);
  check_shape("porep-32KiB", shape_of_name("32KiB"), 200);
}

TEST_CASE("the circuit of one 32 GiB challenge is the reference's", "[prover][porep]") {
  if (!test::shared_present("golden/reference/r1cs")) return;
  SectorShape shape = shape_of_name("32GiB");
  shape.challenges = 1;
  check_shape("porep-32GiB-1", shape, 200);
}

TEST_CASE("circuits of all middle shapes are the reference's", "[prover][porep][slow]") {
  if (!test::shared_present("golden/reference/r1cs")) return;
  for (const char* name : {"4KiB", "16KiB", "8MiB", "16MiB", "512MiB", "1GiB"}) {
    check_shape(std::string("porep-") + name, shape_of_name(name), 200);
  }
}

TEST_CASE("the whole 32 GiB circuit is the network's", "[prover][porep][slow]") {
  if (!test::shared_present("golden/reference/r1cs")) return;
  check_shape("porep-32GiB", shape_of_name("32GiB"), 300);
}

TEST_CASE("the whole 64 GiB circuit is the network's", "[prover][porep][slow]") {
  if (!test::shared_present("golden/reference/r1cs")) return;
  check_shape("porep-64GiB", shape_of_name("64GiB"), 300);
}

}  // namespace zkgpu::porep
