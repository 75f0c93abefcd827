// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <zkgpu/core/config.hpp>
#include <zkgpu/prover/circuit/gadgets/packed_equalities.hpp>
#include <zkgpu/prover/circuit/gadgets/word32.hpp>

namespace zkgpu {

/// SHA-256 as constraints (FIPS 180-4 §6.2). Order and grouping are bellman's: keys are made for
/// them.
namespace sha256 {

/// FIPS 180-4 §5.3.3: fractional parts of the square roots of the first eight primes.
inline constexpr std::array<std::uint32_t, 8> initial_state{
    0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};

/// FIPS 180-4 §4.2.2: fractional parts of the cube roots of the first 64 primes.
inline constexpr std::array<std::uint32_t, 64> round_constants{
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

using State = std::array<Word32, 8>;
using Block = std::array<Word32, 16>;

inline State constant_initial_state() {
  State state;
  for (std::size_t i = 0; i < 8; ++i) state[i] = Word32::constant(initial_state[i]);
  return state;
}

/// A sum that is taken only when somebody reads it: the operands until then. In a round a and e are
/// used once as words, and once more as parts of later sums.
template <ConstraintSystem CS>
class LateSum {
 public:
  LateSum(const Word32& word) : operands_{word}, count_(1) {}  // NOLINT: a word is a sum
  LateSum(const LateSum& first, std::initializer_list<Word32> more) : LateSum(first) {
    for (const Word32& word : more) operands_[count_++] = word;
  }
  Word32 take(CS& cs, PackedEqualities<CS>& equalities) const {
    return count_ == 1 ? operands_[0] : add_words(cs, operands(), equalities);
  }
  [[nodiscard]] std::span<const Word32> operands() const noexcept {
    return std::span<const Word32>(operands_).first(count_);
  }

 private:
  std::array<Word32, 8> operands_;
  std::size_t count_ = 0;
};

template <ConstraintSystem CS>
std::array<Word32, 64> message_schedule(CS& cs, const Block& block,
                                        PackedEqualities<CS>& equalities) {
  std::array<Word32, 64> w;
  std::copy(block.begin(), block.end(), w.begin());
  for (std::size_t i = 16; i < 64; ++i) {
    const Word32 s0 =
        xor_words(cs, xor_words(cs, w[i - 15].rotated_right(7), w[i - 15].rotated_right(18)),
                  w[i - 15].shifted_right(3));
    const Word32 s1 =
        xor_words(cs, xor_words(cs, w[i - 2].rotated_right(17), w[i - 2].rotated_right(19)),
                  w[i - 2].shifted_right(10));
    w[i] = add_words(cs, std::array{w[i - 16], s0, w[i - 7], s1}, equalities);
  }
  return w;
}

/// One call of the compression function.
/// @cost  all variable: 26192 constraints; from the initial state 25840; of constants none
template <ConstraintSystem CS>
State compress(CS& cs, const State& state, const Block& block) {
  PackedEqualities<CS> equalities(cs);
  const std::array<Word32, 64> w = message_schedule(cs, block, equalities);
  LateSum<CS> late_a(state[0]), late_e(state[4]);
  Word32 b = state[1], c = state[2], d = state[3], f = state[5], g = state[6], h = state[7];
  for (std::size_t i = 0; i < 64; ++i) {
    const Word32 e = late_e.take(cs, equalities);
    const Word32 s1 =
        xor_words(cs, xor_words(cs, e.rotated_right(6), e.rotated_right(11)), e.rotated_right(25));
    const Word32 chosen = choose_words(cs, e, f, g);
    const LateSum<CS> temp1(LateSum<CS>(h),
                            {s1, chosen, Word32::constant(round_constants[i]), w[i]});
    const Word32 a = late_a.take(cs, equalities);
    const Word32 s0 =
        xor_words(cs, xor_words(cs, a.rotated_right(2), a.rotated_right(13)), a.rotated_right(22));
    const Word32 most = majority_words(cs, a, b, c);
    h = g, g = f, f = e;
    late_e = LateSum<CS>(temp1, {d});
    d = c, c = b, b = a;
    late_a = LateSum<CS>(temp1, {s0, most});
  }
  const auto plus = [&](const Word32& from, const Word32& word) {
    return add_words(cs, std::array{from, word}, equalities);
  };
  State next;
  next[0] = add_words(cs, LateSum<CS>(late_a, {state[0]}).operands(), equalities);
  next[1] = plus(state[1], b);
  next[2] = plus(state[2], c);
  next[3] = plus(state[3], d);
  next[4] = add_words(cs, LateSum<CS>(late_e, {state[4]}).operands(), equalities);
  next[5] = plus(state[5], f);
  next[6] = plus(state[6], g);
  next[7] = plus(state[7], h);
  equalities.flush();
  return next;
}

/// The hash of whole bytes, given and returned as bits, the most significant of a byte first.
/// @param message  a multiple of 8 bits
/// @return 256 bits
template <ConstraintSystem CS>
std::vector<Boolean> hash(CS& cs, std::vector<Boolean> message) {
  const std::uint64_t length = message.size();
  ZKGPU_ASSERT(length % 8 == 0);
  message.push_back(Boolean::constant(true));
  while (message.size() % 512 != 448) message.push_back(Boolean::constant(false));
  for (std::size_t i = 64; i-- > 0;) {
    message.push_back(Boolean::constant(((length >> i) & 1) != 0));
  }
  State state = constant_initial_state();
  for (std::size_t at = 0; at < message.size(); at += 512) {
    Block block;
    for (std::size_t i = 0; i < 16; ++i) {
      block[i] =
          Word32::from_big_endian(cs, std::span<const Boolean>(message).subspan(at + 32 * i, 32));
    }
    state = compress(cs, state, block);
  }
  std::vector<Boolean> digest;
  for (const Word32& word : state)
    digest.insert(digest.end(), word.bits.rbegin(), word.bits.rend());
  return digest;
}

}  // namespace sha256

}  // namespace zkgpu
