// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <catch2/catch.hpp>

#include <algorithm>

#include <zkgpu/prover/porep/statement/challenges.hpp>

#include "porep_values.hpp"

using namespace zkgpu::porep;
using zkgpu::test::porep::filled;
using zkgpu::test::porep::node;
using zkgpu::test::porep::numbers;

namespace {

Node of_field(unsigned value) { return to_node(Fr::from_integer(Fr::Integer::from_uint64(value))); }

}  // namespace

TEST_CASE("a digest becomes a challenge by little-endian division", "[porep][challenges]") {
  CHECK(to_challenge(Node{}, 64) == 1);
  Node n{};
  n[0] = std::byte{63};
  CHECK(to_challenge(n, 64) == 1);
  n[0] = std::byte{62};
  CHECK(to_challenge(n, 64) == 63);
  n = {};
  n[31] = std::byte{1};  // 2^248 = 2^(6·41 + 2) = 4 (mod 63)
  CHECK(to_challenge(n, 64) == 5);
  CHECK(to_challenge(filled(0xff), 2) == 1);
  CHECK(to_challenge(filled(0xff), 1 << 16) == 1);  // 2^256 − 1 is a multiple of 2^16 − 1
}

// rust-fil-proofs 19.1, storage-proofs-porep, tests of synthetic challenges
TEST_CASE("synthetic challenges are those of the reference", "[porep][challenges]") {
  const SyntheticChallenges list(1024, of_field(55), of_field(101), 21);
  std::vector<std::uint64_t> all;
  for (std::uint64_t i = 0; i < list.count(); ++i) all.push_back(list.at(i));
  CHECK(all == numbers("178 297 869 211 875 477 94 781 124 332 856 801 176 692 429 691 290 204 986 "
                       "210 973"));
  const std::vector<std::uint64_t> chosen = list.chosen(filled(1), 0, 10);
  CHECK(chosen == numbers("176 781 801 986 290 211 692 856 986 332"));
}

TEST_CASE("what a seed chooses does not depend on how it is cut", "[porep][challenges]") {
  const SyntheticChallenges list(1 << 20, of_field(55), of_field(101));
  CHECK(list.count() == 1 << 18);
  const std::vector<std::uint64_t> together = list.chosen(filled(7), 0, 40);
  for (std::size_t first = 0; first < 40; ++first) {
    CHECK(list.chosen(filled(7), first, 1) == std::vector{together[first]});
  }
  CHECK(SyntheticChallenges(64, of_field(55), of_field(101)).count() == 64);
}

TEST_CASE("challenges of a partition go on where those of the one before end",
          "[porep][challenges]") {
  const ChallengeSource from{of_field(1), of_field(2), filled(3)};
  for (const Challenges kind :
       {Challenges::interactive, Challenges::synthetic, Challenges::non_interactive}) {
    SealConfig one{shape_of_name("32GiB"), Node{}, ApiVersion::v1_2_0, kind};
    SealConfig whole = one;
    whole.shape.challenges = 36;
    std::vector<std::uint64_t> joined = partition_challenges(one, from, 0);
    const std::vector<std::uint64_t> second = partition_challenges(one, from, 1);
    joined.insert(joined.end(), second.begin(), second.end());
    CHECK(joined == partition_challenges(whole, from, 0));
    CHECK(std::ranges::all_of(joined, [](auto c) { return c > 0 && c < 1 << 30; }));
  }
}

TEST_CASE("each kind of challenges depends on what it says and no more", "[porep][challenges]") {
  const ChallengeSource from{of_field(1), of_field(2), filled(3)};
  ChallengeSource other_comm_r = from, other_seed = from, other_id = from;
  other_comm_r.comm_r = of_field(4);
  other_seed.seed = filled(5);
  other_id.replica_id = of_field(6);
  const auto of = [](Challenges kind, const ChallengeSource& source) {
    return partition_challenges({shape_of_name("32GiB"), Node{}, ApiVersion::v1_2_0, kind}, source,
                                2);
  };
  for (const Challenges kind :
       {Challenges::interactive, Challenges::synthetic, Challenges::non_interactive}) {
    const auto usual = of(kind, from);
    CHECK((of(kind, other_comm_r) == usual) == (kind == Challenges::interactive));
    CHECK((of(kind, other_seed) == usual) == (kind == Challenges::non_interactive));
    CHECK(of(kind, other_id) != usual);
  }
}
