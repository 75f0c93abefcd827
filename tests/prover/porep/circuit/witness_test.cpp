// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <array>
#include <catch2/catch.hpp>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <zkgpu/core/error.hpp>
#include <zkgpu/prover/io/bytes/byte_source.hpp>
#include <zkgpu/prover/io/bytes/digest.hpp>
#include <zkgpu/prover/porep/c1/read.hpp>
#include <zkgpu/prover/porep/circuit/stacked_drg.hpp>
#include <zkgpu/prover/porep/partition_witness.hpp>
#include <zkgpu/prover/porep/seal/invent.hpp>
#include <zkgpu/prover/r1cs/builder.hpp>
#include <zkgpu/prover/r1cs/satisfied.hpp>
#include <zkgpu/prover/witness/builder.hpp>
#include <zkgpu/prover/witness/walker.hpp>

#include "prover/porep/porep_values.hpp"

namespace zkgpu::porep {

namespace {

using test::porep::filled;

std::string digest_of_auxiliary(const SectorShape& shape, const Witness<Fr>& witness) {
  const std::span<const Fr::Integer> auxiliary =
      std::span<const Fr::Integer>(witness.values).subspan(shape.public_inputs() + 1);
  return io::to_hex(io::digest_of(std::as_bytes(auxiliary)));
}

void expect_public_inputs(const SectorShape& shape, const Witness<Fr>& witness,
                          std::span<const Fr> expected) {
  REQUIRE(expected.size() == shape.public_inputs());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    CHECK(witness.values[i + 1] == expected[i].to_integer());
  }
}

Phase1Output invent(std::uint64_t registered) {
  return invent_phase1(registered_proof(registered).config(),
                       {prover_id_of_miner(1000), 1, filled(1)}, filled(2));
}

SealStatement statement_of(const Phase1Output& output) {
  return {{prover_id_of_miner(1000), 1, filled(1)}, output.comm_d, output.comm_r, filled(2)};
}

}  // namespace

TEST_CASE("a partition's layout is its circuit's, challenge by challenge", "[prover][porep]") {
  for (const char* name : {"2KiB", "32KiB"}) {
    const SectorShape& shape = shape_of_name(name);
    const PartitionLayout layout = layout_of(shape);
    OffsetCounter<Fr> counter;
    StackedDrgCircuit{shape}.synthesize(counter);
    CHECK(counter.offset() == layout.before(shape.challenges));
  }
  const CircuitOffset all = layout_of(shape_of_name("32GiB")).before(18);
  CHECK(all.inputs == 328);
  CHECK(all.auxiliary == 130169893);
  CHECK(all.constraints == 130278541);
}

TEST_CASE("a partition's shape is that of its walk", "[prover][porep]") {
  const SectorShape& shape = shape_of_name("2KiB");
  const R1csShape quick = circuit_shape(shape);
  CHECK(quick == synthesize_shape<Fr>(StackedDrgCircuit{shape}));
  CHECK(quick.density.a.count() == 2674948);
  CHECK(quick.density.b.count() == 685522);
}

TEST_CASE("the witness of an invented sector satisfies the circuit, and its rows are the matrices'",
          "[prover][porep]") {
  const SectorShape& shape = shape_of_name("2KiB");
  const Phase1Output output = invent(5);
  const PartitionWitness partition(shape, output, output.partitions[0]);
  const Witness<Fr> witness = partition.make();
  CHECK(digest_of_auxiliary(shape, witness).starts_with("4d2b3b488fcf77f7"));
  expect_public_inputs(shape, witness,
                       seal_public_inputs(registered_proof(5).config(), statement_of(output))[0]);
  const StackedDrgCircuit circuit{shape, &output, &output.partitions[0]};
  const R1cs<Fr> r1cs = synthesize_r1cs<Fr>(circuit);
  const std::span<const Fr::Integer> z(witness.values);
  CHECK_FALSE(first_violation<Fr>(r1cs, z).has_value());
  std::vector<Fr> a(partition.constraints()), b(partition.constraints());
  CHECK(partition.make_rows(z, a, b) == r1cs.num_constraints());
  const Fr radix = montgomery_radix<Fr>();
  std::size_t different = 0;
  for (std::size_t row = 0; row < r1cs.num_constraints(); ++row) {
    if (!(a[row] == row_product(r1cs.a, row, z, radix))) ++different;
    if (!(b[row] == row_product(r1cs.b, row, z, radix))) ++different;
  }
  CHECK(different == 0);
}

TEST_CASE("witnesses of the reference's seals are the reference's", "[prover][porep]") {
  if (!test::shared_present("golden/reference/seal")) return;
  const SectorShape& shape = shape_of_name("2KiB");
  for (const std::string name : {"A", "B", "ni"}) {
    const auto path = test::shared_dir() / "golden/reference/seal" / (name + ".c1.bin");
    const std::vector<std::byte> bytes = test::read_bytes(path);
    io::SpanSource source(bytes, path.string());
    const C1File file = read_c1(source);
    const auto golden = test::porep::golden_lines("golden/reference/seal/" + name + ".txt");
    const PartitionWitness partition(shape, file.output, file.output.partitions[0]);
    CHECK(digest_of_auxiliary(shape, partition.make()) == golden.at("p0.witness-sha256"));
  }
}

TEST_CASE("witnesses of invented sectors are those of another program", "[prover][porep][slow]") {
  for (const auto& [registered, digest] :
       {std::pair{6, "f60910a7a729e479"}, std::pair{7, "a34fdda81751662e"}}) {
    const Phase1Output output = invent(static_cast<std::uint64_t>(registered));
    const SectorShape shape =
        registered_proof(static_cast<std::uint64_t>(registered)).config().shape;
    const PartitionWitness partition(shape, output, output.partitions[0]);
    CHECK(digest_of_auxiliary(shape, partition.make()).starts_with(digest));
  }
}

TEST_CASE("the witness of a 32 GiB partition is that of another program", "[prover][porep][slow]") {
  const Phase1Output output = invent(8);
  const SectorShape& shape = shape_of_name("32GiB");
  const PartitionWitness partition(shape, output, output.partitions[0]);
  const Witness<Fr> witness = partition.make();
  CHECK(digest_of_auxiliary(shape, witness).starts_with("0577d00967be9b31"));
  expect_public_inputs(shape, witness,
                       seal_public_inputs(registered_proof(8).config(), statement_of(output))[0]);
}

TEST_CASE("a partition that is not the shape's is refused", "[prover][porep]") {
  const SectorShape& shape = shape_of_name("2KiB");
  Phase1Output output = invent(5);
  PartitionProof less = output.partitions[0];
  less.pop_back();
  CHECK_THROWS_AS(PartitionWitness(shape, output, less), InvalidArgument);
  const auto expect_refused = [&](const auto& change, const std::string& message) {
    PartitionProof changed = output.partitions[0];
    change(changed[1]);
    CHECK_THROWS_WITH(PartitionWitness(shape, output, changed),
                      Catch::Matchers::Contains("challenge 1: " + message));
  };
  expect_refused([](ChallengeProof& p) { p.comm_d = {}; }, "comm_d_proofs");
  expect_refused([](ChallengeProof& p) { p.comm_d.path[3].siblings.clear(); }, "comm_d_proofs");
  expect_refused([](ChallengeProof& p) { p.comm_r_last.path.pop_back(); }, "comm_r_last_proof");
  expect_refused([](ChallengeProof& p) { p.c_x.inclusion.path[0].siblings.pop_back(); }, "c_x");
  expect_refused([](ChallengeProof& p) { p.drg_parents[4].labels.pop_back(); }, "drg_parents");
  expect_refused([](ChallengeProof& p) { p.exp_parents[7].inclusion = {}; }, "exp_parents");
  expect_refused([](ChallengeProof& p) { p.labeling.clear(); }, "labeling_proofs");
  const PartitionWitness partition(shape, output, output.partitions[0]);
  Witness<Fr> witness = partition.make();
  std::vector<Fr> a(partition.constraints()), b(partition.constraints());
  CHECK_THROWS_AS(partition.make_rows(std::span(witness.values).subspan(1), a, b), InvalidArgument);
  CHECK_THROWS_AS(partition.make_rows(witness.values, std::span(a).subspan(1), b), InvalidArgument);
  output.partitions[0][1].comm_d.leaf.fill(std::byte{0xff});
  CHECK_THROWS_AS(partition.make(), Malformed);
}

}  // namespace zkgpu::porep
