// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <zkgpu/prover/porep/sector.hpp>
#include <zkgpu/prover/porep/vanilla_proof.hpp>
#include <zkgpu/prover/r1cs/shape.hpp>
#include <zkgpu/prover/witness/parts/counter.hpp>
#include <zkgpu/prover/witness/slice.hpp>
#include <zkgpu/prover/witness/witness.hpp>

namespace zkgpu::porep {

/// How many variables and constraints come before the first challenge, how many one challenge has,
/// and where its parts are.
struct PartitionLayout {
  CircuitOffset head, challenge;
  std::vector<CircuitPart> parts;  ///< of the first challenge

  [[nodiscard]] CircuitOffset before(std::size_t challenge_number) const noexcept {
    return head + static_cast<std::uint32_t>(challenge_number) * challenge;
  }
};
[[nodiscard]] PartitionLayout layout_of(const SectorShape& shape);

/// Counts of a partition's circuit, and which wires occur in A and B.
/// @cost  one challenge is walked, in about 0.3 µs a constraint; the others occur as it does
[[nodiscard]] R1csShape circuit_shape(const SectorShape& shape);

/// The assignment of one partition, and its rows, made by all threads of the arena: its challenges
/// at the same time, and in each the paths of all parents, then the labels of all layers.
class PartitionWitness {
 public:
  /// @param shape, sector, partition  must outlive this
  /// @throws InvalidArgument, naming challenge and part, where `partition` has not the form that
  ///         `shape` says: counts of challenges, labels, levels and siblings
  PartitionWitness(const SectorShape& shape, const Phase1Output& sector,
                   const PartitionProof& partition);

  /// @throws Malformed where a node is not below the modulus, ResourceExhausted
  /// @cost  0.07 µs a variable of one thread; 32 bytes a variable
  [[nodiscard]] Witness<Fr> make() const;

  /// a·z and b·z of each constraint, input rows not included.
  /// @param z     what `make` gave
  /// @param a, b  room for all constraints
  /// @return how many there are
  /// @throws InvalidArgument if z is not of this circuit's length, or the room does not suffice
  std::size_t make_rows(std::span<const Fr::Integer> z, std::span<Fr> a, std::span<Fr> b) const;

  [[nodiscard]] std::size_t constraints() const noexcept;

 private:
  const SectorShape& shape_;
  const Phase1Output& sector_;
  const PartitionProof& partition_;
  PartitionLayout layout_;
};

}  // namespace zkgpu::porep
