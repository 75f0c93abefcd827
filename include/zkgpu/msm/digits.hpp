// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstddef>
#include <cstdint>

#include <zkgpu/arith/limb_ops.hpp>
#include <zkgpu/arith/limbs.hpp>
#include <zkgpu/core/config.hpp>
#include <zkgpu/curve/curve.hpp>
#include <zkgpu/curve/endomorphism.hpp>
#include <zkgpu/msm/plan.hpp>

namespace zkgpu {

/// One summand of a split scalar: (-1)^negative · magnitude, magnitude < 2^(bits - 1).
template <std::size_t Words>
struct SignedPart {
  Limbs<Words> magnitude;
  bool negative;
};

/// How a scalar of G is split into short ones: k·P = Σ partᵢ·imageᵢ(P), image₀(P) = P.
///
/// This form splits nothing: for groups without a known endomorphism.
template <CurveGroup G>
struct MsmScalarParts {
  static constexpr unsigned count = 1;
  static constexpr std::size_t words = G::ScalarField::limb_count;
  static constexpr unsigned bits = static_cast<unsigned>(G::ScalarField::bits) + 1;
  using Part = SignedPart<words>;

  ZKGPU_HD static constexpr void split(const typename G::ScalarField::Integer& k,
                                       Part (&parts)[count]) noexcept {
    parts[0] = Part{k, false};
  }
  /// imageᵢ₊₁(P) from imageᵢ(P).
  ZKGPU_HD static constexpr typename G::Affine next_image(const typename G::Affine& p) noexcept {
    return p;
  }
};

/// G1 of a BLS12 curve: two parts of half the length, by -φ² = z².
template <CurveGroup G>
requires Bls12G1Params<typename G::Params>
struct MsmScalarParts<G> {
  static constexpr unsigned count = 2;
  static constexpr std::size_t words = 2;
  static constexpr unsigned bits = 128;
  using Part = SignedPart<words>;

  ZKGPU_HD static constexpr void split(const typename G::ScalarField::Integer& k,
                                       Part (&parts)[count]) noexcept {
    const BaseZSquaredDigits digits = base_z_squared_digits<typename G::Params>(k);
    for (unsigned i = 0; i < count; ++i) {
      parts[i] = Part{digits.magnitude[i], digits.negative[i]};
    }
  }
  ZKGPU_HD static constexpr typename G::Affine next_image(const typename G::Affine& p) noexcept {
    return multiply_by_z_squared(p);
  }
};

/// G2 of a BLS12 curve: four parts of a quarter of the length, by ψ = z.
template <CurveGroup G>
requires Bls12G2Params<typename G::Params>
struct MsmScalarParts<G> {
  static constexpr unsigned count = 4;
  static constexpr std::size_t words = 1;
  static constexpr unsigned bits = 64;
  using Part = SignedPart<words>;

  ZKGPU_HD static constexpr void split(const typename G::ScalarField::Integer& k,
                                       Part (&parts)[count]) noexcept {
    const BaseZDigits digits = base_z_digits<typename G::Params>(k);
    for (unsigned i = 0; i < count; ++i) {
      const bool negative = digits.digit[i] < 0;
      const auto value = static_cast<std::uint64_t>(digits.digit[i]);
      parts[i] = Part{Limbs<1>::from_uint64(negative ? std::uint64_t{0} - value : value), negative};
    }
  }
  ZKGPU_HD static constexpr typename G::Affine next_image(const typename G::Affine& p) noexcept {
    return psi(p);
  }
};

/// Signed digits of c bits without carries: half = 2^(c-1) is added to every window but the top one
/// beforehand, and subtracted again from each digit that is read. Any window can then be read
/// alone.
///
/// Law: Σ digit(shifted, w)·2^(cw) == magnitude, |digit| <= 2^(c-1), for magnitude < 2^(bits - 1).
template <std::size_t Words>
class SignedDigits {
 public:
  /// @pre 1 <= c <= 31, bits <= 64·Words
  ZKGPU_HD constexpr SignedDigits(unsigned bits, unsigned c) noexcept
      : c_(c), windows_(MsmPlan::windows_for(bits, c)), offset_{} {
    for (unsigned w = 0; w + 1 < windows_; ++w) {
      const unsigned at = w * c + c - 1;
      offset_.limb[at / 64] |= std::uint64_t{1} << (at % 64);
    }
  }
  ZKGPU_HD constexpr unsigned windows() const noexcept { return windows_; }

  /// magnitude + Σ half·2^(cw) < 2^(64·Words).
  ZKGPU_HD constexpr Limbs<Words> shifted(const Limbs<Words>& magnitude) const noexcept {
    Limbs<Words> sum{};
    limb_ops::portable::add(sum, magnitude, offset_);
    return sum;
  }
  /// @pre w < windows()
  ZKGPU_HD constexpr std::int32_t digit(const Limbs<Words>& shifted, unsigned w) const noexcept {
    return window(w).digit(shifted);
  }

  /// One window, for loops over many numbers: where its bits stand is found once.
  class Window {
   public:
    ZKGPU_HD constexpr std::int32_t digit(const Limbs<Words>& shifted) const noexcept {
      const std::uint64_t low = shifted.limb[word_] >> shift_;
      const std::uint64_t high = (shifted.limb[next_] << 1) << (63 - shift_);
      return static_cast<std::int32_t>((low & low_mask_) | (high & high_mask_)) - half_;
    }

   private:
    friend class SignedDigits;
    ZKGPU_HD constexpr Window(unsigned at, unsigned c, bool top) noexcept
        : word_(at / 64),
          next_(word_ + 1 < Words ? word_ + 1 : word_),
          shift_(at % 64),
          half_(top ? 0 : std::int32_t{1} << (c - 1)),
          low_mask_((std::uint64_t{1} << c) - 1),
          high_mask_(word_ + 1 < Words ? low_mask_ : 0) {}

    std::size_t word_, next_;
    unsigned shift_;
    std::int32_t half_;
    std::uint64_t low_mask_, high_mask_;
  };
  /// @pre w < windows()
  ZKGPU_HD constexpr Window window(unsigned w) const noexcept {
    return Window(w * c_, c_, w + 1 == windows_);
  }

 private:
  unsigned c_, windows_;
  Limbs<Words> offset_;
};

}  // namespace zkgpu
