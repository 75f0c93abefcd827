// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <zkgpu/curve/bls12_381.hpp>
#include <zkgpu/field/field.hpp>

namespace zkgpu {

namespace detail {

/// The S-box: x⁵.
template <PrimeField F>
constexpr F fifth_power(const F& x) noexcept {
  return x.square().square() * x;
}

}  // namespace detail

/// How many rounds a Poseidon permutation has, and how wide its state is.
struct PoseidonRounds {
  static constexpr unsigned full = 8;  ///< rounds with an S-box on every element: four, then four

  unsigned width = 0;    ///< arity + 1: the domain tag and the preimage
  unsigned partial = 0;  ///< rounds with an S-box on element 0 only
  friend constexpr bool operator==(const PoseidonRounds&, const PoseidonRounds&) = default;
};

/// The fewest S-boxes that withstand the known attacks at 128 bits with x^5, a margin of two full
/// rounds and 7.5 % of the partial ones included: eight full rounds, and `partial` of them.
/// @see Grassi et al. 2019, eprint 2019/458 §5.5; the margin is neptune's
[[nodiscard]] PoseidonRounds poseidon_rounds(unsigned arity);

/// Everything that follows from field and arity, in the form in which partial rounds cost O(width).
///
/// Round r: S-boxes, then + its key, then × its matrix. Keys of a round stand after its S-boxes:
/// the key of the next round, taken back through the matrix. Row vectors: new[j] = Σ_i state[i] ·
/// m[i][j].
template <PrimeField F>
struct PoseidonConstants {
  PoseidonRounds rounds;
  std::vector<F> plain_keys;  ///< (full + partial) · width, as the generator gives them
  std::vector<F> keys;  ///< full · width + partial: before round 0 (width), then in the order
                        ///< of the rounds: width each for a full one, one for a partial one
  std::vector<F> mds;   ///< width², row by row: 1 / (i + j + width)
  std::vector<F> pre_sparse;  ///< width²: the matrix of the last full round before the partial ones
  std::vector<F> sparse;  ///< of each partial round: column 0 (width), rest of row 0 (width − 1)

  [[nodiscard]] std::span<const F> sparse_of(unsigned partial_round) const noexcept {
    const std::size_t size = 2 * std::size_t{rounds.width} - 1;
    return std::span<const F>(sparse).subspan(partial_round * size, size);
  }
};

/// Derives the constants; the round keys come from a Grain LFSR seeded with the parameters.
/// @throws InvalidArgument for an arity of zero, or a width that is no minimum of the search
/// @cost  milliseconds: inverts a matrix a partial round
template <PrimeField F>
[[nodiscard]] PoseidonConstants<F> derive_poseidon_constants(unsigned arity);

/// The hash of a fixed number of field elements, as Filecoin's trees use it.
///
/// Thread-safe: constants are made once.
template <PrimeField F>
class Poseidon {
 public:
  static constexpr unsigned max_arity = 36;

  /// @throws InvalidArgument unless arity is 1 .. max_arity
  explicit Poseidon(unsigned arity);

  [[nodiscard]] unsigned arity() const noexcept { return constants_.rounds.width - 1; }
  [[nodiscard]] const PoseidonConstants<F>& constants() const noexcept { return constants_; }

  /// The domain tag of a Merkle tree node: 2^arity − 1, one bit for each child that is there.
  [[nodiscard]] F tree_tag() const noexcept;
  /// @param preimage  arity elements
  [[nodiscard]] F hash(std::span<const F> preimage) const { return hash(tree_tag(), preimage); }
  /// @param tag  element 0 of the state: what the hash is for
  /// @cost  arity 8: about 2000 products
  [[nodiscard]] F hash(const F& tag, std::span<const F> preimage) const;

 private:
  PoseidonConstants<F> constants_;
};

/// The hash of that arity; made when it is first asked for, and kept.
/// @throws InvalidArgument unless arity is 1 .. 36
template <PrimeField F>
const Poseidon<F>& poseidon(unsigned arity);

extern template PoseidonConstants<Bls12_381::Fr> derive_poseidon_constants(unsigned);
extern template class Poseidon<Bls12_381::Fr>;
extern template const Poseidon<Bls12_381::Fr>& poseidon<Bls12_381::Fr>(unsigned);

}  // namespace zkgpu
