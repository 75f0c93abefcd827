// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <type_traits>
#include <vector>

#include <zkgpu/batch/lane_points.hpp>
#include <zkgpu/batch/points.hpp>
#include <zkgpu/curve/jacobian.hpp>

#include "curve/small_order_points.hpp"
#include "field/lanes/lanes_here.hpp"
#include "support/random_points.hpp"

// Oracle: `decode_compressed` and `is_in_subgroup`, one point at a time.
namespace {

using namespace zkgpu;
using namespace zkgpu::test;
using G1 = Bls12_381::G1;
using G2 = Bls12_381::G2;

constexpr std::size_t sizes[] = {0, 1, 2, 7, 8, 9, 16, 31, 33, 100};

/// Points of the subgroup, any others, those of small orders, and infinity.
template <class G>
std::vector<typename G::Affine> mixed_points(std::size_t n, Random& random) {
  using P = typename G::Params;
  const auto orders = small_orders<P>();
  std::vector<typename G::Affine> points;
  for (std::size_t i = 0; i < n; ++i) {
    switch (random() % 8) {
      case 0: points.push_back(random_curve_point<P>(random)); break;
      case 1: points.push_back(G::Affine::infinity()); break;
      case 2:
        points.push_back(random_point_of_order<P>(orders[random() % orders.size()], random));
        break;
      default: points.push_back(random_subgroup_point<P>(random));
    }
  }
  return points;
}

template <class G>
struct Decoded {
  std::vector<typename G::Affine> points;
  std::vector<PointStatus> statuses;
};

template <class G>
Decoded<G> decode(const std::vector<std::byte>& bytes, std::size_t stride, std::size_t n) {
  Decoded<G> r{std::vector<typename G::Affine>(n, G::generator()), std::vector<PointStatus>(n)};
  batch::decode_compressed_points<G>({bytes, stride}, r.points, r.statuses);
  return r;
}

template <class G>
std::vector<std::byte> encodings_of(const std::vector<typename G::Affine>& points) {
  std::vector<std::byte> bytes;
  for (const auto& p : points) {
    const auto one = encode_compressed(p);
    bytes.insert(bytes.end(), one.begin(), one.end());
  }
  return bytes;
}

/// Encodings of valid points, some of them damaged.
template <class G>
std::vector<std::byte> encodings(std::size_t n, std::size_t stride, bool damage, Random& random) {
  std::vector<std::byte> bytes(n == 0 ? 0 : (n - 1) * stride + compressed_bytes<typename G::Params>,
                               std::byte{0xff});
  const auto points = mixed_points<G>(n, random);
  for (std::size_t i = 0; i < n; ++i) {
    const auto p = damage ? points[i] : random_subgroup_point<typename G::Params>(random);
    auto one = encode_compressed(p);
    if (damage && random() % 3 == 0) one[random() % one.size()] ^= std::byte{1} << random() % 8;
    if (damage && random() % 8 == 0) one[0] ^= std::byte(random() % 8 << 5);
    if (damage && random() % 8 == 0) {  // above the modulus
      one.fill(std::byte{0xff});
      one[0] = std::byte{0x9f};
    }
    std::copy(one.begin(), one.end(), bytes.begin() + static_cast<std::ptrdiff_t>(i * stride));
  }
  return bytes;
}

}  // namespace

TEMPLATE_TEST_CASE("points decoded together are those decoded one by one", "[batch][agreement]", G1,
                   G2) {
  using G = TestType;
  constexpr std::size_t size = compressed_bytes<typename G::Params>;
  lanes_run_here();
  Random random(21);
  std::array<std::size_t, 7> seen{};
  for (const bool damage : {false, true}) {
    for (const std::size_t n : sizes) {
      for (const std::size_t stride : {size, 4 * size}) {
        const auto bytes = encodings<G>(n, stride, damage, random);
        const auto together = decode<G>(bytes, stride, n);
        for (std::size_t i = 0; i < n; ++i) {
          auto alone = G::generator();  // left as it is where the status is not ok
          const auto status = decode_compressed(std::span(bytes).subspan(i * stride, size), alone);
          REQUIRE(together.statuses[i] == status);
          REQUIRE(together.points[i] == alone);
          ++seen[static_cast<std::size_t>(status)];
        }
      }
    }
  }
  for (const PointStatus status :
       {PointStatus::ok, PointStatus::bad_flags, PointStatus::bad_infinity,
        PointStatus::not_canonical, PointStatus::not_on_curve, PointStatus::not_in_subgroup}) {
    INFO(to_string(status));
    CHECK(seen[static_cast<std::size_t>(status)] > 0);
  }
}

TEMPLATE_TEST_CASE("the first point outside the subgroup is found", "[batch][agreement]", G1, G2) {
  using G = TestType;
  lanes_run_here();
  Random random(22);
  for (const std::size_t n : sizes) {
    std::vector<typename G::Affine> points;
    for (std::size_t i = 0; i < n; ++i) {
      points.push_back(i % 5 == 3 ? G::Affine::infinity()
                                  : random_subgroup_point<typename G::Params>(random));
    }
    CHECK(batch::first_outside_subgroup<G>(points) == n);
    if (n == 0) continue;
    const std::size_t at = random() % n;
    points[at] = random_curve_point<typename G::Params>(random);
    CHECK(batch::first_outside_subgroup<G>(points) == at);
    points[random() % (at + 1)] = random_curve_point<typename G::Params>(random);
    const auto outside = [](const auto& p) { return !is_in_subgroup(p); };
    const auto first = std::find_if(points.begin(), points.end(), outside) - points.begin();
    CHECK(batch::first_outside_subgroup<G>(points) == static_cast<std::size_t>(first));
  }
}

TEMPLATE_TEST_CASE("points of small orders are judged in every lane as alone", "[batch][agreement]",
                   G1, G2) {
  using G = TestType;
  using P = typename G::Params;
  constexpr std::size_t width = 8, size = compressed_bytes<P>;
  lanes_run_here();
  Random random(23);
  std::vector<typename G::Affine> bad;
  for (const auto order : small_orders<P>()) {
    const auto p = random_point_of_order<P>(order, random);
    const auto good = random_subgroup_point<P>(random);
    const auto sum = G::Jacobian::from_affine(good) + p;
    bad.insert(bad.end(), {p, -p, sum.to_affine()});
  }
  for (const auto& p : bad) {
    REQUIRE_FALSE(is_in_subgroup(p));
    for (std::size_t at = 0; at < width; ++at) {
      CAPTURE(&p - bad.data(), at);
      std::vector<typename G::Affine> points(width, G::generator());
      points[at] = p;
      REQUIRE(batch::first_outside_subgroup<G>(points) == at);
      const auto decoded = decode<G>(encodings_of<G>(points), size, width);
      for (std::size_t k = 0; k < width; ++k) {
        REQUIRE(decoded.statuses[k] == (k == at ? PointStatus::not_in_subgroup : PointStatus::ok));
      }
    }
  }
  // All lanes at once, each with a case of its own.
  for (std::size_t first = 0; first + width <= bad.size(); ++first) {
    const std::vector group(&bad[first], &bad[first] + width);
    CHECK(batch::first_outside_subgroup<G>(group) == 0);
    CHECK(decode<G>(encodings_of<G>(group), size, width).statuses ==
          std::vector(width, PointStatus::not_in_subgroup));
  }
}

#if defined(__x86_64__)
TEMPLATE_TEST_CASE("lanes whose multiples meet infinity are left undecided, and no others",
                   "[batch][edge]", G1, G2) {
  using G = TestType;
  using P = typename G::Params;
  if (!lanes_run_here()) return;
  Random random(24);
  // The chain for |z| = 1101001... in binary passes through twice and 13 times the point.
  const auto small = random_point_of_order<P>(std::is_same_v<G, G1> ? 3 : 13, random);
  const auto infinity = G::Affine::infinity();
  const auto other = random_curve_point<P>(random);
  const auto good = G::generator();
  const typename G::Affine* const points[] = {&small, &good,  &other, &infinity,
                                              &good,  &small, &good,  &other};
  const auto masks = batch::PointLanes<G, arch::avx512ifma>::check(points);
  CHECK(int{masks.undecided} == 0b00101001);
  CHECK(int{masks.in_subgroup} == 0b01010010);
}
#endif

TEST_CASE("encodings that are not there are refused", "[batch]") {
  std::vector<std::byte> bytes(2 * 48 - 1);
  std::vector<G1::Affine> points(2);
  std::vector<PointStatus> statuses(2);
  const auto decode = [&](std::size_t stride) {
    batch::decode_compressed_points<G1>({bytes, stride}, points, statuses);
  };
  CHECK_THROWS_AS(decode(48), InvalidArgument);
  CHECK_THROWS_WITH(decode(48), "points: 95 bytes hold 1 encodings 48 bytes apart, of 2");
  CHECK_THROWS_WITH(decode(47), "points: encodings of 48 bytes, 47 bytes apart");
  bytes.resize(2 * 48);
  CHECK_NOTHROW(decode(48));
  CHECK_THROWS_WITH(decode(49), "points: 96 bytes hold 1 encodings 49 bytes apart, of 2");
  bytes.resize(47);
  CHECK_THROWS_WITH(decode(48), "points: 47 bytes hold 0 encodings 48 bytes apart, of 2");
  statuses.resize(3);
  CHECK_THROWS_WITH(decode(48), "points: 3 statuses for 2 points");
  points.clear();
  statuses.clear();
  CHECK_NOTHROW(decode(48));
}
