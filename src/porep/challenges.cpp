// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <zkgpu/prover/porep/statement/challenges.hpp>

#include <algorithm>

namespace zkgpu::porep {

namespace {

constexpr Nonce synthetic_nonce = [] {
  constexpr std::string_view text = "synth-porep";  // and a zero
  Nonce nonce{};
  for (std::size_t i = 0; i < text.size(); ++i) nonce[i] = static_cast<std::byte>(text[i]);
  return nonce;
}();

}  // namespace

std::uint64_t to_challenge(const Node& digest, std::uint64_t nodes) noexcept {
  std::uint64_t rest = 0;  // below 2^31, so that 32 more bits fit
  for (std::size_t i = digest.size(); i > 0; i -= 4) {
    rest = (rest << 32 | read_little_endian<4>(digest.data() + i - 4)) % (nodes - 1);
  }
  return rest + 1;
}

std::vector<std::uint64_t> partition_challenges(const SealConfig& config,
                                                const ChallengeSource& from, unsigned partition) {
  const std::size_t n = config.shape.challenges;
  const std::uint64_t nodes = config.shape.nodes(), first = std::uint64_t{n} * partition;
  if (config.challenges == Challenges::synthetic) {
    return SyntheticChallenges(nodes, from.replica_id, from.comm_r).chosen(from.seed, first, n);
  }
  std::vector<std::uint64_t> challenges(n);
  for (std::size_t i = 0; i < n; ++i) {
    const auto place = little_endian<4>(first + i);
    const Node digest = config.challenges == Challenges::interactive
                            ? sha256({from.replica_id, from.seed, place})
                            : sha256({text_bytes("filecoin.io|PoRep|1|NonInteractive|1"),
                                      from.replica_id, from.comm_r, place});
    challenges[i] = to_challenge(digest, nodes);
  }
  return challenges;
}

SyntheticChallenges::SyntheticChallenges(std::uint64_t nodes, const Node& replica_id,
                                         const Node& comm_r, std::uint64_t count)
    : nodes_(nodes),
      count_(count != 0 ? count : std::min(nodes, usual_count)),
      replica_id_(replica_id),
      key_(blake2b_256("filecoin.io|PoRep|1|Synthetic|1|Generation", {replica_id, comm_r})) {}

std::uint64_t SyntheticChallenges::at(std::uint64_t i) const {
  std::array<Node, 2> block;  // of the stream: two challenges
  const std::span<std::byte> bytes = std::as_writable_bytes(std::span(block));
  chacha20_keystream(key_, synthetic_nonce, static_cast<std::uint32_t>(i / 2), bytes);
  return to_challenge(block[i % 2], nodes_);
}

std::vector<std::uint64_t> SyntheticChallenges::chosen(const Node& seed, std::uint64_t first,
                                                       std::size_t how_many) const {
  const Node key = blake2b_256("filecoin.io|PoRep|1|Synthetic|1|Selection", {replica_id_, seed});
  constexpr std::uint64_t words_per_block = 16;
  const std::uint64_t skipped = first % words_per_block;
  std::vector<std::byte> words(4 * (skipped + how_many));
  chacha20_keystream(key, synthetic_nonce, static_cast<std::uint32_t>(first / words_per_block),
                     words);
  std::vector<std::uint64_t> challenges(how_many);
  for (std::size_t i = 0; i < how_many; ++i) {
    challenges[i] = at(read_little_endian<4>(words.data() + 4 * (skipped + i)) % count_);
  }
  return challenges;
}

}  // namespace zkgpu::porep
