// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <zkgpu/prover/porep/partition_witness.hpp>

#include <oneapi/tbb/parallel_for.h>

#include <string>

#include <zkgpu/core/error.hpp>
#include <zkgpu/prover/porep/circuit/stacked_drg.hpp>
#include <zkgpu/prover/witness/parts/runner_impl.hpp>

namespace zkgpu::porep {

namespace {

std::uint32_t inputs_of(const SectorShape& shape) {
  return static_cast<std::uint32_t>(shape.public_inputs() + 1);
}

/// Counts alone, so that whoever walks the circuit can index without asking.
/// @throws InvalidArgument naming challenge and part
class FormCheck {
 public:
  FormCheck(const SectorShape& shape, const PartitionProof& partition) : shape_(shape) {
    require(partition.size() == shape.challenges,
            std::to_string(partition.size()) + " challenges, a partition of " +
                std::string(shape.name) + " has " + std::to_string(shape.challenges));
    for (const ChallengeProof& proof : partition) {
      check(proof);
      ++challenge_;
    }
  }

 private:
  void require(bool right, const std::string& what) const {
    if (right) return;
    throw InvalidArgument("porep: challenge " + std::to_string(challenge_) + ": " + what);
  }
  void check(const ChallengeProof& proof) const {
    require(proof.comm_d.path.size() == shape_.log_nodes,
            "comm_d_proofs: a path of another length");
    for (const PathLevel& level : proof.comm_d.path) {
      require(level.siblings.size() == 1, "comm_d_proofs: a node with other than two children");
    }
    check_path(proof.comm_r_last, "comm_r_last_proof");
    check_path(proof.c_x.inclusion, "c_x");
    for (const ColumnProof& parent : proof.drg_parents) check_column(parent, "drg_parents");
    for (const ColumnProof& parent : proof.exp_parents) check_column(parent, "exp_parents");
    require(!proof.labeling.empty(), "labeling_proofs: there is none");
  }
  void check_column(const ColumnProof& column, const char* what) const {
    require(column.labels.size() == shape_.layers, std::string(what) + ": labels of other layers");
    check_path(column.inclusion, what);
  }
  void check_path(const MerkleProof& proof, const char* what) const {
    bool right = proof.path.size() == shape_.tree.levels();
    for (unsigned level = 0; right && level < shape_.tree.levels(); ++level) {
      right = proof.path[level].siblings.size() + 1 == shape_.tree.arity(level);
    }
    require(right, std::string(what) + ": a path of another form");
  }

  const SectorShape& shape_;
  std::size_t challenge_ = 0;
};

/// Walks all challenges at the same time, each by a slice at its place.
template <class Slice>
void walk_challenges(const StackedDrgCircuit& circuit, const StackedDrgCircuit::Head& head,
                     const PartitionLayout& layout, const Slice& head_end) {
  oneapi::tbb::parallel_for(std::size_t{0}, circuit.partition->size(), [&](std::size_t i) {
    without_trace([&] {
      const CircuitOffset moved = static_cast<std::uint32_t>(i) * layout.challenge;
      Slice begin = head_end;
      begin.move_to(layout.head + moved);
      PartRunner<Slice> slice(begin, layout.parts, moved);
      circuit.synthesize_challenge(slice, head, i);
    });
  });
}

}  // namespace

PartitionLayout layout_of(const SectorShape& shape) {
  const StackedDrgCircuit circuit{shape};
  PartCounter<Fr> counter;
  const StackedDrgCircuit::Head head = circuit.synthesize_head(counter);
  PartitionLayout layout;
  layout.head = counter.offset();
  circuit.synthesize_challenge(counter, head, 0);
  layout.challenge = counter.offset() - layout.head;
  layout.parts = counter.parts();
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
    : shape_(shape), sector_(sector), partition_(partition), layout_(layout_of(shape)) {
  FormCheck(shape, partition);
}

std::size_t PartitionWitness::constraints() const noexcept {
  return layout_.before(shape_.challenges).constraints;
}

Witness<Fr> PartitionWitness::make() const {
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
  walk_challenges(circuit, head, layout_, first);
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
  a = a.first(all.constraints);
  b = b.first(all.constraints);
  RowSlice<Fr> first(z, all.inputs, {}, a, b);
  const StackedDrgCircuit::Head head = circuit.synthesize_head(first);
  walk_challenges(circuit, head, layout_, first);
  return all.constraints;
}

}  // namespace zkgpu::porep
