// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "io_fixtures.hpp"

#include <catch2/catch.hpp>

#include <mutex>
#include <random>
#include <zkgpu/curve/endomorphism.hpp>
#include <zkgpu/field/sqrt.hpp>
#include "toy_files.hpp"

using namespace zkgpu;
using namespace zkgpu::test;

namespace {

/// The same numbers on every run, whatever thread asks first for them.
class FixedRandom final : public io::RandomSource {
 public:
  void fill(std::span<std::byte> out) override {
    const std::lock_guard guard(mutex_);
    for (std::byte& b : out) b = static_cast<std::byte>(random_());
  }

 private:
  std::mutex mutex_;
  std::mt19937_64 random_{20261129};
};

/// A point of the curve outside the subgroup.
template <CurveGroup G>
typename G::Affine point_outside_subgroup(int x) {
  for (;; ++x) {
    typename G::BaseField y;
    typename G::BaseField at{};
    if constexpr (std::is_same_v<typename G::BaseField, Bls::Fq>) {
      at = Bls::Fq(x);
    } else {
      at = Bls::Fq2{Bls::Fq(x), Bls::Fq(1)};
    }
    if (!sqrt(at.square() * at + G::b(), y)) continue;
    const typename G::Affine point{at, y};
    if (!is_in_subgroup(point)) return point;
  }
}

template <CurveGroup G>
Array<typename G::Affine> good_points(std::size_t n) {
  Array<typename G::Affine> points(n, G::generator());
  for (std::size_t i = 0; i < n; ++i) {
    if (i % 3 == 1) points[i] = -points[i];
    if (i % 5 == 4) points[i] = G::Affine::infinity();
  }
  return points;
}

template <CurveGroup G>
Outcome check(std::span<const typename G::Affine> points, bool infinity_allowed = true,
              bool joint = true) {
  FixedRandom random;
  return outcome_of([&] {
    io::check_points<G>(joint ? &random : nullptr, points,
                        {"k", "section 5 (A)", 1000, sizeof(typename G::Affine), infinity_allowed});
  });
}

}  // namespace

TEST_CASE("the plan of subgroup checks is single for few points, joint for many", "[io][plan]") {
  CHECK(io::plan_subgroup_check(0).log_buckets == 0);
  CHECK(io::plan_subgroup_check(100).log_buckets == 0);
  for (const std::size_t n : {10'000u, 65'536u, 1u << 20u, 1u << 27u}) {
    const auto plan = io::plan_subgroup_check(n);
    CHECK(plan.log_buckets >= 4);
    CHECK(plan.log_buckets <= 8);
    CHECK(plan.passes * plan.log_buckets >= io::subgroup_check_security_bits);
  }
  CHECK(io::plan_subgroup_check(65'536) == io::plan_subgroup_check(65'536));
}

TEMPLATE_TEST_CASE("sound points pass, alone and together", "[io][curve]", Bls::G1, Bls::G2) {
  for (const std::size_t n : {0u, 1u, 2u, 33u, 5000u}) {
    const auto points = good_points<TestType>(n);
    CHECK(check<TestType>(points).message.empty());
  }
}

TEMPLATE_TEST_CASE("one bad point among thousands is named", "[io][curve]", Bls::G1, Bls::G2) {
  using G = TestType;
  auto points = good_points<G>(5000);
  REQUIRE(io::plan_subgroup_check(points.size()).log_buckets != 0);
  const auto bad = point_outside_subgroup<G>(1);
  for (const std::size_t at : {0u, 1u, 2500u, 4999u}) {
    const auto saved = points[at];
    points[at] = bad;
    for (const bool joint : {true, false}) {
      const Outcome outcome = check<G>(points, true, joint);
      CHECK(outcome.kind == ErrorKind::malformed);
      CHECK(outcome.message ==
            "k: section 5 (A) at byte " + std::to_string(1000 + at * sizeof(typename G::Affine)) +
                ": point " + std::to_string(at) + ": not in the subgroup of prime order");
    }
    points[at] = saved;
  }
}

TEMPLATE_TEST_CASE("bad points whose sum is in the subgroup are found", "[io][curve]", Bls::G1,
                   Bls::G2) {
  using G = TestType;
  auto points = good_points<G>(4000);
  const auto bad = point_outside_subgroup<G>(7);
  points[100] = bad;
  points[3000] = -bad;
  const Outcome outcome = check<G>(points);
  CHECK(outcome.kind == ErrorKind::malformed);
  CHECK(outcome.message.find("point 100:") != std::string::npos);
}

TEST_CASE("coordinates, the curve and infinity are checked point by point", "[io][curve]") {
  using G = Bls::G1;
  auto points = good_points<G>(64);
  points[20].x = Bls::Fq::from_montgomery(Bls::Fq::modulus());
  CHECK(check<G>(points).message.find("point 20: a coordinate is not below") != std::string::npos);
  points[10].y = points[10].y + Bls::Fq::one();
  CHECK(check<G>(points).message.find("point 10: not on the curve") != std::string::npos);
  CHECK(check<G>(points, false).message.find("point 4: the point at infinity") !=
        std::string::npos);
  points = good_points<G>(4);
  points[2].x = Bls::Fq::zero();  // half of infinity
  CHECK(check<G>(points).message.find("point 2: not on the curve") != std::string::npos);
}

TEST_CASE("a failing random source fails the check", "[io][fault]") {
  struct Broken final : io::RandomSource {
    void fill(std::span<std::byte>) override { throw IoError("random generator: broken"); }
  } broken;
  const auto points = good_points<Bls::G1>(5000);
  const Outcome outcome = outcome_of([&] {
    io::check_points<Bls::G1>(&broken, points, {"k", "s", 0, 96, true});
  });
  CHECK(outcome.kind == ErrorKind::io);
}
