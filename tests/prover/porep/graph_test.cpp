// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <catch2/catch.hpp>

#include <algorithm>

#include <zkgpu/prover/porep/statement/graph.hpp>

#include "porep_values.hpp"

using namespace zkgpu::porep;
using zkgpu::test::porep::hex;
using zkgpu::test::porep::numbers;

namespace {

/// SHA-256 of all parents, as the parent caches of rust-fil-proofs hold them: u32, little-endian.
std::string parents_digest(const SealConfig& config) {
  const Graph graph(config);
  std::vector<std::byte> cache;
  cache.reserve(4 * Graph::degree * graph.nodes());
  for (std::uint32_t node = 0; node < graph.nodes(); ++node) {
    for (const std::uint32_t parent : graph.parents(node)) {
      const auto bytes = little_endian<4>(parent);
      cache.insert(cache.end(), bytes.begin(), bytes.end());
    }
  }
  return hex(sha256({cache}));
}

std::vector<std::uint64_t> parents(unsigned registered, std::uint32_t node) {
  const auto found = Graph(registered_proof(registered).config()).parents(node);
  return {found.begin(), found.end()};
}

}  // namespace

// rust-fil-proofs 19.1, storage-proofs-porep/parent_cache.json
TEST_CASE("the parents of a 2 KiB sector are those of the parent caches", "[porep][graph]") {
  CHECK(parents_digest(registered_proof(0).config()) ==
        "3da49221e2ed55371b86d0bf3d6526fcf128af61bed904f966428db1b531750d");
  CHECK(parents_digest(registered_proof(5).config()) ==
        "840057702eea7652cf97e04306c30fe57174714d90de156a25eddd6075c25b97");
}

TEST_CASE("the parents of an 8 MiB sector are those of the parent caches", "[porep][graph][slow]") {
  CHECK(parents_digest(registered_proof(1).config()) ==
        "a76604f2f59f2744c7151653bbb1d8596b6b57d295e6fa6c1f0c41d725b502ce");
  CHECK(parents_digest(registered_proof(6).config()) ==
        "03cd13565ded97c240a5f52e54295ad127bd0461b57904cb3a4d79b097bbecab");
}

TEST_CASE("single nodes have the parents that the reference gives them", "[porep][graph]") {
  CHECK(parents(5, 1) == numbers("0 0 0 0 0 0 6 12 35 43 23 34 58 2"));
  CHECK(parents(5, 2) == numbers("1 1 1 0 1 0 30 28 55 63 63 36 37 36"));
  CHECK(parents(5, 63) == numbers("62 15 42 62 61 62 0 15 30 30 28 42 49 38"));
  CHECK(parents(0, 1) == numbers("0 0 0 0 0 0 57 30 21 11 22 15 1 32"));
  CHECK(parents(0, 2) == numbers("0 1 1 1 1 1 32 49 26 57 3 4 47 63"));
  CHECK(parents(0, 63) == numbers("62 61 56 62 37 62 49 37 35 41 52 50 54 5"));
}

TEST_CASE("parents in a node's own layer come before it", "[porep][graph]") {
  for (const unsigned number : {0U, 3U, 4U, 5U, 8U, 9U, 13U, 19U}) {
    const SealConfig config = registered_proof(number).config();
    const Graph graph(config);
    const auto last = static_cast<std::uint32_t>(graph.nodes() - 1);
    for (const std::uint32_t node : {1U, 2U, 3U, 62U, last}) {
      CAPTURE(number, node);
      const auto drg = graph.drg_parents(node);
      CHECK(std::ranges::all_of(drg, [&](std::uint32_t p) { return p < node; }));
      CHECK(drg[config.api == ApiVersion::v1_0_0 ? 5 : 0] == node - 1);
      const auto expander = graph.expander_parents(node);
      CHECK(std::ranges::all_of(expander, [&](std::uint32_t p) { return p < graph.nodes(); }));
    }
  }
}

TEST_CASE("the oldest version loses the upper bits of expander values", "[porep][graph]") {
  const Node id = registered_proof(3).config().porep_id;
  const std::uint64_t nodes = std::uint64_t{1} << 30;
  const Graph old(nodes, id, ApiVersion::v1_0_0), later(nodes, id, ApiVersion::v1_1_0);
  bool differ = false;
  for (std::uint32_t node = 0; node < 8; ++node) {
    const auto truncated = old.expander_parents(node), whole = later.expander_parents(node);
    for (std::size_t i = 0; i < whole.size(); ++i) {
      CHECK(truncated[i] == whole[i] % (1U << 29));  // 2^32 / 8
      differ = differ || truncated[i] != whole[i];
    }
  }
  CHECK(differ);
}

TEST_CASE("a graph of an impossible number of nodes is refused", "[porep][graph]") {
  for (const std::uint64_t nodes : {0ULL, 1ULL, 63ULL, 65ULL, 1ULL << 32, 1ULL << 63}) {
    CHECK_THROWS_AS(Graph(nodes, Node{}, ApiVersion::v1_1_0), zkgpu::InvalidArgument);
  }
}
