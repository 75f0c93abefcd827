// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include <zkgpu/core/env.hpp>
#include <zkgpu/core/progress.hpp>
#include <zkgpu/curve/bls12_381.hpp>
#include <zkgpu/curve/curve.hpp>

namespace zkgpu::io {

/// Random bytes for checks, without the type of the environment that they come from.
class RandomSource {
 public:
  virtual ~RandomSource() = default;
  /// Called by several threads at once. @throws IoError
  virtual void fill(std::span<std::byte> out) = 0;
};

template <Env E>
class EnvRandom final : public RandomSource {
 public:
  explicit EnvRandom(E& env) : env_(&env) {}
  void fill(std::span<std::byte> out) override { fill_random(*env_, out); }

 private:
  E* env_;
};

/// Where an array of points came from, for messages.
struct PointPlace {
  std::string file;
  std::string section;
  std::uint64_t offset = 0;    ///< of the first point in the file
  std::size_t item_bytes = 0;  ///< of one point in the file
  bool infinity_allowed = false;
};

/// How many points are checked one by one or together.
///
/// Together: each pass throws every point into one of 2^log_buckets buckets at random and checks
/// the sums. Whatever bad points there are, fix all but one of them: of all buckets for the last,
/// at most one leaves every sum in the subgroup. So a pass misses with probability <=
/// 2^-log_buckets, and `passes` independent ones with <= 2^-(passes · log_buckets) <= 2^-80.
struct SubgroupCheckPlan {
  unsigned log_buckets = 0;  ///< 0: one by one
  unsigned passes = 0;
  friend bool operator==(const SubgroupCheckPlan&, const SubgroupCheckPlan&) = default;
};

inline constexpr unsigned subgroup_check_security_bits = 80;

/// Pure. The cheapest plan in units of one mixed addition, when one subgroup check costs
/// `check_cost` of them.
constexpr SubgroupCheckPlan plan_subgroup_check(std::size_t points,
                                                std::size_t check_cost = 90) noexcept {
  SubgroupCheckPlan best{};
  double best_cost = static_cast<double>(points) * static_cast<double>(check_cost);
  for (unsigned log_buckets = 2; log_buckets <= 8; ++log_buckets) {  // a byte of randomness a point
    const unsigned passes = (subgroup_check_security_bits + log_buckets - 1) / log_buckets;
    const double buckets = static_cast<double>(std::size_t{1} << log_buckets);
    const double cost = static_cast<double>(passes) *
                        (static_cast<double>(points) + buckets * static_cast<double>(check_cost));
    if (cost < best_cost) {
      best_cost = cost;
      best = {log_buckets, passes};
    }
  }
  return best;
}

/// What an addition of points costs, in additions of G1: a product in Fq2 takes three of Fq.
template <CurveGroup G>
inline constexpr std::uint64_t addition_units = requires(typename G::BaseField x) {
  x.c0;
}
? 3 : 1;

/// The plan of `check_points` for so many points: what one subgroup check costs is a matter of the
/// group and of the processor. Without a random source each point is checked alone.
/// @throws InvalidArgument as `selected_cpu_level`
template <CurveGroup G>
[[nodiscard]] SubgroupCheckPlan subgroup_check_plan(const RandomSource* random, std::size_t points);

/// What `check_points` tells its observer in all: one addition a point for the cheap checks, and
/// one a pass.
template <CurveGroup G>
constexpr std::uint64_t check_units(const SubgroupCheckPlan& plan, std::size_t points) noexcept {
  const std::uint64_t passes = plan.passes;
  return addition_units<G> * points * (1 + (passes == 0 ? 1 : passes));
}

/// The same by the plan that `check_points` makes itself.
template <CurveGroup G>
std::uint64_t check_units(const RandomSource* random, std::size_t points) {
  return check_units<G>(subgroup_check_plan<G>(random, points), points);
}

/// Checks every point: coordinates below q, on the curve, in the subgroup of prime order, and no
/// infinity where `place` forbids it.
///
/// @param random  for joint subgroup checks; nullptr: each point alone
/// @param observer  is told of `check_units` in all, if the points pass; null: nobody
/// @param points  affine, in Montgomery form; coordinates may be anything
/// @param plan  in place of `subgroup_check_plan`; one by one all the same without `random`
/// @throws Malformed naming the first bad point; IoError if the random source fails;
///         ResourceExhausted if the buckets of joint checks (about 1 MB) cannot be had
/// @cost  about 4M a point, then the plan's; on all cores
template <CurveGroup G>
void check_points(RandomSource* random, std::span<const typename G::Affine> points,
                  const PointPlace& place, ProgressObserver* observer = nullptr,
                  std::optional<SubgroupCheckPlan> plan = std::nullopt);

/// The checks of `check_points` for one point, one by one: "" if it passes, else what is wrong.
template <CurveGroup G>
[[nodiscard]] std::string point_problem(const typename G::Affine& point, bool infinity_allowed);

extern template SubgroupCheckPlan subgroup_check_plan<Bls12_381::G1>(const RandomSource*,
                                                                     std::size_t);
extern template SubgroupCheckPlan subgroup_check_plan<Bls12_381::G2>(const RandomSource*,
                                                                     std::size_t);
extern template void check_points<Bls12_381::G1>(RandomSource*,
                                                 std::span<const Bls12_381::G1::Affine>,
                                                 const PointPlace&, ProgressObserver*,
                                                 std::optional<SubgroupCheckPlan>);
extern template void check_points<Bls12_381::G2>(RandomSource*,
                                                 std::span<const Bls12_381::G2::Affine>,
                                                 const PointPlace&, ProgressObserver*,
                                                 std::optional<SubgroupCheckPlan>);
extern template std::string point_problem<Bls12_381::G1>(const Bls12_381::G1::Affine&, bool);
extern template std::string point_problem<Bls12_381::G2>(const Bls12_381::G2::Affine&, bool);

}  // namespace zkgpu::io
