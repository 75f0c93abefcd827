// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <catch2/catch.hpp>

#include <zkgpu/prover/groth16/generate.hpp>
#include <zkgpu/prover/io/binary/proof_file.hpp>
#include <zkgpu/prover/prover.hpp>
#include <zkgpu/prover/r1cs/shape.hpp>

#include "golden_files.hpp"
#include "small_circuits.hpp"

using namespace zkgpu;        // NOLINT
using namespace zkgpu::test;  // NOLINT
using Bls = Bls12_381;
using Host = Cpu<arch::scalar>;

namespace {

std::vector<std::byte> bytes_of(const Proof<Bls>& proof) {
  io::MemorySink sink;
  io::write_proof(sink, proof);
  return sink.take();
}

template <class C>
void expect_equal_proofs(const C& circuit, KeyForm form) {
  const R1cs<Fr> r1cs = synthesize_r1cs<Fr>(circuit);
  const R1csShape shape = synthesize_shape<Fr>(circuit);
  const ProvingKey<Bls> key = generate_key<Bls>(r1cs, golden_waste(), form);
  const Blinding<Fr> blinding = golden_blinding();
  ProverOptions<Bls> with_matrices;
  with_matrices.r1cs = &r1cs;
  with_matrices.insecure_blinding = &blinding;
  ProverOptions<Bls> with_shape;
  with_shape.shape = &shape;
  with_shape.insecure_blinding = &blinding;
  Prover<Bls, Host, pipeline::cpu_only> by_matrices(Host(), key, with_matrices);
  Prover<Bls, Host, pipeline::cpu_only> by_shape(Host(), key, with_shape);
  CHECK(bytes_of(by_shape.prove(circuit)) == bytes_of(by_matrices.prove(circuit)));
}

/// Counts how often it is walked.
struct Counted {
  SquaringsCircuit<Fr> circuit;
  int* walks;

  template <ConstraintSystem CS>
  void synthesize(CS& system) const {
    ++*walks;
    circuit.synthesize(system);
  }
};

}  // namespace

TEST_CASE("proofs by a shape are those by matrices, byte for byte", "[prover][groth16]") {
  for (const KeyForm form : {KeyForm::bellman, KeyForm::snarkjs}) {
    expect_equal_proofs(XorCircuit<Fr>{true, false}, form);
    expect_equal_proofs(SquaringsCircuit<Fr>{61}, form);
  }
}

TEST_CASE("a shape that does not fit is refused", "[prover][groth16]") {
  const SquaringsCircuit<Fr> circuit{29};
  const R1cs<Fr> r1cs = synthesize_r1cs<Fr>(circuit);
  const ProvingKey<Bls> key = generate_key<Bls>(r1cs, golden_waste(), KeyForm::bellman);
  const auto make = [&](const R1csShape& shape, const R1cs<Fr>* system) {
    ProverOptions<Bls> options;
    options.shape = &shape;
    options.r1cs = system;
    Prover<Bls, Host, pipeline::cpu_only> prover(Host(), key, options);
    static_cast<void>(prover.prove(circuit));
  };
  const R1csShape fitting = shape_of(r1cs);
  CHECK_NOTHROW(make(fitting, nullptr));
  CHECK_THROWS_AS(make(fitting, &r1cs), InvalidArgument);
  R1csShape wrong = fitting;
  ++wrong.num_wires;
  CHECK_THROWS_AS(make(wrong, nullptr), InvalidArgument);
  wrong = fitting;
  --wrong.constraints;
  CHECK_THROWS_AS(make(wrong, nullptr), InvalidArgument);
  wrong = fitting;
  ++wrong.constraints;
  CHECK_THROWS_AS(make(wrong, nullptr), InvalidArgument);
  wrong = fitting;
  wrong.density.b.insert(1);  // a point more than the key has
  CHECK_THROWS_AS(make(wrong, nullptr), InvalidArgument);
}

TEST_CASE("a circuit is walked once for its witness, and once for its rows", "[prover][groth16]") {
  int walks = 0;
  const Counted counted{{5}, &walks};
  const R1csShape shape = synthesize_shape<Fr>(counted.circuit);
  CircuitWitness<Fr, Counted> source(counted);
  std::vector<Fr> a(shape.constraints), b(shape.constraints), other_a(a), other_b(b);
  source.make();
  CHECK(source.make_rows(a, b) == shape.constraints);
  CHECK(walks == 2);
  CHECK(source.make_with_rows(other_a, other_b) == shape.constraints);
  CHECK(walks == 3);
  CHECK(a == other_a);
  CHECK(b == other_b);
}

TEST_CASE("a finished witness has no rows to give", "[prover][groth16]") {
  const SquaringsCircuit<Fr> circuit{5};
  const R1cs<Fr> r1cs = synthesize_r1cs<Fr>(circuit);
  const R1csShape shape = shape_of(r1cs);
  const ProvingKey<Bls> key = generate_key<Bls>(r1cs, golden_waste(), KeyForm::bellman);
  ProverOptions<Bls> options;
  options.shape = &shape;
  Prover<Bls, Host, pipeline::cpu_only> prover(Host(), key, options);
  const Witness<Fr> witness = synthesize_witness<Fr>(circuit);
  CHECK_THROWS_AS(prover.prove(witness), InvalidArgument);
}
