// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <zkgpu/prover/porep/partition_witness.hpp>

#include <oneapi/tbb/parallel_for.h>

#include <string>

#include <zkgpu/core/error.hpp>
#include <zkgpu/prover/porep/circuit/stacked_drg.hpp>

namespace zkgpu::porep {

namespace {

std::uint32_t inputs_of(const SectorShape& shape) {
  return static_cast<std::uint32_t>(shape.public_inputs() + 1);
}

}  // namespace

PartitionLayout layout_of(const SectorShape& shape) {
  const StackedDrgCircuit circuit{shape};
  OffsetCounter<Fr> counter;
  const StackedDrgCircuit::Head head = circuit.synthesize_head(counter);
  PartitionLayout layout;
  layout.head = counter.offset();
  circuit.synthesize_challenge(counter, head, 0);
  layout.challenge = counter.offset() - layout.head;
  return layout;
}

R1csShape circuit_shape(const SectorShape& shape) {
  SectorShape one = shape;
  one.challenges = 1;
  const R1csShape of_one = synthesize_shape<Fr>(StackedDrgCircuit{one});
  const PartitionLayout layout = layout_of(shape);
  const CircuitOffset all = layout.before(shape.challenges);
  R1csShape result{all.inputs + all.auxiliary,
                   all.inputs - 1,
                   all.constraints,
                   {WireSet(all.inputs + all.auxiliary), WireSet(all.inputs + all.auxiliary)}};
  const std::uint32_t inputs_of_one = of_one.num_public + 1;
  for (std::uint32_t wire = 0; wire < all.inputs; ++wire) {
    result.density.a.insert(wire);  // by its input row
  }
  if (of_one.density.b.contains(0)) result.density.b.insert(0);
  const auto copy = [&](const WireSet& from, WireSet& to) {
    for (std::uint32_t i = 0; i < layout.head.auxiliary; ++i) {
      if (from.contains(inputs_of_one + i)) to.insert(all.inputs + i);
    }
    for (std::uint32_t i = 0; i < layout.challenge.auxiliary; ++i) {
      if (!from.contains(inputs_of_one + layout.head.auxiliary + i)) continue;
      for (std::uint32_t c = 0; c < shape.challenges; ++c) {
        to.insert(all.inputs + std::size_t{layout.head.auxiliary} +
                  std::size_t{c} * layout.challenge.auxiliary + i);
      }
    }
  };
  copy(of_one.density.a, result.density.a);
  copy(of_one.density.b, result.density.b);
  return result;
}

PartitionWitness::PartitionWitness(const SectorShape& shape, const Phase1Output& sector,
                                   const PartitionProof& partition)
    : shape_(shape), sector_(sector), partition_(partition), layout_(layout_of(shape)) {}

std::size_t PartitionWitness::constraints() const noexcept {
  return layout_.before(shape_.challenges).constraints;
}

Witness<Fr> PartitionWitness::make() const {
  if (partition_.size() != shape_.challenges) {
    throw InvalidArgument("porep: the partition has " + std::to_string(partition_.size()) +
                          " challenges, a sector of " + std::string(shape_.name) + " has " +
                          std::to_string(shape_.challenges));
  }
  const StackedDrgCircuit circuit{shape_, &sector_, &partition_};
  const std::uint32_t inputs = inputs_of(shape_);
  Witness<Fr> witness;
  with_typed_memory_errors("porep: the witness of a partition", [&] {
    witness.values.resize(inputs + layout_.before(shape_.challenges).auxiliary);
  });
  const std::span<Fr::Integer> values(witness.values);
  values[0] = Fr::Integer::from_uint64(1);
  WitnessSlice<Fr> first(values, inputs, {});
  const StackedDrgCircuit::Head head = circuit.synthesize_head(first);
  oneapi::tbb::parallel_for(std::size_t{0}, partition_.size(), [&](std::size_t i) {
    WitnessSlice<Fr> slice(values, inputs, layout_.before(i));
    circuit.synthesize_challenge(slice, head, i);
  });
  return witness;
}

std::size_t PartitionWitness::make_rows(std::span<const Fr::Integer> z, std::span<Fr> a,
                                        std::span<Fr> b) const {
  const CircuitOffset all = layout_.before(shape_.challenges);
  if (z.size() != std::size_t{all.inputs} + all.auxiliary) {
    throw InvalidArgument("porep: the witness has " + std::to_string(z.size()) + " values");
  }
  if (a.size() < all.constraints || b.size() != a.size()) {
    throw InvalidArgument("porep: no room for " + std::to_string(all.constraints) + " rows");
  }
  const StackedDrgCircuit circuit{shape_, &sector_, &partition_};
  RowSlice<Fr> first(z, all.inputs, {}, a, b);
  const StackedDrgCircuit::Head head = circuit.synthesize_head(first);
  oneapi::tbb::parallel_for(std::size_t{0}, partition_.size(), [&](std::size_t i) {
    RowSlice<Fr> slice(z, all.inputs, layout_.before(i), a, b);
    circuit.synthesize_challenge(slice, head, i);
  });
  return all.constraints;
}

}  // namespace zkgpu::porep
