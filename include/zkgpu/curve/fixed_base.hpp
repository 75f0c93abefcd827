// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <zkgpu/core/config.hpp>
#include <zkgpu/core/error.hpp>
#include <zkgpu/curve/affine.hpp>
#include <zkgpu/curve/curve.hpp>
#include <zkgpu/curve/jacobian.hpp>

namespace zkgpu {

/// Many multiples of one point, as key generation needs them: all multiples that a window of the
/// scalar can ask for are computed once, then a product is one addition a window.
///
/// The table is immutable after construction, so threads may share it. Variable time.
/// @see D. Hankerson et al., "Guide to Elliptic Curve Cryptography", §3.3.2
template <CurveGroup G>
class FixedBaseTable {
 public:
  using Affine = typename G::Affine;
  using Jacobian = typename G::Jacobian;
  using F = typename G::BaseField;
  using Scalar = typename G::ScalarField::Integer;
  static constexpr unsigned max_window_bits = 16;

  /// The width with the least work for `multiplications` products: a table of width w costs
  /// ⌈256/w⌉·2^(w-1) additions and conversions to affine, a product ⌈256/w⌉ additions.
  static constexpr unsigned window_bits_for(std::size_t multiplications) noexcept {
    unsigned best = 2;
    for (unsigned w = 3; w <= max_window_bits; ++w) {
      if (work(w, multiplications) < work(best, multiplications)) best = w;
    }
    return best;
  }

  /// @param base         any point of the curve
  /// @param window_bits  2..16; see window_bits_for
  /// @throws InvalidArgument if the width is another; ResourceExhausted if the table does not fit
  FixedBaseTable(const Affine& base, unsigned window_bits) : window_bits_(window_bits) {
    if (window_bits < 2 || window_bits > max_window_bits) {
      throw InvalidArgument("fixed base table: window of " + std::to_string(window_bits) +
                            " bits, 2 to 16 are possible");
    }
    windows_ = window_count(window_bits);
    with_typed_memory_errors("fixed base table", [&] { make_table(base); });
  }

  [[nodiscard]] unsigned window_bits() const noexcept { return window_bits_; }
  [[nodiscard]] std::size_t bytes() const noexcept { return table_.size() * sizeof(Affine); }

  /// k·base. @param k  canonical, below r. @cost ⌈256/w⌉ mixed additions
  [[nodiscard]] Jacobian multiply(const Scalar& k) const noexcept {
    ZKGPU_ASSERT(G::ScalarField::is_canonical(k));
    Jacobian r = Jacobian::infinity();
    const Affine* row = table_.data();
    const std::size_t half = std::size_t{1} << (window_bits_ - 1);
    std::size_t carry = 0;
    for (std::size_t w = 0; w < windows_; ++w, row += half) {
      const std::size_t digit = k.bits(w * window_bits_, window_bits_) + carry;
      carry = digit > half ? 1 : 0;  // digit - 2^window_bits, in [-half + 1, -1]
      if (carry != 0) {
        if (digit != 2 * half) r += -row[2 * half - digit - 1];
      } else if (digit != 0) {
        r += row[digit - 1];
      }
    }
    return r;
  }

  /// out[i] = scalars[i]·base, in blocks that share an inversion.
  /// @param scalars  canonical, below r
  /// @throws InvalidArgument if the sizes differ
  void multiply(std::span<const Scalar> scalars, std::span<Affine> out) const {
    if (scalars.size() != out.size()) {
      throw InvalidArgument("fixed base table: " + std::to_string(scalars.size()) +
                            " scalars, room for " + std::to_string(out.size()) + " points");
    }
    constexpr std::size_t block = 64;  // one inversion, about 60M, is then 1M a point
    Jacobian products[block];
    F scratch[block];
    for (std::size_t at = 0; at < scalars.size(); at += block) {
      const std::size_t n = scalars.size() - at < block ? scalars.size() - at : block;
      for (std::size_t i = 0; i < n; ++i) products[i] = multiply(scalars[at + i]);
      batch_to_affine(std::span<const Jacobian>(products, n), out.subspan(at, n),
                      std::span<F>(scratch, n));
    }
  }

 private:
  void make_table(const Affine& base) {
    const std::size_t row = std::size_t{1} << (window_bits_ - 1);
    table_.resize(windows_ * row);
    std::vector<Jacobian> multiples(row);
    std::vector<F> scratch(row);
    Affine first = base;
    for (std::size_t w = 0; w < windows_; ++w) {
      multiples[0] = Jacobian::from_affine(first);
      for (std::size_t j = 1; j < row; ++j) multiples[j] = multiples[j - 1] + first;
      batch_to_affine(std::span<const Jacobian>(multiples),
                      std::span<Affine>(table_).subspan(w * row, row), std::span<F>(scratch));
      first = multiples[row - 1].doubled().to_affine();  // 2^window_bits times the last one
    }
  }

  /// Enough windows for the bits of a scalar and the carry out of the last.
  static constexpr std::size_t window_count(unsigned window_bits) noexcept {
    return G::ScalarField::bits / window_bits + 1;
  }
  static constexpr double work(unsigned window_bits, std::size_t multiplications) noexcept {
    const auto windows = static_cast<double>(window_count(window_bits));
    const auto row = static_cast<double>(std::size_t{1} << (window_bits - 1));
    return windows * (1.6 * row + static_cast<double>(multiplications));  // 17M + 5S to 7M + 4S
  }

  unsigned window_bits_;
  std::size_t windows_ = 0;
  std::vector<Affine> table_;
};

}  // namespace zkgpu
