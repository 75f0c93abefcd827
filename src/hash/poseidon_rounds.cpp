// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <cmath>
#include <optional>
#include <string>

#include <zkgpu/core/error.hpp>
#include <zkgpu/prover/hash/poseidon.hpp>

namespace zkgpu {

namespace {

/// Do so many rounds withstand statistical, interpolation and Gröbner basis attacks at 128 bits
/// over a field of 256? In floats, as the search that fixed the constants was made.
bool is_secure(unsigned width, unsigned full, unsigned partial) {
  constexpr float n = 256, m = 128;
  const auto t = static_cast<float>(width), r_p = static_cast<float>(partial);
  const float statistical = m <= (n - 3) * (t + 1) ? 6 : 10;
  const float interpolation = std::ceil(0.43f * m + std::log2(t) - r_p);
  const float groebner_1 = std::ceil(0.21f * n - r_p);
  const float groebner_2 = std::ceil((0.14f * n - 1 - r_p) / (t - 1));
  const float least =
      std::fmax(std::fmax(statistical, interpolation), std::fmax(groebner_1, groebner_2));
  return static_cast<float>(full) >= least;
}

}  // namespace

PoseidonRounds poseidon_rounds(unsigned arity) {
  if (arity == 0) throw InvalidArgument("poseidon: a hash of no elements");
  const unsigned width = arity + 1;
  struct Choice {
    unsigned full, partial, cost;
  };
  std::optional<Choice> best;
  for (unsigned full = 2; full <= 1000; full += 2) {
    for (unsigned partial = 4; partial < 200; ++partial) {
      if (!is_secure(width, full, partial)) continue;
      const unsigned with_margin =
          static_cast<unsigned>(std::ceil(1.075f * static_cast<float>(partial)));
      const unsigned cost = width * (full + 2) + with_margin;
      if (!best || cost < best->cost) best = Choice{full + 2, with_margin, cost};
      break;  // more partial rounds only cost more
    }
  }
  if (!best || best->full != PoseidonRounds::full) {
    throw InvalidArgument("poseidon: " + std::to_string(arity) +
                          " elements want another number of full rounds than eight");
  }
  return {width, best->partial};
}

}  // namespace zkgpu
