// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <zkgpu/prover/porep/vanilla_proof.hpp>

#include "porep/c1/place.hpp"

namespace zkgpu::porep::c1 {

/// A node: below the modulus.
template <class Scanner>
Node read_node(Scanner& in) {
  const std::uint64_t offset = in.offset();
  const Node node = in.bytes32();
  if (!is_canonical(node)) in.place().fail(offset, "a node that is not below the modulus of Fr");
  return node;
}

/// Reads what all forms of a phase-1 output hold, for a sector of a known shape, through a scanner
/// that knows the form. The fields of every object stand here once, in the order of bincode.
///
/// Every count is the one that the shape asks for, every index below what it counts, every node
/// below the modulus. That values fit each other (paths give their roots, challenges follow from
/// the seed) is for `check`.
template <class Scanner>
class ProofReader {
 public:
  ProofReader(Scanner& in, const SectorShape& shape) : in_(in), shape_(shape) {}

  /// The proofs of all partitions, interactive or not.
  void partitions(std::vector<PartitionProof>& out) {
    in_.array(shape_.partitions, shape_.ni_partitions, "partitions", [&](std::size_t) {
      PartitionProof& partition = out.emplace_back();
      partition.reserve(shape_.challenges);
      in_.array(shape_.challenges, shape_.challenges, "challenges",
                [&](std::size_t) { challenge(partition.emplace_back()); });
    });
  }

 private:
  enum class Tree { d, poseidon };

  void challenge(ChallengeProof& out) {
    static constexpr Field fields[] = {{"comm_d_proofs"},
                                       {"comm_r_last_proof"},
                                       {"replica_column_proofs"},
                                       {"labeling_proofs"},
                                       {"encoding_proof"}};
    in_.object(fields, [&](std::size_t i) {
      switch (i) {
        case 0: return merkle(out.comm_d, Tree::d);
        case 1: return merkle(out.comm_r_last, Tree::poseidon);
        case 2: return columns(out);
        case 3:
          in_.array(shape_.layers, shape_.layers, "labeling proofs",
                    [&](std::size_t) { labeling(out.labeling.emplace_back()); });
          return;
        default: return labeling(out.encoding);
      }
    });
  }

  void columns(ChallengeProof& out) {
    static constexpr Field fields[] = {{"c_x"}, {"drg_parents"}, {"exp_parents"}};
    in_.object(fields, [&](std::size_t i) {
      if (i == 0) return column(out.c_x);
      const auto parents = i == 1 ? std::span<ColumnProof>(out.drg_parents)
                                  : std::span<ColumnProof>(out.exp_parents);
      in_.array(parents.size(), parents.size(), "parents",
                [&](std::size_t k) { column(parents[k]); });
    });
  }

  void column(ColumnProof& out) {
    static constexpr Field fields[] = {{"column"}, {"inclusion_proof"}};
    static constexpr Field inner[] = {{"index"}, {"rows"}, {"_h", true}};
    in_.object(fields, [&](std::size_t i) {
      if (i == 1) return merkle(out.inclusion, Tree::poseidon);
      in_.object(inner, [&](std::size_t k) {
        if (k == 0) {
          out.node = in_.integer32(static_cast<std::uint32_t>(shape_.nodes() - 1));
        } else {
          nodes(out.labels, shape_.layers, "rows");
        }
      });
    });
  }

  void labeling(LabelingProof& out) {
    static constexpr Field fields[] = {{"parents"}, {"layer_index"}, {"node"}};
    in_.object(fields, [&](std::size_t i) {
      switch (i) {
        case 0: return nodes(out.parents, label_parents, "parents");
        case 1: out.layer = in_.integer32(shape_.layers); return;
        default: out.node = in_.integer64(shape_.nodes() - 1); return;
      }
    });
  }

  void merkle(MerkleProof& out, Tree tree) {
    static constexpr Field data[] = {{"data"}};
    static constexpr Field single[] = {{"root"}, {"leaf"}, {"path"}};
    static constexpr Field sub[] = {{"base_proof"}, {"sub_proof"}, {"root"}, {"leaf"}};
    static constexpr Field top[] = {
        {"base_proof"}, {"sub_proof"}, {"top_proof"}, {"root"}, {"leaf"}};
    const TreeShape& shape = shape_.tree;
    in_.object(data, [&](std::size_t) {
      if (tree == Tree::d) {
        out.path.resize(shape_.log_nodes);
        in_.variant("Single", 0, [&] { parts(out, single, {}, 2); });
      } else if (shape.sub == 0) {
        out.path.resize(shape.levels());
        in_.variant("Single", 0, [&] { parts(out, single, shape, 8); });
      } else if (shape.top == 0) {
        out.path.resize(shape.levels());
        in_.variant("Sub", 1, [&] { parts(out, sub, shape, 8); });
      } else {
        out.path.resize(shape.levels());
        in_.variant("Top", 2, [&] { parts(out, top, shape, 8); });
      }
    });
  }

  /// The parts of a Merkle proof: up to three stretches of one path, root and leaf.
  void parts(MerkleProof& out, std::span<const Field> fields, const TreeShape& shape,
             unsigned base_arity) {
    const std::span<PathLevel> path(out.path);
    const std::size_t above = (shape.sub != 0 ? 1u : 0u) + (shape.top != 0 ? 1u : 0u);
    const std::size_t base = path.size() - above;
    in_.object(fields, [&](std::size_t i) {
      const std::string_view name = fields[i].name;
      if (name == "root") {
        out.root = read_node(in_);
      } else if (name == "leaf") {
        out.leaf = read_node(in_);
      } else if (name == "sub_proof") {
        stretch(path.subspan(base, 1), shape.sub);
      } else if (name == "top_proof") {
        stretch(path.subspan(base + 1, 1), shape.top);
      } else {
        stretch(path.first(base), base_arity);
      }
    });
  }

  void stretch(std::span<PathLevel> levels, unsigned arity) {
    static constexpr Field fields[] = {{"path"}};
    static constexpr Field level_fields[] = {{"hashes"}, {"index"}};
    in_.object(fields, [&](std::size_t) {
      in_.array(levels.size(), levels.size(), "levels of a path", [&](std::size_t k) {
        in_.object(level_fields, [&](std::size_t i) {
          if (i == 0) {
            nodes(levels[k].siblings, arity - 1, "siblings");
          } else {
            levels[k].index = in_.integer64(arity - 1);
          }
        });
      });
    });
  }

  void nodes(std::vector<Node>& out, std::size_t count, std::string_view what) {
    out.reserve(count);
    in_.array(count, count, what, [&](std::size_t) { out.push_back(read_node(in_)); });
  }

  Scanner& in_;
  const SectorShape& shape_;
};

}  // namespace zkgpu::porep::c1
