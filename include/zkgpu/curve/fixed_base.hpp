// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include <zkgpu/arith/limb_ops.hpp>
#include <zkgpu/core/array.hpp>
#include <zkgpu/core/config.hpp>
#include <zkgpu/core/error.hpp>
#include <zkgpu/curve/affine.hpp>
#include <zkgpu/curve/curve.hpp>
#include <zkgpu/curve/jacobian.hpp>
#include <zkgpu/field/field.hpp>

namespace zkgpu {

/// Scalars in windows of w bits with signed digits:
///
///     k = ±Σ d_i·2^(w i),   -2^(w-1) ≤ d_i < 2^(w-1), and 0 ≤ d_i ≤ 2^(w-1) for the last
///
/// The sign makes the rest at most half the order, so that no carry needs a window of its own.
/// Adding 2^(w-1) to all digits but the last takes them to plain windows of one integer.
template <PrimeField S>
class FixedBaseWindows {
 public:
  using Scalar = typename S::Integer;
  /// Of an entry: its negative is meant.
  static constexpr std::uint32_t sign_bit = std::uint32_t{1} << 31;

  /// A scalar with all digits made positive.
  struct Shifted {
    Scalar sum;
    std::uint32_t sign;  ///< `sign_bit`, or 0
  };

  constexpr explicit FixedBaseWindows(unsigned window_bits) noexcept
      : bits_(window_bits), count_(count_for(window_bits)) {
    for (std::size_t w = 0; w + 1 < count_; ++w) {
      const std::size_t at = w * bits_ + bits_ - 1;
      shift_.limb[at / 64] |= std::uint64_t{1} << (at % 64);
    }
    for (std::size_t i = 0; i < std::size(half_order_.limb); ++i) {
      half_order_.limb[i] = S::modulus().bits(64 * i + 1, 64);
    }
  }

  static constexpr std::size_t count_for(unsigned window_bits) noexcept {
    return (S::bits + window_bits - 1) / window_bits;
  }
  [[nodiscard]] constexpr unsigned bits() const noexcept { return bits_; }
  [[nodiscard]] constexpr std::size_t count() const noexcept { return count_; }

  /// @param k  canonical, below the order
  [[nodiscard]] constexpr Shifted shifted(const Scalar& k) const noexcept {
    ZKGPU_ASSERT(S::is_canonical(k));
    Shifted r{};
    Scalar rest{};
    const bool negative = limb_ops::subtract(rest, half_order_, k) != 0;
    if (negative) {
      limb_ops::subtract(rest, S::modulus(), k);
    } else {
      rest = k;
    }
    limb_ops::add(r.sum, rest, shift_);  // below 2^(bits - 1) + 2^(bits - 1): no carry is lost
    r.sign = negative ? sign_bit : 0;
    return r;
  }
  /// Which entry of a row window number w asks for: |d|, with `sign_bit` for a negative one.
  [[nodiscard]] constexpr std::uint32_t entry(const Shifted& k, std::size_t w) const noexcept {
    const auto plain = static_cast<std::uint32_t>(k.sum.bits(w * bits_, bits_));
    const std::uint32_t half = w + 1 < count_ ? std::uint32_t{1} << (bits_ - 1) : 0;
    return plain >= half ? (plain - half) | k.sign : (half - plain) | (k.sign ^ sign_bit);
  }

 private:
  unsigned bits_;
  std::size_t count_;
  Scalar shift_{};
  Scalar half_order_{};
};

/// Many multiples of one point, as key generation needs them: all multiples that a window of the
/// scalar can ask for are computed once, then a product is one addition a window.
///
/// The table is immutable after construction, so threads may share it. Variable time. For many
/// products see also batch/multiples.hpp.
/// @see D. Hankerson et al., "Guide to Elliptic Curve Cryptography", §3.3.2
template <CurveGroup G>
class FixedBaseTable {
 public:
  using Affine = typename G::Affine;
  using Jacobian = typename G::Jacobian;
  using F = typename G::BaseField;
  using Scalar = typename G::ScalarField::Integer;
  using Windows = FixedBaseWindows<typename G::ScalarField>;
  static constexpr unsigned max_window_bits = 17;

  /// The width with the least work for `multiplications` products: a table of width w costs
  /// ⌈255/w⌉·2^(w-1) additions, a product ⌈255/w⌉.
  static constexpr unsigned window_bits_for(std::size_t multiplications) noexcept {
    unsigned best = 2;
    for (unsigned w = 3; w <= max_window_bits; ++w) {
      if (work(w, multiplications) < work(best, multiplications)) best = w;
    }
    return best;
  }

  /// @param base         of order r, or infinity: scalars are taken modulo r
  /// @param window_bits  2..17; see window_bits_for
  /// @throws InvalidArgument if the width is another; ResourceExhausted if the table does not fit
  FixedBaseTable(const Affine& base, unsigned window_bits) : windows_(checked(window_bits)) {
    with_typed_memory_errors("fixed base table", [&] { make_table(base); });
  }

  [[nodiscard]] unsigned window_bits() const noexcept { return windows_.bits(); }
  [[nodiscard]] const Windows& windows() const noexcept { return windows_; }
  [[nodiscard]] std::size_t bytes() const noexcept { return table_.size() * sizeof(Affine); }
  /// The multiples 0, 1, ..., 2^(window_bits - 1) of 2^(window_bits·w) times the base.
  [[nodiscard]] const Affine* row(std::size_t w) const noexcept {
    return table_.data() + w * row_size();
  }

  /// k·base. @param k  canonical, below r. @cost ⌈255/w⌉ mixed additions
  [[nodiscard]] Jacobian multiply(const Scalar& k) const noexcept {
    Jacobian r = Jacobian::infinity();
    const auto shifted = windows_.shifted(k);
    for (std::size_t w = 0; w < windows_.count(); ++w) {
      const Summand summand = summand_of(windows_.entry(shifted, w), row(w));
      if (!summand.entry->is_infinity()) r += summand.point();
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

  /// What one window adds to one point: an entry of the table, or its negative.
  struct Summand {
    const Affine* entry;
    bool negative;

    [[nodiscard]] Affine point() const noexcept { return negative ? -*entry : *entry; }
    void prefetch() const noexcept {
      const auto* const at = reinterpret_cast<const char*>(entry);
      for (std::size_t line = 0; line < sizeof(Affine); line += 64) __builtin_prefetch(at + line);
    }
  };
  static Summand summand_of(std::uint32_t entry, const Affine* row) noexcept {
    return {row + (entry & ~Windows::sign_bit), (entry & Windows::sign_bit) != 0};
  }

  void multiply_block(std::span<const Scalar> scalars, std::span<Affine> out) const {
    Summand summands[block];
    typename Windows::Shifted shifted[block];
    for (std::size_t i = 0; i < scalars.size(); ++i) {
      shifted[i] = windows_.shifted(scalars[i]);
      out[i] = Affine::infinity();
    }
    for (std::size_t w = 0; w < windows_.count(); ++w) {
      for (std::size_t i = 0; i < scalars.size(); ++i) {
        summands[i] = summand_of(windows_.entry(shifted[i], w), row(w));
        summands[i].prefetch();
      }
      add_all(std::span<const Summand>(summands, scalars.size()), out);
    }
  }

  /// sums[i] += summands[i]
  static void add_all(std::span<const Summand> summands, std::span<Affine> sums) noexcept {
    std::size_t index[block];
    F difference[block], before[block];  // x₂ − x₁, and the product of those before it
    std::size_t count = 0;
    F product = F::one();
    for (std::size_t i = 0; i < summands.size(); ++i) {
      if (summands[i].entry->is_infinity()) continue;
      const F dx = summands[i].entry->x - sums[i].x;
      if (sums[i].is_infinity()) {
        sums[i] = summands[i].point();
        continue;
      }
      if (dx.is_zero()) {  // where tables grow by doubling, and for bases of a small order
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
    table_ = Array<Affine>(windows_.count() * row_size());
    Affine first = base;
    for (std::size_t w = 0; w < windows_.count(); ++w) {
      fill_row(std::span<Affine>(table_).subspan(w * row_size(), row_size()), first);
      // 2^window_bits times the first one
      first = Jacobian::from_affine(row(w)[row_size() - 1]).doubled().to_affine();
    }
  }

  /// All multiples up to number m give those up to 2m, by adding number m to each.
  static void fill_row(std::span<Affine> row, const Affine& first) noexcept {
    row[0] = Affine::infinity();
    row[1] = first;
    Summand summands[block];
    for (std::size_t m = 1; m + 1 < row.size(); m *= 2) {
      for (std::size_t at = 1; at <= m; at += block) {
        const std::size_t n = m + 1 - at < block ? m + 1 - at : block;
        for (std::size_t i = 0; i < n; ++i) {
          row[m + at + i] = row[at + i];
          summands[i] = {&row[m], false};
        }
        add_all(std::span<const Summand>(summands, n), row.subspan(m + at, n));
      }
    }
  }

  static unsigned checked(unsigned window_bits) {
    if (window_bits < 2 || window_bits > max_window_bits) {
      throw InvalidArgument("fixed base table: window of " + std::to_string(window_bits) +
                            " bits, 2 to " + std::to_string(max_window_bits) + " are possible");
    }
    return window_bits;
  }
  [[nodiscard]] std::size_t row_size() const noexcept {
    return (std::size_t{1} << (windows_.bits() - 1)) + 1;
  }
  static constexpr double work(unsigned window_bits, std::size_t multiplications) noexcept {
    const auto row = static_cast<double>(std::size_t{1} << (window_bits - 1));
    return static_cast<double>(Windows::count_for(window_bits)) *
           (row + static_cast<double>(multiplications));
  }

  Windows windows_;
  Array<Affine> table_;
};

}  // namespace zkgpu
