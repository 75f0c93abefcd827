// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "io_fixtures.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <map>

#include <zkgpu/prover/io/iden3/r1cs_file.hpp>
#include <zkgpu/prover/io/iden3/wtns_file.hpp>

using namespace zkgpu;
using namespace zkgpu::test;
using Fr = Bls::Fr;

namespace {

/// The table of fixtures/snarkjs/README.md.
struct Counts {
  std::size_t constraints;
  std::uint32_t wires, publics;
  std::size_t domain;
};
const std::map<std::string_view, Counts> expected = {{"mult", {1, 4, 1, 4}},
                                                     {"mult-beacon", {1, 4, 1, 4}},
                                                     {"nopub", {3, 5, 0, 4}},
                                                     {"manypub", {30, 59, 23, 64}},
                                                     {"manypub-initial", {30, 59, 23, 64}},
                                                     {"unused", {3, 19, 3, 8}},
                                                     {"bits", {1598, 1587, 2, 2048}},
                                                     {"poseidon", {517, 520, 3, 1024}},
                                                     {"chain10", {1020, 1023, 2, 1024}}};

template <class Matrix>
Fr row_product(const Matrix& matrix, std::size_t row, const std::vector<Fr>& z) {
  Fr sum = Fr::zero();
  const auto columns = matrix.columns_of(row);
  const auto values = matrix.values_of(row);
  for (std::size_t i = 0; i < columns.size(); ++i) sum += values[i] * z[columns[i]];
  return sum;
}

std::vector<Fr> assignment(std::string_view circuit) {
  const Bytes bytes = read_bytes(snarkjs_file(circuit, "witness.wtns"));
  io::SpanSource source(bytes, "witness.wtns");
  const auto witness = io::read_wtns<Fr>(source);
  std::vector<Fr> z;
  for (const auto& value : witness.values) z.push_back(Fr::from_integer(value));
  return z;
}

}  // namespace

TEST_CASE(
    "r1cs files of circom are read, satisfied by their witness, and written back byte for byte",
    "[io][vec]") {
  if (!snarkjs_present()) return;
  for (const std::string_view circuit : circuits) {
    INFO(circuit);
    const Bytes bytes = read_bytes(snarkjs_file(circuit, "circuit.r1cs"));
    io::SpanSource source(bytes, "circuit.r1cs");
    const auto file = io::read_r1cs<Fr>(source);
    const Counts& counts = expected.at(circuit);
    CHECK(file.system.num_constraints() == counts.constraints);
    CHECK(file.system.num_wires == counts.wires);
    CHECK(file.system.num_public == counts.publics);
    CHECK(file.warnings.empty());

    const std::vector<Fr> z = assignment(circuit);
    REQUIRE(z.size() == counts.wires);
    for (std::size_t row = 0; row < counts.constraints; ++row) {
      REQUIRE(row_product(file.system.a, row, z) * row_product(file.system.b, row, z) ==
              row_product(file.system.c, row, z));
    }
    io::MemorySink sink;
    io::write_r1cs(sink, file);
    CHECK(sink.bytes() == bytes);
  }
}

TEST_CASE("wtns files are read and written back byte for byte", "[io][vec]") {
  if (!snarkjs_present()) return;
  for (const std::string_view circuit : circuits) {
    INFO(circuit);
    const Bytes bytes = read_bytes(snarkjs_file(circuit, "witness.wtns"));
    io::SpanSource source(bytes, "witness.wtns");
    const auto witness = io::read_wtns<Fr>(source);
    CHECK(witness.size() == expected.at(circuit).wires);
    CHECK(witness.values[0] == Fr::Integer::from_uint64(1));
    io::MemorySink sink;
    io::write_wtns(sink, witness);
    CHECK(sink.bytes() == bytes);
  }
}

TEST_CASE("zkey files are read, and written back byte for byte where snarkjs ordered its sections",
          "[io][vec]") {
  if (!snarkjs_present()) return;
  for (const std::string_view circuit : circuits) {
    INFO(circuit);
    const Bytes bytes = read_bytes(snarkjs_file(circuit, "circuit.zkey"));
    const auto file = read_zkey_bytes(bytes, "circuit.zkey", is_insecure(circuit));
    const Counts& counts = expected.at(circuit);
    CHECK(file.key.num_wires == counts.wires);
    CHECK(file.key.num_public() == counts.publics);
    CHECK(file.key.domain_size() == counts.domain);
    CHECK(file.key.h.size() == counts.domain);
    CHECK(file.key.l.size() == counts.wires - counts.publics - 1);
    CHECK(file.report.digest == io::digest_of(bytes));
    CHECK_FALSE(file.report.was_listed);
    CHECK(file.ceremony.present);

    io::MemorySink sink;
    io::write_zkey(sink, file.key, file.ceremony);
    if (is_insecure(circuit)) {  // sections in another order: same content
      const auto again = read_zkey_bytes(sink.bytes(), "again", true);
      CHECK(sink.bytes().size() == bytes.size());
      CHECK(again.key.vk == file.key.vk);
      CHECK(again.key.a_matrix == file.key.a_matrix);
      CHECK(again.key.b_matrix == file.key.b_matrix);
      CHECK(again.key.h == file.key.h);
    } else {
      CHECK(sink.bytes() == bytes);
    }
  }
}

TEST_CASE("coefficients of a zkey are those of the r1cs, with the input rows behind", "[io][vec]") {
  if (!snarkjs_present()) return;
  for (const std::string_view circuit : circuits) {
    INFO(circuit);
    const Bytes zkey_bytes = read_bytes(snarkjs_file(circuit, "circuit.zkey"));
    const Bytes r1cs_bytes = read_bytes(snarkjs_file(circuit, "circuit.r1cs"));
    const auto key = read_zkey_bytes(zkey_bytes, "circuit.zkey", is_insecure(circuit)).key;
    io::SpanSource source(r1cs_bytes, "circuit.r1cs");
    const auto system = io::read_r1cs<Fr>(source).system;
    const std::vector<Fr> z = assignment(circuit);
    for (std::size_t row = 0; row < system.num_constraints(); ++row) {
      REQUIRE(row_product(key.a_matrix, row, z) == row_product(system.a, row, z));
      REQUIRE(row_product(key.b_matrix, row, z) == row_product(system.b, row, z));
    }
    for (std::uint32_t i = 0; i <= system.num_public; ++i) {
      const std::size_t row = system.num_constraints() + i;
      REQUIRE(key.a_matrix.columns_of(row).size() == 1);
      CHECK(key.a_matrix.columns_of(row)[0] == i);
      CHECK(key.a_matrix.values_of(row)[0] == Fr::one());
      CHECK(key.b_matrix.columns_of(row).empty());
    }
  }
}

TEST_CASE("the domain of a zkey comes from the non-residue 5, not from the generator 7",
          "[io][fr]") {
  if (!snarkjs_present()) return;
  const Bytes bytes = read_bytes(snarkjs_file("chain10", "circuit.zkey"));
  const auto key = read_zkey_bytes(bytes).key;
  CHECK(key.coset_shift.square() == key.domain_generator);
  CHECK_FALSE(key.domain_generator == Fr::root_of_unity(10));
  // 5^t = (7^t)^3797895509 for t = (r-1)/2^32, fixtures' README and FORMATS §0
  CHECK(key.domain_generator == Fr::root_of_unity(10).pow(Limbs<1>::from_uint64(3797895509)));
  Fr power = key.domain_generator;
  for (int i = 0; i < 9; ++i) power = power.square();
  CHECK(power == -Fr::one());  // order exactly 2^10
}

TEST_CASE("the ceremony of a zkey is told: contributors, beacon", "[io][vec]") {
  if (!snarkjs_present()) return;
  const auto read = [](std::string_view circuit) {
    return read_zkey_bytes(read_bytes(snarkjs_file(circuit, "circuit.zkey")), "k",
                           is_insecure(circuit))
        .ceremony;
  };
  CHECK(read("mult").contributions.size() == 1);
  CHECK(read("manypub-initial").contributions.empty());
  const auto beacon = read("mult-beacon");
  REQUIRE(beacon.contributions.size() == 3);
  CHECK(beacon.contributions[0].type == 0);
  CHECK(beacon.contributions[2].type == 1);
  CHECK_FALSE(beacon.contributions[2].beacon.empty());
  CHECK(beacon.contributions[2].log_iterations != 0);
}

TEST_CASE("a key without contribution to its second phase is refused as insecure", "[io][key]") {
  if (!snarkjs_present()) return;
  const Bytes bytes = read_bytes(snarkjs_file("manypub-initial", "circuit.zkey"));
  const Outcome outcome = outcome_of([&] { read_zkey_bytes(bytes, "circuit.zkey"); });
  CHECK(outcome.kind == ErrorKind::insecure_key);
  CHECK(outcome.message.find("circuit.zkey") != std::string::npos);
  CHECK(outcome.message.find("delta equals gamma") != std::string::npos);
}

TEST_CASE("files of another curve are refused by its name", "[io][vec]") {
  if (!snarkjs_present()) return;
  const auto message = [](const char* file) {
    const Bytes bytes = read_bytes(snarkjs_file("mult-bn128", file));
    io::SpanSource source(bytes, file);
    return outcome_of([&] {
             const std::string_view name = file;
             if (name.ends_with(".r1cs")) io::read_r1cs<Fr>(source);
             if (name.ends_with(".wtns")) io::read_wtns<Fr>(source);
             if (name.ends_with(".zkey")) read_zkey_bytes(bytes, file);
           })
        .message;
  };
  for (const char* file : {"circuit.r1cs", "witness.wtns", "circuit.zkey"}) {
    const std::string text = message(file);
    INFO(text);
    CHECK(text.find("unsupported curve") != std::string::npos);
    CHECK(text.find("BN254") != std::string::npos);
    CHECK(text.find(file) != std::string::npos);
  }
}
