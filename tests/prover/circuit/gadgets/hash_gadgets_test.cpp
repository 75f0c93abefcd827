// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <array>
#include <catch2/catch.hpp>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <zkgpu/curve/bls12_381.hpp>
#include <zkgpu/prover/circuit/gadgets/bits.hpp>
#include <zkgpu/prover/circuit/gadgets/poseidon.hpp>
#include <zkgpu/prover/circuit/gadgets/sha256.hpp>
#include <zkgpu/prover/io/bytes/digest.hpp>
#include <zkgpu/prover/r1cs/builder.hpp>
#include <zkgpu/prover/r1cs/satisfied.hpp>
#include <zkgpu/prover/witness/builder.hpp>

#include "prover/circuit/gadgets/golden_r1cs.hpp"

namespace zkgpu {

namespace {

using F = Bls12_381::Fr;

template <ConstraintSystem CS>
std::vector<Variable> allocate_numbers(CS& cs, std::size_t count) {
  std::vector<Variable> numbers;
  for (std::size_t i = 0; i < count; ++i) {
    numbers.push_back(cs.allocate([&] { return F(static_cast<int>(3 * i + 2)).inverse(); }));
  }
  return numbers;
}

/// SHA-256 of a message of variable bits.
struct HashOfBytes {
  std::vector<std::uint8_t> message;
  mutable std::vector<bool> digest;  ///< written by a system that has values

  template <ConstraintSystem CS>
  void synthesize(CS& cs) const {
    std::vector<Boolean> bits;
    for (const std::uint8_t byte : message) {
      for (int i = 7; i >= 0; --i) {
        bits.push_back(Boolean::is(allocate_bit(cs, [&] { return ((byte >> i) & 1) != 0; })));
      }
    }
    const std::vector<Boolean> hash = sha256::hash(cs, bits);
    if constexpr (CS::has_values) {
      digest.clear();
      for (const Boolean& bit : hash) digest.push_back(bit.value(cs));
    }
  }
};

std::vector<bool> bits_of(const io::Digest& digest) {
  std::vector<bool> bits;
  for (const std::byte byte : digest.bytes) {
    for (int i = 7; i >= 0; --i) bits.push_back(((std::to_integer<int>(byte) >> i) & 1) != 0);
  }
  return bits;
}

struct PoseidonOfNumbers {
  unsigned arity;
  template <ConstraintSystem CS>
  void synthesize(CS& cs) const {
    poseidon_hash(cs, poseidon<F>(arity), allocate_numbers(cs, arity));
  }
};

template <class C>
void expect_satisfied(const C& circuit) {
  const R1cs<F> r1cs = synthesize_r1cs<F>(circuit);
  const Witness<F> witness = synthesize_witness<F>(circuit);
  REQUIRE(witness.size() == r1cs.num_wires);
  const auto violation = first_violation<F>(r1cs, std::span<const F::Integer>(witness.values));
  CHECK_FALSE(violation.has_value());
}

}  // namespace

TEST_CASE("SHA-256 in a circuit is SHA-256, and its constraints hold", "[prover][circuit]") {
  for (const std::size_t length : {0u, 1u, 3u, 55u, 56u, 64u, 119u}) {
    CAPTURE(length);
    HashOfBytes circuit;
    for (std::size_t i = 0; i < length; ++i) {
      circuit.message.push_back(static_cast<std::uint8_t>(37 * i * i + 11 * i + 91));
    }
    expect_satisfied(circuit);
    CHECK(circuit.digest == bits_of(io::digest_of(std::as_bytes(std::span(circuit.message)))));
  }
}

TEST_CASE("no single bit of a SHA-256 witness can be changed", "[prover][circuit]") {
  HashOfBytes circuit;
  circuit.message.assign(3, 0xa5);
  const R1cs<F> r1cs = synthesize_r1cs<F>(circuit);
  const Witness<F> witness = synthesize_witness<F>(circuit);
  std::vector<F::Integer> values(witness.values.begin(), witness.values.end());
  const F::Integer zero{}, one = F::Integer::from_uint64(1);
  for (std::size_t wire = 1; wire < values.size(); wire += 997) {
    CAPTURE(wire);
    const F::Integer kept = values[wire];
    values[wire] = kept == zero ? one : zero;
    CHECK(first_violation<F>(r1cs, std::span<const F::Integer>(values)).has_value());
    values[wire] = F::Integer::from_uint64(2);
    CHECK(first_violation<F>(r1cs, std::span<const F::Integer>(values)).has_value());
    values[wire] = kept;
  }
}

TEST_CASE("a hash of constants costs nothing", "[prover][circuit]") {
  io::R1csDigest<F> cs;
  const std::vector<Boolean> message(512, Boolean::constant(true));
  const std::vector<Boolean> hash = sha256::hash(cs, message);
  CHECK(cs.summary().constraints == 0);
  CHECK(cs.summary().auxiliary == 0);
  std::vector<bool> bits;
  for (const Boolean& bit : hash) {
    REQUIRE(bit.is_constant());
    bits.push_back(bit.constant_value);
  }
  const std::vector<std::byte> ones(64, std::byte{0xff});
  CHECK(bits == bits_of(io::digest_of(ones)));
}

TEST_CASE("a compression costs what keys were made for", "[prover][circuit]") {
  // Counts of bellperson's gadget (rust-fil-proofs): all variable 26192, from constants 25840.
  for (const bool variable_state : {true, false}) {
    io::R1csDigest<F> cs;
    const auto allocate_word = [&] {
      Word32 word;
      for (Boolean& bit : word.bits) bit = Boolean::is(allocate_bit(cs, [] { return false; }));
      return word;
    };
    sha256::State state = sha256::constant_initial_state();
    if (variable_state) {
      for (Word32& word : state) word = allocate_word();
    }
    sha256::Block block;
    for (Word32& word : block) word = allocate_word();
    const std::uint64_t before = cs.summary().constraints;
    sha256::compress(cs, state, block);
    CHECK(cs.summary().constraints - before == (variable_state ? 26192 : 25840));
  }
}

TEST_CASE("poseidon in a circuit is poseidon, and its constraints hold", "[prover][circuit]") {
  struct Row {
    unsigned arity;
    std::uint64_t constraints;
  };
  // Counts: neptune, src/circuit.rs.
  for (const Row row : {Row{2, 311}, {4, 377}, {8, 505}, {11, 598}, {16, 761}}) {
    CAPTURE(row.arity);
    expect_satisfied(PoseidonOfNumbers{row.arity});
    WitnessBuilder<F> values;
    const std::vector<Variable> preimage = allocate_numbers(values, row.arity);
    const Variable hash = poseidon_hash(values, poseidon<F>(row.arity), preimage);
    std::vector<F> numbers;
    for (const Variable& x : preimage) numbers.push_back(values.value(x));
    CHECK(values.value(hash) == poseidon<F>(row.arity).hash(numbers));
    io::R1csDigest<F> cs;
    PoseidonOfNumbers{row.arity}.synthesize(cs);
    CHECK(cs.summary().constraints == row.constraints);
    CHECK(cs.summary().auxiliary == row.constraints + row.arity);
  }
}

TEST_CASE("hash gadgets are the reference's, constraint by constraint", "[prover][circuit]") {
  if (!test::shared_present("golden/reference/r1cs")) return;
  for (const unsigned arity : {2u, 4u, 8u, 11u}) {
    test::check_against_reference("gadget-poseidon-" + std::to_string(arity),
                                  [&](auto& cs) { PoseidonOfNumbers{arity}.synthesize(cs); });
  }
  test::check_against_reference("gadget-sha256-block", [](auto& cs) {
    std::vector<Boolean> bits;
    for (int i = 0; i < 512; ++i) {
      bits.push_back(Boolean::is(allocate_bit(cs, [] { return false; })));
    }
    sha256::Block block;
    for (std::size_t i = 0; i < 16; ++i) {
      block[i] = Word32::from_big_endian(cs, std::span<const Boolean>(bits).subspan(32 * i, 32));
    }
    sha256::compress(cs, sha256::constant_initial_state(), block);
  });
}

}  // namespace zkgpu
