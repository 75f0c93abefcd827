// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <zkgpu/core/array.hpp>
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

  /// out[i] = scalars[i]·base. Points of a block add their entries of a window side by side, in
  /// affine coordinates with one shared inversion: six products an addition instead of eleven.
  /// @param scalars  canonical, below r
  /// @throws InvalidArgument if the sizes differ
  void multiply(std::span<const Scalar> scalars, std::span<Affine> out) const {
    if (scalars.size() != out.size()) {
      throw InvalidArgument("fixed base table: " + std::to_string(scalars.size()) +
                            " scalars, room for " + std::to_string(out.size()) + " points");
    }
    for (std::size_t at = 0; at < scalars.size(); at += block) {
      const std::size_t n = scalars.size() - at < block ? scalars.size() - at : block;
      multiply_block(scalars.subspan(at, n), out.subspan(at, n));
    }
  }

 private:
  static constexpr std::size_t block = 128;  // one inversion, about 60M, is half a product a point

  /// What one window adds to one point: an entry of the table, its negative, or nothing.
  struct Summand {
    const Affine* entry = nullptr;
    bool negative = false;

    [[nodiscard]] Affine point() const noexcept { return negative ? -*entry : *entry; }
  };

  void multiply_block(std::span<const Scalar> scalars, std::span<Affine> out) const {
    Summand summands[block];
    std::size_t carries[block] = {};
    for (Affine& point : out) point = Affine::infinity();
    for (std::size_t w = 0; w < windows_; ++w) {
      for (std::size_t i = 0; i < scalars.size(); ++i) {
        summands[i] = summand(scalars[i], w, carries[i]);
        if (summands[i].entry != nullptr) __builtin_prefetch(summands[i].entry);
      }
      add_all(std::span<const Summand>(summands, scalars.size()), out);
    }
  }

  [[nodiscard]] Summand summand(const Scalar& k, std::size_t w, std::size_t& carry) const noexcept {
    const std::size_t half = std::size_t{1} << (window_bits_ - 1);
    const Affine* const row = table_.data() + w * half;
    const std::size_t digit = k.bits(w * window_bits_, window_bits_) + carry;
    carry = digit > half ? 1 : 0;  // digit - 2^window_bits, in [-half + 1, -1]
    if (digit == 0 || digit == 2 * half) return {};
    const Affine* const entry = row + (carry != 0 ? 2 * half - digit : digit) - 1;
    if (entry->is_infinity()) return {};  // of a base whose order is small
    return {entry, carry != 0};
  }

  /// sums[i] += summands[i]
  static void add_all(std::span<const Summand> summands, std::span<Affine> sums) noexcept {
    std::size_t index[block];
    F difference[block], before[block];  // x₂ − x₁, and the product of those before it
    std::size_t count = 0;
    F product = F::one();
    for (std::size_t i = 0; i < summands.size(); ++i) {
      if (summands[i].entry == nullptr) continue;
      const F dx = summands[i].entry->x - sums[i].x;
      if (sums[i].is_infinity() || dx.is_zero()) {  // the latter only for scalars made for it
        sums[i] = (Jacobian::from_affine(sums[i]) + summands[i].point()).to_affine();
        continue;
      }
      index[count] = i;
      difference[count] = dx;
      before[count] = product;
      product *= dx;
      ++count;
    }
    F inverse = product.inverse();
    for (std::size_t j = count; j-- > 0;) {
      const Affine p = summands[index[j]].point();
      Affine& sum = sums[index[j]];
      const F slope = (p.y - sum.y) * (inverse * before[j]);  // λ = (y₂ − y₁)/(x₂ − x₁)
      inverse *= difference[j];
      const F x = slope.square() - sum.x - p.x;
      sum.y = slope * (sum.x - x) - sum.y;
      sum.x = x;
    }
  }

  void make_table(const Affine& base) {
    const std::size_t row = std::size_t{1} << (window_bits_ - 1);
    table_ = Array<Affine>(windows_ * row);
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
  Array<Affine> table_;
};

}  // namespace zkgpu
