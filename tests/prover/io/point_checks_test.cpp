// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "io_fixtures.hpp"

#include <catch2/catch.hpp>

#include <atomic>
#include <cstdint>
#include <mutex>
#include <random>
#include "toy_files.hpp"

using namespace zkgpu;
using namespace zkgpu::test;

namespace {

/// The same numbers on every run, whatever thread asks first for them.
class FixedRandom final : public io::RandomSource {
 public:
  void fill(std::span<std::byte> out) override {
    const std::lock_guard guard(mutex_);
    bytes += out.size();
    for (std::byte& b : out) b = static_cast<std::byte>(random_());
  }
  std::size_t bytes = 0;  ///< handed out

 private:
  std::mutex mutex_;
  std::mt19937_64 random_{20261129};
};

template <CurveGroup G>
Array<typename G::Affine> good_points(std::size_t n) {
  Array<typename G::Affine> points(n, G::generator());
  for (std::size_t i = 0; i < n; ++i) {
    if (i % 3 == 1) points[i] = -points[i];
    if (i % 5 == 4) points[i] = G::Affine::infinity();
  }
  return points;
}

/// Counts units.
struct Units final : ProgressObserver {
  std::atomic<std::uint64_t> done = 0;
  void begin(std::string_view, std::uint64_t) noexcept override {}
  void advance(std::uint64_t units) noexcept override { done += units; }
  void step(std::string_view) noexcept override {}
};

/// Joint on every processor, whatever a subgroup check costs there.
constexpr io::SubgroupCheckPlan joint_plan{.log_buckets = 6, .passes = 14};
static_assert(joint_plan.log_buckets * joint_plan.passes >= io::subgroup_check_security_bits);
constexpr io::SubgroupCheckPlan single_plan{};

/// Checks by this plan; sound points must report its units.
template <CurveGroup G>
Outcome check(std::span<const typename G::Affine> points, const io::SubgroupCheckPlan& plan,
              bool infinity_allowed = true) {
  FixedRandom random;
  Units units;
  Outcome outcome = outcome_of([&] {
    io::check_points<G>(&random, points,
                        {"k", "section 5 (A)", 1000, sizeof(typename G::Affine), infinity_allowed},
                        &units, plan);
  });
  if (outcome.message.empty()) CHECK(units.done == io::check_units<G>(plan, points.size()));
  const bool joint = plan.log_buckets != 0 && units.done != 0;  // reached, and points there
  CHECK(random.bytes == (joint ? plan.passes * points.size() : 0));
  return outcome;
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
    CHECK(check<TestType>(points, single_plan).message.empty());
    CHECK(check<TestType>(points, joint_plan).message.empty());
  }
}

TEMPLATE_TEST_CASE("the plan made for a processor is the one followed", "[io][plan]", Bls::G1,
                   Bls::G2) {
  using G = TestType;
  for (const std::size_t n : {100u, 2000u, 12'000u}) {  // joint for 12,000 on every processor
    const auto points = good_points<G>(n);
    FixedRandom random;
    for (io::RandomSource* source :
         {static_cast<io::RandomSource*>(&random), static_cast<io::RandomSource*>(nullptr)}) {
      const io::SubgroupCheckPlan plan = io::subgroup_check_plan<G>(source, n);
      INFO(n << " points, " << plan.passes << " passes");
      CHECK((plan.log_buckets != 0 || source == nullptr || n < 12'000));
      if (source == nullptr || n == 100) CHECK(plan == single_plan);
      Units units;
      random.bytes = 0;
      io::check_points<G>(source, points, {"k", "s", 0, sizeof(typename G::Affine), true}, &units);
      CHECK(units.done == io::check_units<G>(source, n));
      CHECK(units.done == io::check_units<G>(plan, n));
      CHECK(random.bytes == n * plan.passes);
    }
  }
}

TEMPLATE_TEST_CASE("one bad point among thousands is named", "[io][curve]", Bls::G1, Bls::G2) {
  using G = TestType;
  auto points = good_points<G>(5000);
  const auto bad = point_outside_subgroup<G>(1);
  for (const std::size_t at : {0u, 1u, 2500u, 4999u}) {
    const auto saved = points[at];
    points[at] = bad;
    for (const io::SubgroupCheckPlan& plan : {joint_plan, single_plan}) {
      const Outcome outcome = check<G>(points, plan);
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
  for (const io::SubgroupCheckPlan& plan : {joint_plan, single_plan}) {
    const Outcome outcome = check<G>(points, plan);
    CHECK(outcome.kind == ErrorKind::malformed);
    CHECK(outcome.message.find("point 100: not in the subgroup") != std::string::npos);
  }
}

TEST_CASE("coordinates, the curve and infinity are checked point by point", "[io][curve]") {
  using G = Bls::G1;
  auto points = good_points<G>(64);
  points[20].x = Bls::Fq::from_montgomery(Bls::Fq::modulus());
  CHECK(check<G>(points, joint_plan).message.find("point 20: a coordinate is not below") !=
        std::string::npos);
  points[10].y = points[10].y + Bls::Fq::one();
  CHECK(check<G>(points, joint_plan).message.find("point 10: not on the curve") !=
        std::string::npos);
  CHECK(check<G>(points, joint_plan, false).message.find("point 4: the point at infinity") !=
        std::string::npos);
  points = good_points<G>(4);
  points[2].x = Bls::Fq::zero();  // half of infinity
  CHECK(check<G>(points, joint_plan).message.find("point 2: not on the curve") !=
        std::string::npos);
}

TEST_CASE("a failing random source fails the check", "[io][fault]") {
  struct Broken final : io::RandomSource {
    void fill(std::span<std::byte>) override { throw IoError("random generator: broken"); }
  } broken;
  const auto points = good_points<Bls::G1>(5000);
  const Outcome outcome = outcome_of([&] {
    io::check_points<Bls::G1>(&broken, points, {"k", "s", 0, 96, true}, nullptr, joint_plan);
  });
  CHECK(outcome.kind == ErrorKind::io);
}
