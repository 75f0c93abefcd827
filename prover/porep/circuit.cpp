// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "porep/circuit.hpp"

#include <zkgpu/prover/porep/circuit/stacked_drg.hpp>
#include <zkgpu/prover/r1cs/builder.hpp>

namespace zkgpu::cli {

namespace {

using porep::Fr;
using porep::StackedDrgCircuit;

/// A circuit and the source that walks it.
class PartitionWitness final : public WitnessSource<Fr> {
 public:
  explicit PartitionWitness(const StackedDrgCircuit& circuit)
      : circuit_(circuit), source_(circuit_) {}
  std::span<const Fr::Integer> make() override { return source_.make(); }
  std::size_t make_with_rows(std::span<Fr> a, std::span<Fr> b) override {
    return source_.make_with_rows(a, b);
  }
  [[nodiscard]] std::span<const Fr::Integer> values() const override { return source_.values(); }
  void done() noexcept override { source_.done(); }

 private:
  StackedDrgCircuit circuit_;
  CircuitWitness<Fr, StackedDrgCircuit> source_;
};

}  // namespace

R1cs<Fr> porep_r1cs(const porep::SectorShape& shape) {
  return synthesize_r1cs<Fr>(StackedDrgCircuit{.shape = shape});
}

std::unique_ptr<WitnessSource<Fr>> porep_witness(const porep::SectorShape& shape,
                                                 const porep::Phase1Output& output,
                                                 std::size_t partition) {
  return std::make_unique<PartitionWitness>(StackedDrgCircuit{
      .shape = shape, .sector = &output, .partition = &output.partitions[partition]});
}

}  // namespace zkgpu::cli
