// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <zkgpu/prover/porep/parameters/names.hpp>

#include <zkgpu/prover/io/bytes/byte_sink.hpp>
#include <zkgpu/prover/io/bytes/digest.hpp>

namespace zkgpu::porep {

namespace {

using Kind = CircuitName::Kind;

std::string tree_name(const SectorShape& shape) {
  return "merkletree-poseidon_hasher-8-" + std::to_string(shape.tree.sub) + "-" +
         std::to_string(shape.tree.top);
}

std::string porep_identifier(const SectorShape& shape) {
  return "layered_drgporep::PublicParams{ graph: stacked_graph::StackedGraph{expansion_degree: " +
         std::to_string(expander_degree) +
         " base_graph: drgraph::BucketGraph{size: " + std::to_string(shape.nodes()) +
         "; degree: " + std::to_string(drg_degree) +
         "; hasher: poseidon_hasher} }, challenges: LayerChallenges { layers: " +
         std::to_string(shape.layers) + ", max_count: " + std::to_string(shape.challenges) +
         " }, tree: " + tree_name(shape) + " }";
}

/// Sectors of one partition of a WindowPoSt. (filecoin-proofs/src/constants.rs)
unsigned window_sectors(const SectorShape& shape) {
  if (shape.name == "32GiB") return 2349;
  if (shape.name == "64GiB") return 2300;
  return 2;
}

std::string post_identifier(const SectorShape& shape, unsigned challenges, unsigned sectors) {
  return "FallbackPoSt::PublicParams{sector_size: " + std::to_string(shape.bytes()) +
         ", challenge_count: " + std::to_string(challenges) +
         ", sector_count: " + std::to_string(sectors) + "}";
}

std::string identifier(Kind kind, const SectorShape& shape) {
  switch (kind) {
    case Kind::porep: return porep_identifier(shape);
    case Kind::winning_post: return post_identifier(shape, 1, 66);  // 66 challenges, one a "sector"
    case Kind::window_post: return post_identifier(shape, 10, window_sectors(shape));
    case Kind::sector_update: break;
  }
  return "empty_sector_update::PublicParams{ sector_nodes: " + std::to_string(shape.nodes()) + " }";
}

std::string prefix(Kind kind, const SectorShape& shape) {
  switch (kind) {
    case Kind::porep: return "stacked-proof-of-replication-" + tree_name(shape) + "-sha256_hasher";
    case Kind::winning_post:
    case Kind::window_post: return "proof-of-spacetime-fallback-" + tree_name(shape);
    case Kind::sector_update: break;
  }
  return "empty-sector-update-" + tree_name(shape);
}

}  // namespace

std::string to_string(const CircuitName& circuit) {
  const auto kind = [&] {
    switch (circuit.kind) {
      case Kind::porep: return "PoRep ";
      case Kind::winning_post: return "WinningPoSt ";
      case Kind::window_post: return "WindowPoSt ";
      case Kind::sector_update: break;
    }
    return "sector update ";
  };
  return kind() + std::string(circuit.sector);
}

std::string cache_id(const CircuitName& circuit) {
  const SectorShape& shape = shape_of_name(circuit.sector);
  const std::string words = identifier(circuit.kind, shape);
  return prefix(circuit.kind, shape) + "-" + io::to_hex(io::digest_of(io::bytes_of(words)));
}

std::string file_name(const CircuitName& circuit, ParameterFile file) {
  const char* const extension = file == ParameterFile::params ? ".params"
                                : file == ParameterFile::vk   ? ".vk"
                                                              : ".meta";
  return "v28-" + cache_id(circuit) + extension;
}

std::string metadata_text(const CircuitName& circuit) {
  return "{\"sector_size\":" + std::to_string(shape_of_name(circuit.sector).bytes()) + "}";
}

}  // namespace zkgpu::porep
