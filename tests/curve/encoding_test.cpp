// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <catch2/catch.hpp>

#include <cstddef>
#include <span>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

#include <zkgpu/curve/bls12_381.hpp>
#include <zkgpu/curve/encoding.hpp>

#include "random_points.hpp"

namespace {

using namespace zkgpu;
using namespace zkgpu::bls12_381;
using test::Random;
using Bytes = std::vector<std::byte>;

template <CurveParams P>
struct Compressed {
  using Params = P;
  static constexpr std::size_t size = compressed_bytes<P>;
  static Bytes encode(const Affine<P>& p) {
    const auto a = encode_compressed(p);
    return Bytes(a.begin(), a.end());
  }
  static PointStatus decode(const Bytes& in, Affine<P>& out) { return decode_compressed(in, out); }
  static PointStatus unchecked(const Bytes& in, Affine<P>& out) {
    return decode_compressed_unchecked(in, out);
  }
  static Affine<P> read(const Bytes& in) { return read_compressed<P>(in, "test point"); }
};
template <CurveParams P>
struct Uncompressed {
  using Params = P;
  static constexpr std::size_t size = uncompressed_bytes<P>;
  static Bytes encode(const Affine<P>& p) {
    const auto a = encode_uncompressed(p);
    return Bytes(a.begin(), a.end());
  }
  static PointStatus decode(const Bytes& in, Affine<P>& out) {
    return decode_uncompressed(in, out);
  }
  static PointStatus unchecked(const Bytes& in, Affine<P>& out) {
    return decode_uncompressed_unchecked(in, out);
  }
  static Affine<P> read(const Bytes& in) { return read_uncompressed<P>(in, "test point"); }
};

using AllEncodings = std::tuple<Compressed<G1Params>, Compressed<G2Params>, Uncompressed<G1Params>,
                                Uncompressed<G2Params>>;

template <class E>
Affine<typename E::Params> generator() {
  return Group<typename E::Params>::generator();
}

/// Decodes and checks that the output is written exactly when the answer is ok.
template <class E>
PointStatus decode(const Bytes& in) {
  const auto before = -generator<E>();
  auto p = before;
  const PointStatus status = E::decode(in, p);
  if (status != PointStatus::ok) {
    CHECK(p == before);
  } else {
    CHECK(E::encode(p) == in);  // a point has one encoding
  }
  return status;
}

std::string text(PointStatus status) { return std::string(to_string(status)); }

template <class E>
Bytes with_flags(const Affine<typename E::Params>& p, unsigned flags) {
  Bytes bytes = E::encode(p);
  bytes[0] = (bytes[0] & std::byte{0x1f}) | static_cast<std::byte>(flags << 5);
  return bytes;
}

/// `value` written over the coordinate at byte `at`; flags stay.
Bytes with_coordinate(Bytes bytes, std::size_t at, const Limbs<6>& value) {
  const std::byte flags = bytes[at] & std::byte{0xe0};
  for (std::size_t i = 0; i < 48; ++i) {
    bytes[at + i] = static_cast<std::byte>(value.limb[5 - i / 8] >> (8 * (7 - i % 8)));
  }
  if (at == 0) bytes[0] |= flags;
  return bytes;
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("decoding an encoded point gives the point back", "[curve][law]",
                        AllEncodings) {
  using E = TestType;
  using P = typename E::Params;
  Random random(1);
  std::vector<Affine<P>> points = {Affine<P>::infinity(), generator<E>(), -generator<E>()};
  for (int i = 0; i < 32; ++i) points.push_back(test::random_subgroup_point<P>(random));
  for (const auto& p : points) {
    const Bytes bytes = E::encode(p);
    REQUIRE(bytes.size() == E::size);
    for (const auto& reader : {E::decode, E::unchecked}) {
      auto back = generator<E>();
      CHECK(text(reader(bytes, back)) == "ok");
      CHECK(back == p);
    }
    CHECK(E::read(bytes) == p);
  }
}

TEMPLATE_LIST_TEST_CASE("every length but the right one is refused", "[curve][edge]",
                        AllEncodings) {
  using E = TestType;
  Bytes bytes = E::encode(generator<E>());
  bytes.resize(2 * E::size);
  for (std::size_t length = 0; length <= bytes.size(); ++length) {
    const Bytes part(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(length));
    const auto expected = length == E::size ? PointStatus::ok : PointStatus::bad_length;
    CHECK(decode<E>(part) == expected);
  }
}

TEMPLATE_LIST_TEST_CASE("of the eight flag combinations each is accepted only where it belongs",
                        "[curve][edge]", AllEncodings) {
  using E = TestType;
  constexpr bool compressed = E::size == compressed_bytes<typename E::Params>;
  const auto infinity = Affine<typename E::Params>::infinity();
  for (unsigned flags = 0; flags < 8; ++flags) {  // compressed, infinity, larger y
    INFO("flags " << flags);
    const bool right_kind = ((flags & 4) != 0) == compressed;
    const bool infinity_flag = (flags & 2) != 0;
    const bool larger = (flags & 1) != 0;
    PointStatus finite = PointStatus::ok;
    if (!right_kind || (larger && (infinity_flag || !compressed))) {
      finite = PointStatus::bad_flags;
    } else if (infinity_flag) {
      finite = PointStatus::bad_infinity;
    }
    CHECK(text(decode<E>(with_flags<E>(generator<E>(), flags))) == text(finite));
    PointStatus zero = finite == PointStatus::bad_infinity ? PointStatus::ok : finite;
    if (finite == PointStatus::ok) {  // x = 0 (and y = 0) without the infinity flag
      constexpr bool g1 = std::is_same_v<typename E::Params, G1Params>;
      // On G1 x = 0 belongs to the points (0, ±2) of order 3; on G2 4(1 + u) is no square.
      zero = compressed && g1 ? PointStatus::not_in_subgroup : PointStatus::not_on_curve;
    }
    CHECK(text(decode<E>(with_flags<E>(infinity, flags))) == text(zero));
  }
}

TEMPLATE_LIST_TEST_CASE("infinity with any bit set is refused", "[curve][edge]", AllEncodings) {
  using E = TestType;
  const Bytes good = E::encode(Affine<typename E::Params>::infinity());
  for (std::size_t bit = 3; bit < 8 * E::size; ++bit) {
    Bytes bytes = good;
    bytes[bit / 8] ^= static_cast<std::byte>(0x80 >> (bit % 8));
    CHECK(decode<E>(bytes) == PointStatus::bad_infinity);
  }
}

TEMPLATE_LIST_TEST_CASE("a coordinate at or above the modulus is refused, in every coordinate",
                        "[curve][edge]", AllEncodings) {
  using E = TestType;
  const Limbs<6> p = Fq::modulus();
  Limbs<6> below = p, above = p, top{};
  below.limb[0] -= 1;
  above.limb[0] += 1;
  for (auto& limb : top.limb) limb = ~std::uint64_t{0};
  top.limb[5] >>= 3;  // 2^381 - 1: all that fits beside the flags
  for (std::size_t at = 0; at < E::size; at += 48) {
    INFO("coordinate at " << at);
    const Bytes good = E::encode(generator<E>());
    CHECK(decode<E>(with_coordinate(good, at, p)) == PointStatus::not_canonical);
    CHECK(decode<E>(with_coordinate(good, at, above)) == PointStatus::not_canonical);
    CHECK(decode<E>(with_coordinate(good, at, top)) == PointStatus::not_canonical);
    CHECK(decode<E>(with_coordinate(good, at, below)) != PointStatus::not_canonical);
    auto out = generator<E>();
    CHECK(E::unchecked(with_coordinate(good, at, p), out) == PointStatus::not_canonical);
  }
}

TEMPLATE_LIST_TEST_CASE("points outside the subgroup are refused, and only there", "[curve][edge]",
                        AllEncodings) {
  using E = TestType;
  Random random(2);
  for (int i = 0; i < 8; ++i) {
    const auto p = test::random_curve_point<typename E::Params>(random);
    CHECK(decode<E>(E::encode(p)) == PointStatus::not_in_subgroup);
    auto out = generator<E>();
    CHECK(E::unchecked(E::encode(p), out) == PointStatus::ok);
    CHECK(out == p);
    CHECK(check_point(p) == PointStatus::not_in_subgroup);
  }
}

TEMPLATE_LIST_TEST_CASE("points off the curve are refused", "[curve][edge]", AllEncodings) {
  using E = TestType;
  using P = typename E::Params;
  Random random(3);
  int refused = 0;
  for (int i = 0; i < 64; ++i) {
    auto p = test::random_subgroup_point<P>(random);
    p.y += P::BaseField::one();
    CHECK(check_point(p) == PointStatus::not_on_curve);
    p.x = test::random_element<typename P::BaseField>(random);
    const PointStatus status = decode<E>(E::encode(p));
    CHECK((status == PointStatus::not_on_curve || status == PointStatus::not_in_subgroup));
    if (status == PointStatus::not_on_curve) ++refused;
  }
  // Of a compressed point x alone is read, and half of all x belong to a point.
  constexpr bool compressed = E::size == compressed_bytes<P>;
  CHECK(refused > 16);
  CHECK((refused < 48) == compressed);
}

TEMPLATE_LIST_TEST_CASE("every single bit flip of an encoding is refused or another point",
                        "[curve][edge]", AllEncodings) {
  using E = TestType;
  const Bytes good = E::encode(generator<E>());
  std::size_t accepted = 0;
  for (std::size_t bit = 0; bit < 8 * E::size; ++bit) {
    Bytes bytes = good;
    bytes[bit / 8] ^= static_cast<std::byte>(0x80 >> (bit % 8));
    const PointStatus status = decode<E>(bytes);
    if (status == PointStatus::ok) ++accepted;
  }
  // Only the sign flag leads to a good point.
  CHECK(accepted == (E::size == compressed_bytes<typename E::Params> ? 1 : 0));
}

TEST_CASE("the larger y of Fq2 is decided by c1, and by c0 where c1 is zero", "[curve][g2][edge]") {
  using C = detail::Coordinate<Fq2>;
  const Fq small(1), large(-1);
  CHECK(C::is_larger_than_negative(Fq2{small, large}));
  CHECK_FALSE(C::is_larger_than_negative(Fq2{large, small}));
  CHECK(C::is_larger_than_negative(Fq2{large, Fq::zero()}));
  CHECK_FALSE(C::is_larger_than_negative(Fq2{small, Fq::zero()}));
  CHECK_FALSE(C::is_larger_than_negative(Fq2::zero()));
}

TEST_CASE("a throwing reader names the point and what is wrong with it", "[curve][errors]") {
  Bytes bytes = Compressed<G1Params>::encode(Group<G1Params>::generator());
  bytes[0] &= std::byte{0x7f};
  try {
    read_compressed<G1Params>(bytes, "proof point A");
    FAIL("accepted");
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::malformed);
    CHECK(std::string(error.what()) == "proof point A: illegal flag bits of a point");
  }
  CHECK_THROWS_AS(read_uncompressed<G2Params>(bytes, "b"), Malformed);
  try {
    require_ok(PointStatus::not_on_curve, Location{"a.params", "h", 96}, "h[0]");
    FAIL("accepted");
  } catch (const Malformed& error) {
    CHECK(error.where().offset == 96);
    CHECK(std::string(error.what()) == "a.params: h at byte 96: h[0]: point not on the curve");
  }
}
