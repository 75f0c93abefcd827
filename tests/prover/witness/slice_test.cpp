// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <zkgpu/prover/witness/slice.hpp>

#include <catch2/catch.hpp>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <zkgpu/core/error.hpp>
#include <zkgpu/curve/bls12_381.hpp>
#include <zkgpu/prover/circuit/gadgets/merkle_path.hpp>
#include <zkgpu/prover/circuit/gadgets/poseidon.hpp>
#include <zkgpu/prover/circuit/gadgets/sha256.hpp>
#include <zkgpu/prover/r1cs/builder.hpp>
#include <zkgpu/prover/r1cs/shape.hpp>
#include <zkgpu/prover/witness/builder.hpp>
#include <zkgpu/prover/witness/walker.hpp>

namespace zkgpu {

namespace {

using F = Bls12_381::Fr;

/// Every gadget once: bits, words, sums, both hashes, an insertion, packings, public outputs.
struct Everything {
  std::uint32_t seed = 0x12345678;

  template <ConstraintSystem CS>
  void synthesize(CS& cs) const {
    const Variable x = cs.allocate([&] { return F(static_cast<int>(seed >> 4)).inverse(); });
    const std::vector<Boolean> bits = unpack_all(cs, x);
    const std::vector<Boolean> hash = sha256::hash(cs, reverse_within_bytes(bits));
    pack_into_public(cs, std::span<const Boolean>(hash).first(60));
    const Variable packed = pack(cs, std::span<const Boolean>(hash).first(254));
    const Boolean both = logical_and(cs, bits[0], !hash[0]);
    const Boolean different = logical_xor(cs, !bits[1], hash[1]);
    const Variable picked = select(cs, both, x, packed);
    std::vector<Variable> children{x, packed, picked, multiply(cs, x, packed)};
    const Variable node = poseidon_hash(cs, poseidon<F>(4), children);
    const std::vector<Boolean> index{different, bits[2], hash[3]};
    children =
        insert(cs, node, std::vector<Variable>{x, packed, picked, x, packed, picked, x}, index);
    make_public(cs, poseidon_hash(cs, poseidon<F>(8), children));
  }
};

CircuitOffset offset_of(const Everything& circuit) {
  OffsetCounter<F> counter;
  circuit.synthesize(counter);
  return counter.offset();
}

}  // namespace

TEST_CASE("a counter, a recorder and a shape agree about a circuit", "[prover][witness]") {
  const Everything circuit;
  const R1cs<F> r1cs = synthesize_r1cs<F>(circuit);
  const CircuitOffset offset = offset_of(circuit);
  CHECK(offset.inputs == r1cs.num_public + 1);
  CHECK(offset.auxiliary == r1cs.num_auxiliary());
  CHECK(offset.constraints == r1cs.num_constraints());
  CHECK(synthesize_shape<F>(circuit) == shape_of(r1cs));
}

TEST_CASE("a slice writes what a builder makes, and the rows that matrices give",
          "[prover][witness]") {
  for (const std::uint32_t seed : {0x12345678u, 0xfedcba98u, 0x0f1e2d3cu, 77u}) {
    const Everything circuit{seed};
    const CircuitOffset offset = offset_of(circuit);
    const Witness<F> expected = synthesize_witness<F>(circuit);
    std::vector<F::Integer> values(offset.inputs + offset.auxiliary);
    values[0] = F::Integer::from_uint64(1);
    WitnessSlice<F> slice(values, offset.inputs, {});
    circuit.synthesize(slice);
    CHECK(std::equal(values.begin(), values.end(), expected.values.begin(), expected.values.end()));
    std::vector<F> a(offset.constraints), b(offset.constraints);
    RowWalker<F> walker(a, b);
    circuit.synthesize(walker);
    std::vector<F> our_a(offset.constraints), our_b(offset.constraints);
    RowSlice<F> rows(values, offset.inputs, {}, our_a, our_b);
    circuit.synthesize(rows);
    CHECK(rows.offset() == offset);
    CHECK(our_a == a);
    CHECK(our_b == b);
  }
}

TEST_CASE("parts of a circuit stand behind each other", "[prover][witness]") {
  const Everything first{1000001}, second{2000003};
  const CircuitOffset one = offset_of(first);
  const CircuitOffset part{one.inputs - 1, one.auxiliary, one.constraints};
  const std::uint32_t inputs = one.inputs + part.inputs;
  std::vector<F::Integer> values(inputs + 2 * std::size_t{part.auxiliary});
  values[0] = F::Integer::from_uint64(1);
  WitnessSlice<F> behind(values, inputs, CircuitOffset{} + part);
  second.synthesize(behind);  // the later part first
  WitnessSlice<F> before(values, inputs, {});
  first.synthesize(before);
  CHECK(before.offset().inputs == one.inputs);
  CHECK(before.offset().auxiliary == one.auxiliary);
  CHECK(behind.offset().inputs == inputs);
  CHECK(behind.offset().auxiliary == 2 * one.auxiliary);
  WitnessBuilder<F> builder;
  first.synthesize(builder);
  second.synthesize(builder);
  const Witness<F> expected = std::move(builder).finish();
  CHECK(std::equal(values.begin(), values.end(), expected.values.begin(), expected.values.end()));
}

TEST_CASE("a slice without room says so", "[prover][witness]") {
  const Everything circuit;
  const CircuitOffset offset = offset_of(circuit);
  std::vector<F::Integer> values(offset.inputs + offset.auxiliary);
  values[0] = F::Integer::from_uint64(1);
  const std::span<F::Integer> room(values);
  WitnessSlice<F> short_of_auxiliary(room.first(room.size() - 1), offset.inputs, {});
  CHECK_THROWS_AS(circuit.synthesize(short_of_auxiliary), InvalidArgument);
  WitnessSlice<F> short_of_public(values, offset.inputs - 1, {});
  CHECK_THROWS_AS(circuit.synthesize(short_of_public), InvalidArgument);
  WitnessSlice<F> whole(values, offset.inputs, {});
  circuit.synthesize(whole);
  std::vector<F> a(offset.constraints - 1), b(offset.constraints - 1);
  RowSlice<F> rows(values, offset.inputs, {}, a, b);
  CHECK_THROWS_AS(circuit.synthesize(rows), InvalidArgument);
}

}  // namespace zkgpu
