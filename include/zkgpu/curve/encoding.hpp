// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>

#include <zkgpu/core/error.hpp>
#include <zkgpu/curve/affine.hpp>
#include <zkgpu/curve/endomorphism.hpp>
#include <zkgpu/field/fp.hpp>
#include <zkgpu/field/fp2.hpp>
#include <zkgpu/field/sqrt.hpp>

/// ZCash point encodings, as BLS12-381 uses them in proofs, keys and signatures.
///
/// Big endian, x, then y when uncompressed; c1 before c0 in Fq2. Three flags in the top bits of the
/// first byte: compressed, infinity, and (compressed only) y is the larger of y and -y.
/// @see docs/math/endomorphisms.md for the subgroup check; draft-irtf-cfrg-pairing-friendly-curves
namespace zkgpu {

/// What a point decoder answers. A decoder checks in the order of the enumerators.
enum class PointStatus : std::uint8_t {
  ok = 0,
  bad_length,       ///< not the number of bytes of this encoding
  bad_flags,        ///< another encoding's flags, or flags that exclude each other
  bad_infinity,     ///< the infinity flag with a byte that is not zero
  not_canonical,    ///< a coordinate is not below the modulus
  not_on_curve,     ///< the coordinates, or x alone, belong to no point
  not_in_subgroup,  ///< on the curve, outside the subgroup of order r
};

constexpr std::string_view to_string(PointStatus status) noexcept {
  switch (status) {
    case PointStatus::ok: return "ok";
    case PointStatus::bad_length: return "wrong length of a point";
    case PointStatus::bad_flags: return "illegal flag bits of a point";
    case PointStatus::bad_infinity: return "point at infinity with a nonzero byte";
    case PointStatus::not_canonical: return "coordinate not below the field modulus";
    case PointStatus::not_on_curve: return "point not on the curve";
    case PointStatus::not_in_subgroup: return "point not in the subgroup of prime order";
  }
  return "unknown point status";
}

namespace detail {

/// Big-endian bytes of a coordinate, and the order of coordinates that decides which y is larger.
template <class F>
struct Coordinate;

template <PrimeFieldParams P>
struct Coordinate<Fp<P>> {
  using F = Fp<P>;
  static constexpr std::size_t bytes = 8 * F::limb_count;

  static void write(const F& value, std::byte* out) noexcept {
    const auto n = value.to_integer();
    for (std::size_t i = 0; i < F::limb_count; ++i) {
      const std::uint64_t word = __builtin_bswap64(n.limb[F::limb_count - 1 - i]);
      std::memcpy(out + 8 * i, &word, 8);
    }
  }
  /// @param spare_mask  cleared in the first byte: the flags
  static bool read(const std::byte* in, std::byte spare_mask, F& value) noexcept {
    typename F::Integer n{};
    for (std::size_t i = 0; i < F::limb_count; ++i) {
      std::uint64_t word = 0;
      std::memcpy(&word, in + 8 * i, 8);
      n.limb[F::limb_count - 1 - i] = __builtin_bswap64(word);
    }
    n.limb[F::limb_count - 1] &= ~(std::to_integer<std::uint64_t>(spare_mask) << 56);
    if (!F::is_canonical(n)) return false;
    value = F::from_integer(n);
    return true;
  }
  static bool is_larger_than_negative(const F& value) noexcept {
    return compare(value.to_integer(), (-value).to_integer()) > 0;
  }
};

template <PrimeField F>
struct Coordinate<Fp2<F>> {
  using Part = Coordinate<F>;
  static constexpr std::size_t bytes = 2 * Part::bytes;

  static void write(const Fp2<F>& value, std::byte* out) noexcept {
    Part::write(value.c1, out);
    Part::write(value.c0, out + Part::bytes);
  }
  static bool read(const std::byte* in, std::byte spare_mask, Fp2<F>& value) noexcept {
    return Part::read(in, spare_mask, value.c1) &&
           Part::read(in + Part::bytes, std::byte{0}, value.c0);
  }
  static bool is_larger_than_negative(const Fp2<F>& value) noexcept {
    return Part::is_larger_than_negative(value.c1.is_zero() ? value.c0 : value.c1);
  }
};

inline constexpr std::byte compressed_flag{0x80};
inline constexpr std::byte infinity_flag{0x40};
inline constexpr std::byte larger_y_flag{0x20};
inline constexpr std::byte all_flags = compressed_flag | infinity_flag | larger_y_flag;

inline bool has(std::byte flags, std::byte flag) noexcept { return (flags & flag) != std::byte{0}; }

/// The infinity flag is set: is all else zero, the flags legal?
inline PointStatus check_infinity(std::span<const std::byte> in) noexcept {
  if (has(in[0], larger_y_flag)) return PointStatus::bad_flags;
  std::byte any = in[0] & ~all_flags;
  for (std::size_t i = 1; i < in.size(); ++i) any |= in[i];
  return any == std::byte{0} ? PointStatus::ok : PointStatus::bad_infinity;
}

}  // namespace detail

/// Bytes of a compressed point: x and the flags.
template <CurveParams P>
inline constexpr std::size_t compressed_bytes = detail::Coordinate<typename P::BaseField>::bytes;
/// Bytes of an uncompressed point: x and y.
template <CurveParams P>
inline constexpr std::size_t uncompressed_bytes = 2 * compressed_bytes<P>;

/// @cost 2 field products
template <CurveParams P>
std::array<std::byte, compressed_bytes<P>> encode_compressed(const Affine<P>& p) noexcept {
  using C = detail::Coordinate<typename P::BaseField>;
  std::array<std::byte, compressed_bytes<P>> out{};
  C::write(p.x, out.data());
  out[0] |= detail::compressed_flag;
  if (p.is_infinity()) {
    out[0] |= detail::infinity_flag;
  } else if (C::is_larger_than_negative(p.y)) {
    out[0] |= detail::larger_y_flag;
  }
  return out;
}

template <CurveParams P>
std::array<std::byte, uncompressed_bytes<P>> encode_uncompressed(const Affine<P>& p) noexcept {
  using C = detail::Coordinate<typename P::BaseField>;
  std::array<std::byte, uncompressed_bytes<P>> out{};
  C::write(p.x, out.data());
  C::write(p.y, out.data() + C::bytes);
  if (p.is_infinity()) out[0] |= detail::infinity_flag;
  return out;
}

/// A compressed point that is known to be in the subgroup: all is checked but that.
///
/// @param out  set only if the answer is ok
/// @cost  1 square root
template <CurveParams P>
PointStatus decode_compressed_unchecked(std::span<const std::byte> in, Affine<P>& out) noexcept {
  using F = typename P::BaseField;
  using C = detail::Coordinate<F>;
  if (in.size() != compressed_bytes<P>) return PointStatus::bad_length;
  if (!detail::has(in[0], detail::compressed_flag)) return PointStatus::bad_flags;
  if (detail::has(in[0], detail::infinity_flag)) {
    const PointStatus status = detail::check_infinity(in);
    if (status == PointStatus::ok) out = Affine<P>::infinity();
    return status;
  }
  F x{};
  if (!C::read(in.data(), detail::all_flags, x)) return PointStatus::not_canonical;
  F y{};
  if (!sqrt(x.square() * x + P::b(), y)) return PointStatus::not_on_curve;
  // y is never its own negative: a point with y = 0 has order 2, and the group order is odd.
  const bool larger = detail::has(in[0], detail::larger_y_flag);
  out = Affine<P>{x, C::is_larger_than_negative(y) == larger ? y : -y};
  return PointStatus::ok;
}

/// An uncompressed point that is known to be on the curve and in the subgroup: only its form is
/// checked (length, flags, canonical coordinates), and that it is not the pair (0, 0).
///
/// @param out  set only if the answer is ok
template <CurveParams P>
PointStatus decode_uncompressed_unchecked(std::span<const std::byte> in, Affine<P>& out) noexcept {
  using C = detail::Coordinate<typename P::BaseField>;
  if (in.size() != uncompressed_bytes<P>) return PointStatus::bad_length;
  if (detail::has(in[0], detail::compressed_flag)) return PointStatus::bad_flags;
  if (detail::has(in[0], detail::infinity_flag)) {
    const PointStatus status = detail::check_infinity(in);
    if (status == PointStatus::ok) out = Affine<P>::infinity();
    return status;
  }
  if (detail::has(in[0], detail::larger_y_flag)) return PointStatus::bad_flags;
  Affine<P> p{};
  if (!C::read(in.data(), std::byte{0}, p.x)) return PointStatus::not_canonical;
  if (!C::read(in.data() + C::bytes, std::byte{0}, p.y)) return PointStatus::not_canonical;
  if (p.is_infinity()) return PointStatus::not_on_curve;  // infinity has a flag of its own
  out = p;
  return PointStatus::ok;
}

/// A compressed point from outside: everything is checked.
///
/// @param out  set only if the answer is ok
/// @cost  1 square root + 1 subgroup check
template <CurveParams P>
PointStatus decode_compressed(std::span<const std::byte> in, Affine<P>& out) noexcept {
  Affine<P> p{};
  const PointStatus status = decode_compressed_unchecked(in, p);
  if (status != PointStatus::ok) return status;
  if (!is_in_subgroup(p)) return PointStatus::not_in_subgroup;
  out = p;
  return PointStatus::ok;
}

/// An uncompressed point from outside: everything is checked.
///
/// @param out  set only if the answer is ok
/// @cost  1 subgroup check
template <CurveParams P>
PointStatus decode_uncompressed(std::span<const std::byte> in, Affine<P>& out) noexcept {
  Affine<P> p{};
  const PointStatus status = decode_uncompressed_unchecked(in, p);
  if (status != PointStatus::ok) return status;
  if (!p.is_on_curve()) return PointStatus::not_on_curve;
  if (!is_in_subgroup(p)) return PointStatus::not_in_subgroup;
  out = p;
  return PointStatus::ok;
}

/// On the curve and in the subgroup? For points that come as coordinates and not as an encoding.
template <CurveParams P>
PointStatus check_point(const Affine<P>& p) noexcept {
  if (!p.is_on_curve()) return PointStatus::not_on_curve;
  return is_in_subgroup(p) ? PointStatus::ok : PointStatus::not_in_subgroup;
}

/// Does nothing if the status is ok.
/// @param what  names the point: "proof point A"
/// @throws Malformed
inline void require_ok(PointStatus status, std::string_view what) {
  if (status == PointStatus::ok) return;
  throw Malformed(std::string(what) + ": " + std::string(to_string(status)));
}
inline void require_ok(PointStatus status, const Location& at, std::string_view what) {
  if (status == PointStatus::ok) return;
  throw Malformed(at, std::string(what) + ": " + std::string(to_string(status)));
}

/// @throws Malformed if anything is wrong with the encoding or the point
template <CurveParams P>
Affine<P> read_compressed(std::span<const std::byte> in, std::string_view what) {
  Affine<P> p{};
  require_ok(decode_compressed(in, p), what);
  return p;
}

/// @throws Malformed if anything is wrong with the encoding or the point
template <CurveParams P>
Affine<P> read_uncompressed(std::span<const std::byte> in, std::string_view what) {
  Affine<P> p{};
  require_ok(decode_uncompressed(in, p), what);
  return p;
}

}  // namespace zkgpu
