// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include <zkgpu/prover/groth16/generate.hpp>
#include <zkgpu/prover/io/binary/params_file.hpp>
#include <zkgpu/prover/io/binary/proof_file.hpp>
#include <zkgpu/prover/io/binary/vk_file.hpp>
#include <zkgpu/prover/io/bytes/byte_sink.hpp>
#include <zkgpu/prover/io/bytes/byte_source.hpp>
#include <zkgpu/prover/porep/c1/read.hpp>
#include <zkgpu/prover/porep/circuit/stacked_drg.hpp>
#include <zkgpu/prover/porep/partition_witness.hpp>
#include <zkgpu/prover/prover.hpp>
#include <zkgpu/prover/r1cs/builder.hpp>

#include "prover/groth16/golden_files.hpp"
#include "prover/groth16/golden_sections.hpp"
#include "prover/porep/porep_values.hpp"

namespace zkgpu::porep {

namespace {

using C = Bls12_381;

class PartitionSource final : public WitnessSource<Fr> {
 public:
  explicit PartitionSource(const PartitionWitness& partition) : partition_(partition) {}
  std::span<const Fr::Integer> make() override {
    witness_ = partition_.make();
    return witness_.values;
  }
  std::size_t make_rows(std::span<Fr> a, std::span<Fr> b) override {
    return partition_.make_rows(witness_.values, a, b);
  }

 private:
  const PartitionWitness& partition_;
  Witness<Fr> witness_;
};

std::string proof_hex(const ProvingKey<C>& key, const R1csShape& shape,
                      const PartitionWitness& partition, const Blinding<Fr>& blinding) {
  return with_best_cpu([&](auto cpu) {
    ProverOptions<C> options;
    options.shape = &shape;
    options.insecure_blinding = &blinding;
    Prover<C, decltype(cpu), pipeline::cpu_only> prover(cpu, key, options);
    PartitionSource source(partition);
    WitnessSource<Fr>* const sources[] = {&source};
    io::MemorySink bytes;
    io::write_proof(bytes, prover.prove(sources).front());
    return test::porep::hex(bytes.bytes());
  });
}

}  // namespace

TEST_CASE("key and proofs of the 2 KiB circuit are the reference's, byte for byte",
          "[prover][porep][slow]") {
  if (!test::shared_present("golden/reference/groth16")) return;
  if (!test::shared_present("golden/reference/seal")) return;
  const auto golden = test::porep::golden_lines("golden/reference/groth16/porep-2KiB.txt");
  const SectorShape& shape = shape_of_name("2KiB");
  const ProvingKey<C> key = generate_key<C>(synthesize_r1cs<Fr>(StackedDrgCircuit{shape}),
                                            test::golden_waste(), KeyForm::bellman);
  test::check_golden_sections(key, golden);
  test::GoldenDigest params;
  io::write_params<C>(params, key, io::ParamsCeremony{});
  test::check_golden_file("params", params, golden);
  io::MemorySink vk_bytes;
  io::write_bellman_vk<C>(vk_bytes, {key.vk, key.beta_g1, key.delta_g1});
  CHECK(vk_bytes.bytes() == test::read_bytes(test::golden_file("porep-2KiB.vk")));

  const auto path = test::shared_dir() / "golden/reference/seal/B.c1.bin";
  const std::vector<std::byte> bytes = test::read_bytes(path);
  io::SpanSource source(bytes, path.string());
  const C1File file = read_c1(source);
  const R1csShape circuit = circuit_shape(shape);
  const PartitionWitness partition(shape, file.output, file.output.partitions[0]);
  CHECK(proof_hex(key, circuit, partition, test::golden_blinding()) == golden.at("proof"));
  CHECK(proof_hex(key, circuit, partition, {Fr::zero(), Fr::zero()}) == golden.at("proof-r0-s0"));
}

}  // namespace zkgpu::porep
