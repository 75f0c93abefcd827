// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <array>
#include <catch2/catch.hpp>
#include <vector>

#include <zkgpu/batch/pairing_impl.hpp>
#include <zkgpu/batch/points_impl.hpp>

#include "support/random_points.hpp"
#include "support/toy_curve.hpp"

// Curves and groups that the library brings no kernels for: scalar code serves them.
namespace {

using namespace zkgpu;
using namespace zkgpu::test;

/// BLS12-381 under other names, so that there are points outside the subgroup, and a pairing.
struct OtherG1 : Bls12_381::G1 {};
struct OtherCurve : Bls12_381 {};

static_assert(!batch::has_point_lanes<ToyCurve::G1, arch::avx512ifma>);
static_assert(!batch::has_point_lanes<OtherG1, arch::avx512ifma>);
static_assert(!batch::has_miller_lanes<OtherCurve, arch::avx512ifma>);

template <class G>
void check_decoding(std::vector<typename G::Affine> points) {
  using P = typename G::Params;
  std::vector<std::byte> bytes;
  for (const auto& p : points) {
    const auto one = encode_compressed(p);
    bytes.insert(bytes.end(), one.begin(), one.end());
  }
  bytes[compressed_bytes<P>] ^= std::byte{0x80};  // no longer compressed
  std::vector<typename G::Affine> decoded(points.size());
  std::vector<PointStatus> statuses(points.size());
  batch::decode_compressed_points<G>({bytes, compressed_bytes<P>}, decoded, statuses);
  for (std::size_t i = 0; i < points.size(); ++i) {
    const auto expected = i == 1                      ? PointStatus::bad_flags
                          : is_in_subgroup(points[i]) ? PointStatus::ok
                                                      : PointStatus::not_in_subgroup;
    REQUIRE(statuses[i] == expected);
    if (expected == PointStatus::ok) REQUIRE(decoded[i] == points[i]);
  }
}

}  // namespace

TEST_CASE("points of a curve without kernels are decoded and checked", "[batch]") {
  std::vector<ToyCurve::G1::Affine> toys;
  for (int t = 0; t < 20; ++t) toys.push_back(toy_point<ToyCurve::G1>(ToyField(t)));
  check_decoding<ToyCurve::G1>(toys);
  CHECK(batch::first_outside_subgroup<ToyCurve::G1>(toys) == toys.size());

  Random random(41);
  std::vector<OtherG1::Affine> points(20, OtherG1::generator());
  points[13] = random_curve_point<OtherG1::Params>(random);
  check_decoding<OtherG1>(points);
  CHECK(batch::first_outside_subgroup<OtherG1>(points) == 13);
}

TEST_CASE("Miller loops of a curve without kernels are those of scalar code", "[batch][pairing]") {
  Random random(42);
  std::vector<PairingTerm<OtherCurve>> terms;
  for (int i = 0; i < 9; ++i) {
    terms.push_back({random_subgroup_point<OtherCurve::G1::Params>(random),
                     random_subgroup_point<OtherCurve::G2::Params>(random)});
  }
  CHECK_FALSE(batch::miller_loops_run_in_lanes<OtherCurve>(terms.size()));
  CHECK(batch::multi_miller_loop<OtherCurve>(terms) ==
        multi_miller_loop<OtherCurve>(std::span<const PairingTerm<OtherCurve>>(terms)));
}

TEST_CASE("a pairing of a curve without kernels is that of scalar code", "[batch][pairing]") {
  Random random(43);
  const auto p = random_subgroup_point<OtherCurve::G1::Params>(random);
  const auto q = random_subgroup_point<OtherCurve::G2::Params>(random);
  CHECK(batch::pairing<OtherCurve>(p, q) == pairing<OtherCurve>(p, q));
  const std::vector<PairingTerm<OtherCurve>> terms{{p, q}, {-p, q}};
  CHECK(batch::pairing_check<OtherCurve>(terms));
  CHECK_FALSE(batch::pairing_check<OtherCurve>(std::span(terms).first(1)));
}
