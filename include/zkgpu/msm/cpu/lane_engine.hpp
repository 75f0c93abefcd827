// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>

#include <zkgpu/curve/bls12_381.hpp>
#include <zkgpu/field/batch_inverse.hpp>
#include <zkgpu/field/fp.hpp>
#include <zkgpu/field/fp2.hpp>
#include <zkgpu/msm/cpu/engine.hpp>

/// Sums of points in SIMD lanes, eight pairs side by side.
///
/// All points stand on the curve with coordinates times 2^-32: there the digits of an element's
/// Montgomery form for 2^384 are its Montgomery form for 2^416, which is that of the lanes. So
/// bases enter and sums leave without a product. The curve's constant does not occur in an
/// addition, and slopes are those of the curve itself; what that takes is in `LaneGroup::add`.
///
/// What is here is compiled for any x86-64; what needs the instructions is in `LaneKernels`, whose
/// definitions only units of that architecture include.
namespace zkgpu::msm_cpu {

/// The prime field below a field of coordinates, and its degree.
template <class F>
struct PrimeBelow {
  using Type = F;
  static constexpr std::size_t degree = 1;
};
template <class F>
struct PrimeBelow<Fp2<F>> {
  using Type = F;
  static constexpr std::size_t degree = 2;
};

inline constexpr unsigned lane_digit_bits = 52;

/// The element whose Montgomery form for 2^384 is Σ digit(i)·2^(52i) < 2·modulus, reduced.
template <class Prime, class Digit>
Prime prime_of_digits(const Digit& digit) noexcept {
  constexpr unsigned digit_bits = lane_digit_bits;
  typename Prime::Integer n{};
  for (std::size_t i = 0; i < 8; ++i) {
    const std::size_t at = digit_bits * i;
    n.limb[at / 64] |= digit(i) << (at % 64);
    if (at % 64 > 64 - digit_bits && at / 64 + 1 < Prime::limb_count) {
      n.limb[at / 64 + 1] |= digit(i) >> (64 - at % 64);
    }
  }
  typename Prime::Integer less{};
  const bool below = limb_ops::subtract(less, n, Prime::modulus()) != 0;
  return Prime::from_montgomery(below ? n : less);
}

/// An element in 52-bit digits, one cache line a prime coordinate.
template <std::size_t Degree>
struct alignas(64) LaneElement {
  std::uint64_t digit[Degree][8];
};

/// An affine point in 52-bit digits. Coordinates are below twice the modulus. Infinity is the point
/// whose x has no digit but zeros.
template <CurveGroup G>
struct LanePoint {
  LaneElement<PrimeBelow<typename G::BaseField>::degree> x, y;
};

/// Entries by number, their bases read where the caller has them: those that begin pairs, which are
/// of the entries first[i] and first[i] + 1 and whose sum goes to to[i], or single ones.
template <CurveGroup G>
struct EntryPairs {
  const typename G::Affine* bases;
  const std::uint32_t* entries;  ///< number of the base; bit 31: its negative is meant
  const std::uint32_t* first;
  LanePoint<G>* to;
};

/// The loops over groups of eight pairs. Group g of a batch has pairs 8g..8g + 7 and elements
/// 8g..8g + 7 of the scratch, limb-major; two more elements' room follows those of the last group.
template <CurveGroup G, CpuArch A>
struct LaneKernels {
  using F = typename G::BaseField;
  using Point = LanePoint<G>;
  using Element = LaneElement<PrimeBelow<F>::degree>;
  static constexpr std::size_t width = 8;

  /// Takes each of eight points to its image with that number.
  static void take_images(unsigned image, Point* const (&points)[width]) noexcept;
  /// The points of single entries; that of entry first[i] goes to to[-i].
  static void take_entries(std::size_t groups, const EntryPairs<G>& singles) noexcept;
  /// First pass of a batch: the differences, the products that follow each, and the marks.
  /// @param products  of all denominators of a lane, not zero
  static void multiply(std::size_t groups, const PointPair<Point>* pairs,
                       const PairScratch<Element>& scratch, F (&products)[width]) noexcept;
  static void multiply(std::size_t groups, const EntryPairs<G>& pairs,
                       const PairScratch<Element>& scratch, F (&products)[width]) noexcept;
  /// Second pass: the sums.
  /// @param inverses  of `products`
  static void finish(std::size_t groups, const PointPair<Point>* pairs,
                     const PairScratch<Element>& scratch, const F (&inverses)[width]) noexcept;
  static void finish(std::size_t groups, const EntryPairs<G>& pairs,
                     const PairScratch<Element>& scratch, const F (&inverses)[width]) noexcept;
};

template <CurveGroup G, CpuArch A>
requires std::derived_from<A, arch::avx512ifma> &&
    std::same_as<typename PrimeBelow<typename G::BaseField>::Type, Bls12_381::Fq>
struct Engine<G, A> {
  using Affine = typename G::Affine;
  using F = typename G::BaseField;
  using Prime = typename PrimeBelow<F>::Type;
  using Kernels = LaneKernels<G, A>;
  using Point = typename Kernels::Point;
  using Element = typename Kernels::Element;
  static constexpr std::size_t degree = PrimeBelow<F>::degree;
  static constexpr bool adds_entries = true;

  static Point infinity() noexcept { return Point{}; }

  static Affine to_affine(const Point& p) noexcept {
    std::uint64_t any = 0;  // of infinity, y may be anything
    for (const auto& digits : p.x.digit) {
      for (const std::uint64_t digit : digits) any |= digit;
    }
    return any == 0 ? Affine::infinity() : Affine{to_field(p.x), to_field(p.y)};
  }
  static Point from_base(const Affine& base, bool negative) noexcept {
    const Affine p = negative ? -base : base;
    return {from_field(p.x), from_field(p.y)};
  }
  /// points[places[i]] becomes image number `image` of itself, for i < count.
  static void take_images(unsigned image, std::size_t count, Point* points,
                          const std::uint32_t* places) noexcept {
    constexpr std::size_t width = Kernels::width;
    Point idle = infinity();
    for (std::size_t first = 0; first < count; first += width) {
      Point* group[width];
      for (std::size_t k = 0; k < width; ++k) {
        group[k] = first + k < count ? points + places[first + k] : &idle;
      }
      Kernels::take_images(image, group);
    }
  }

  static void add_pairs(std::size_t count, PointPair<Point>* pairs,
                        const PairScratch<Element>& scratch) noexcept {
    Point idle = infinity();  // the rest of the last group: infinity to infinity
    const std::size_t groups = groups_for(count);
    for (std::size_t i = count; i < groups * Kernels::width; ++i) pairs[i] = {&idle, &idle};
    add_groups(groups, static_cast<const PointPair<Point>*>(pairs), scratch);
  }

  /// The points of single entries: that of entry first[i] goes to to[-i].
  /// @param first  room for seven more, which are overwritten
  /// @param to     room for seven more before the last, which are overwritten
  static void take_entries(std::size_t count, const Affine* bases, const std::uint32_t* entries,
                           std::uint32_t* first, Point* to) noexcept {
    if (count == 0) return;
    Kernels::take_entries(fill_groups(count, first), EntryPairs<G>{bases, entries, first, to});
  }

  /// Sums of pairs of entries.
  /// @param first  room for seven more, which are overwritten
  /// @param to     room for seven more, which are overwritten
  static void add_entry_pairs(std::size_t count, const Affine* bases, const std::uint32_t* entries,
                              std::uint32_t* first, Point* to,
                              const PairScratch<Element>& scratch) noexcept {
    add_groups(fill_groups(count, first), EntryPairs<G>{bases, entries, first, to}, scratch);
  }

 private:
  static std::size_t groups_for(std::size_t count) noexcept {
    return (count + Kernels::width - 1) / Kernels::width;
  }

  /// The lanes of the last group that are left get what the last one has.
  static std::size_t fill_groups(std::size_t count, std::uint32_t* first) noexcept {
    const std::size_t groups = groups_for(count);
    for (std::size_t i = count; i < groups * Kernels::width; ++i) first[i] = first[count - 1];
    return groups;
  }

  template <class Pairs>
  static void add_groups(std::size_t groups, const Pairs& pairs,
                         const PairScratch<Element>& scratch) noexcept {
    if (groups == 0) return;
    F products[Kernels::width];
    F helper[Kernels::width];
    Kernels::multiply(groups, pairs, scratch, products);
    batch_inverse(std::span<F>(products), std::span<F>(helper));
    Kernels::finish(groups, pairs, scratch, products);
  }

  static Prime to_prime(const std::uint64_t (&digit)[8]) noexcept {
    return prime_of_digits<Prime>([&](std::size_t i) { return digit[i]; });
  }
  static F to_field(const Element& e) noexcept {
    if constexpr (degree == 1) {
      return to_prime(e.digit[0]);
    } else {
      return F{to_prime(e.digit[0]), to_prime(e.digit[1])};
    }
  }
  static void set_digits(const Prime& x, std::uint64_t (&digit)[8]) noexcept {
    for (std::size_t i = 0; i < 8; ++i) {
      digit[i] = x.montgomery().bits(lane_digit_bits * i, lane_digit_bits);
    }
  }
  static Element from_field(const F& x) noexcept {
    Element e;
    if constexpr (degree == 1) {
      set_digits(x, e.digit[0]);
    } else {
      set_digits(x.c0, e.digit[0]);
      set_digits(x.c1, e.digit[1]);
    }
    return e;
  }
};

extern template struct LaneKernels<Bls12_381::G1, arch::avx512ifma>;
extern template struct LaneKernels<Bls12_381::G2, arch::avx512ifma>;

}  // namespace zkgpu::msm_cpu
