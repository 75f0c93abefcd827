// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <vector>

#include <zkgpu/prover/io/bytes/byte_sink.hpp>
#include <zkgpu/prover/porep/c1/write.hpp>
#include <zkgpu/prover/porep/hash/digests.hpp>

#include "merkle_variant.hpp"

namespace zkgpu::porep {

namespace {

/// Fixed widths, little-endian, lengths of eight bytes.
class BincodeWriter {
 public:
  BincodeWriter(io::ByteSink& sink, const SectorShape& shape) : sink_(sink), shape_(shape) {}

  void output(const Phase1Output& output) {
    u64(output.partitions.size());
    for (const PartitionProof& partition : output.partitions) {
      u64(partition.size());
      for (const ChallengeProof& proof : partition) challenge(proof);
    }
    for (const Node* n :
         {&output.comm_r, &output.comm_d, &output.replica_id, &output.seed, &output.ticket}) {
      sink_.write(*n);
    }
  }

 private:
  void challenge(const ChallengeProof& proof) {
    merkle(proof.comm_d, data_tree(shape_));
    merkle(proof.comm_r_last, shape_.tree);
    column(proof.c_x);
    u64(proof.drg_parents.size());
    for (const ColumnProof& parent : proof.drg_parents) column(parent);
    u64(proof.exp_parents.size());
    for (const ColumnProof& parent : proof.exp_parents) column(parent);
    u64(proof.labeling.size());
    for (const LabelingProof& label : proof.labeling) labeling(label);
    labeling(proof.encoding);
  }
  void column(const ColumnProof& column) {
    u32(column.node);
    nodes(column.labels);
    merkle(column.inclusion, shape_.tree);
  }
  void labeling(const LabelingProof& proof) {
    nodes(proof.parents);
    u32(proof.layer);
    u64(proof.node);
  }
  void merkle(const MerkleProof& proof, const TreeShape& tree) {
    const PathParts parts = path_parts(proof, tree);
    const MerkleVariant variant = variant_of(tree);
    u32(static_cast<std::uint32_t>(variant));
    if (variant == MerkleVariant::single) {
      sink_.write(proof.root);
      sink_.write(proof.leaf);
      path(parts.base);
      return;
    }
    path(parts.base);
    path(parts.sub);
    if (variant == MerkleVariant::top) path(parts.top);
    sink_.write(proof.root);
    sink_.write(proof.leaf);
  }
  void path(std::span<const PathLevel> levels) {
    u64(levels.size());
    for (const PathLevel& level : levels) {
      nodes(level.siblings);
      u64(level.index);
    }
  }
  void nodes(std::span<const Node> all) {
    u64(all.size());
    sink_.write(std::as_bytes(all));
  }
  void u32(std::uint32_t value) { sink_.write(little_endian<4>(value)); }
  void u64(std::uint64_t value) { sink_.write(little_endian<8>(value)); }

  io::ByteSink& sink_;
  const SectorShape& shape_;
};

}  // namespace

void write_c1_bincode(io::ByteSink& sink, const Phase1Output& output, const SectorShape& shape) {
  BincodeWriter(sink, shape).output(output);
}

}  // namespace zkgpu::porep
