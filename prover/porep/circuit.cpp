// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "porep/circuit.hpp"

#include <zkgpu/prover/porep/circuit/stacked_drg.hpp>
#include <zkgpu/prover/porep/partition_witness.hpp>
#include <zkgpu/prover/r1cs/builder.hpp>

namespace zkgpu::cli {

namespace {

using porep::Fr;
using porep::StackedDrgCircuit;

/// The witness of a partition and its rows, made by all threads.
class PartitionSource final : public WitnessSource<Fr> {
 public:
  PartitionSource(const porep::SectorShape& shape, const porep::Phase1Output& output,
                  const porep::PartitionProof& partition)
      : partition_(shape, output, partition) {}

  std::span<const Fr::Integer> make() override {
    witness_ = partition_.make();
    return witness_.values;
  }
  std::size_t make_rows(std::span<Fr> a, std::span<Fr> b) override {
    return partition_.make_rows(witness_.values, a, b);
  }
  std::size_t make_with_rows(std::span<Fr> a, std::span<Fr> b) override {
    make();
    return make_rows(a, b);
  }
  [[nodiscard]] std::span<const Fr::Integer> values() const override { return witness_.values; }
  void done() noexcept override { witness_ = {}; }

 private:
  porep::PartitionWitness partition_;
  Witness<Fr> witness_;
};

}  // namespace

R1cs<Fr> porep_r1cs(const porep::SectorShape& shape) {
  return synthesize_r1cs<Fr>(StackedDrgCircuit{.shape = shape});
}

std::unique_ptr<WitnessSource<Fr>> porep_witness(const porep::SectorShape& shape,
                                                 const porep::Phase1Output& output,
                                                 std::size_t partition) {
  return std::make_unique<PartitionSource>(shape, output, output.partitions[partition]);
}

}  // namespace zkgpu::cli
