// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <zkgpu/prover/porep/statement/graph.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <string>

#include <zkgpu/prover/porep/hash/chacha8.hpp>

namespace zkgpu::porep {

Graph::Graph(std::uint64_t nodes, const Node& porep_id, ApiVersion api) : nodes_(nodes), api_(api) {
  constexpr std::uint64_t most = std::uint64_t{1} << 31;  // 64 GiB
  if (nodes < 2 || nodes > most || !std::has_single_bit(nodes)) {
    throw InvalidArgument("a graph of " + std::to_string(nodes) +
                          " nodes: expected a power of two from 2 to 2^31");
  }
  const Node drg = sha256({text_bytes("Filecoin_DRSample"), porep_id});
  std::copy_n(drg.begin(), drg_seed_.size(), drg_seed_.begin());

  const Node keys = sha256({text_bytes("Filecoin_Feistel"), porep_id});
  for (std::size_t i = 0; i < feistel_keys_.size(); ++i) {
    feistel_keys_[i] = big_endian<8>(read_little_endian<8>(keys.data() + 8 * i));
  }
  while (std::uint64_t{1} << (2 * half_bits_) < expander_degree * nodes) ++half_bits_;
}

std::array<std::uint32_t, drg_degree> Graph::drg_parents(std::uint32_t node) const {
  std::array<std::uint32_t, drg_degree> parents{};
  if (node < 2) return parents;

  Node key;
  const std::array<std::byte, 4> last = little_endian<4>(node);
  std::ranges::copy(last, std::ranges::copy(drg_seed_, key.begin()).out);
  ChaCha8 random(key);

  // Every node stands for five of a graph of degree two, whose edges are then joined.
  constexpr std::uint64_t drawn = drg_degree - 1;
  const std::uint64_t x = drawn * node;
  const auto buckets = static_cast<std::uint64_t>(std::ceil(std::log2(static_cast<double>(x))));
  const bool predecessor_first = api_ != ApiVersion::v1_0_0;
  for (std::size_t i = 0; i < drawn; ++i) {
    const std::uint64_t bucket = random.next_u64() % buckets + 1;
    const std::uint64_t largest = std::min(x, std::uint64_t{1} << bucket);
    const std::uint64_t smallest = std::max<std::uint64_t>(2, largest >> 1);
    const std::uint64_t distance = smallest + random.next_u64() % (largest - smallest + 1);
    const std::uint64_t parent = (x - distance) / drawn;
    parents[i + (predecessor_first ? 1 : 0)] =
        parent == node ? node - 1 : static_cast<std::uint32_t>(parent);
  }
  parents[predecessor_first ? 0 : drawn] = node - 1;
  return parents;
}

/// Three rounds of a Feistel network over 2·half_bits_ bits.
std::uint64_t Graph::permute(std::uint64_t value) const {
  const std::uint64_t mask = (std::uint64_t{1} << half_bits_) - 1;
  std::uint64_t left = value >> half_bits_ & mask, right = value & mask;
  for (const std::array<std::byte, 8>& key : feistel_keys_) {
    std::array<std::byte, 16> message;
    const std::array<std::byte, 8> right_bytes = big_endian<8>(right);
    std::ranges::copy(key, std::ranges::copy(right_bytes, message.begin()).out);
    const std::array<std::byte, 64> digest = blake2b_512(message);
    std::uint64_t f = 0;
    for (std::size_t i = 0; i < 8; ++i) f = f << 8 | std::to_integer<std::uint64_t>(digest[i]);
    const std::uint64_t mixed = left ^ (f & mask);
    left = right;
    right = mixed;
  }
  return left << half_bits_ | right;
}

std::array<std::uint32_t, expander_degree> Graph::expander_parents(std::uint32_t node) const {
  std::array<std::uint32_t, expander_degree> parents;
  const std::uint64_t values = expander_degree * nodes_;
  for (std::size_t i = 0; i < parents.size(); ++i) {
    std::uint64_t value = expander_degree * std::uint64_t{node} + i;
    do {
      value = permute(value);
    } while (value >= values);  // the network permutes more than there is: walk its cycle on
    if (api_ == ApiVersion::v1_0_0) value &= 0xffff'ffff;
    parents[i] = static_cast<std::uint32_t>(value / expander_degree);
  }
  return parents;
}

std::array<std::uint32_t, Graph::degree> Graph::parents(std::uint32_t node) const {
  std::array<std::uint32_t, degree> all;
  const auto drg = drg_parents(node);
  const auto expander = expander_parents(node);
  std::ranges::copy(expander, std::ranges::copy(drg, all.begin()).out);
  return all;
}

}  // namespace zkgpu::porep
