// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/parallel_reduce.h>

#include <algorithm>
#include <mutex>
#include <vector>

#include <zkgpu/backend/cpu.hpp>
#include <zkgpu/batch/points.hpp>
#include <zkgpu/core/array.hpp>
#include <zkgpu/core/error.hpp>
#include <zkgpu/curve/endomorphism.hpp>
#include <zkgpu/field/fp.hpp>
#include <zkgpu/field/fp2.hpp>
#include <zkgpu/prover/io/key/point_checks.hpp>

namespace zkgpu::io {

namespace detail {

template <PrimeFieldParams P>
bool is_reduced(const Fp<P>& x) noexcept {
  return Fp<P>::is_canonical(x.montgomery());
}
template <PrimeField F>
bool is_reduced(const Fp2<F>& x) noexcept {
  return is_reduced(x.c0) && is_reduced(x.c1);
}

/// The first index in [0, n) for which `bad` holds, or n. On all cores; the same for any number.
template <class Predicate>
std::size_t first_bad_index(std::size_t n, std::size_t grain, const Predicate& bad) {
  namespace tbb = oneapi::tbb;
  return tbb::parallel_reduce(
      tbb::blocked_range<std::size_t>(0, n, grain), n,
      [&](const tbb::blocked_range<std::size_t>& range, std::size_t first) {
        for (std::size_t i = range.begin(); i < std::min(range.end(), first); ++i) {
          if (bad(i)) return i;
        }
        return first;
      },
      [](std::size_t a, std::size_t b) { return std::min(a, b); });
}

/// The smallest of what find(begin, end) answers over ranges that make up [0, n), where `end` means
/// none, or n. On all cores; the same for any number.
template <class Find>
std::size_t first_bad_of_ranges(std::size_t n, const Find& find) {
  namespace tbb = oneapi::tbb;
  constexpr std::size_t grain = 128;  // halves of it still fill groups of eight well
  return tbb::parallel_reduce(
      tbb::blocked_range<std::size_t>(0, n, grain), n,
      [&](const tbb::blocked_range<std::size_t>& range, std::size_t first) {
        if (range.begin() >= first) return first;
        const std::size_t end = std::min(range.end(), first);
        const std::size_t bad = find(range.begin(), end);
        return bad == end ? first : bad;
      },
      [](std::size_t a, std::size_t b) { return std::min(a, b); });
}

/// The index of the first point outside the subgroup, or how many there are. On all cores.
template <CurveGroup G>
std::size_t first_outside_subgroup(std::span<const typename G::Affine> points) {
  return first_bad_of_ranges(points.size(), [&](std::size_t begin, std::size_t end) {
    return begin + batch::first_outside_subgroup<G>(points.subspan(begin, end - begin));
  });
}

/// What one subgroup check of many costs here, in mixed additions to a bucket (docs/performance).
template <CurveGroup G>
std::size_t subgroup_check_cost() {
  if (selected_cpu_level() < CpuLevel::avx512ifma) return 90;
  return Bls12G1Params<typename G::Params> ? 28 : 14;
}

/// Sums of points thrown into buckets at random, one row of buckets a pass.
template <CurveGroup G>
class BucketSums {
 public:
  using Affine = typename G::Affine;
  using Bucket = typename G::Bucket;

  explicit BucketSums(const SubgroupCheckPlan& plan)
      : plan_(plan),
        buckets_(std::size_t{1} << plan.log_buckets),
        sums_(buckets_ * plan.passes, Bucket::infinity()),
        locks_(plan.passes) {}

  /// Throws points into the buckets of one pass. Several threads may do so at once.
  void add(unsigned pass, std::span<const Affine> points, RandomSource& random) {
    std::vector<std::byte> dice(points.size());
    random.fill(dice);
    std::vector<Bucket> local(buckets_, Bucket::infinity());
    const unsigned mask = static_cast<unsigned>(buckets_ - 1);
    for (std::size_t i = 0; i < points.size(); ++i) {
      local[std::to_integer<unsigned>(dice[i]) & mask] += points[i];  // 8M + 2S
    }
    const std::lock_guard guard(locks_[pass]);
    for (std::size_t b = 0; b < buckets_; ++b) sums_[pass * buckets_ + b] += local[b];
  }

  /// Are all sums of all passes in the subgroup?
  [[nodiscard]] bool all_in_subgroup() const {
    std::vector<Affine> points(sums_.size());
    oneapi::tbb::parallel_for(std::size_t{0}, sums_.size(),
                              [&](std::size_t i) { points[i] = sums_[i].to_affine(); });
    return first_outside_subgroup<G>(points) == points.size();
  }

 private:
  SubgroupCheckPlan plan_;
  std::size_t buckets_;
  std::vector<Bucket> sums_;
  std::vector<std::mutex> locks_;
};

template <CurveGroup G>
bool all_in_subgroup(RandomSource& random, std::span<const typename G::Affine> points,
                     const SubgroupCheckPlan& plan, ProgressObserver* observer) {
  namespace tbb = oneapi::tbb;
  // Points a task: many times the buckets of a row, so that merging rows costs little.
  constexpr std::size_t task_points = std::size_t{1} << 14;
  const std::size_t tasks_per_pass = (points.size() + task_points - 1) / task_points;
  BucketSums<G> sums(plan);
  tbb::parallel_for(std::size_t{0}, tasks_per_pass * plan.passes, [&](std::size_t task) {
    const std::size_t first = task % tasks_per_pass * task_points;
    const std::size_t count = std::min(task_points, points.size() - first);
    sums.add(static_cast<unsigned>(task / tasks_per_pass), points.subspan(first, count), random);
    if (observer != nullptr) observer->advance(addition_units<G> * count);
  });
  return sums.all_in_subgroup();
}

[[noreturn]] inline void fail_point(const PointPlace& place, std::size_t index,
                                    const std::string& problem) {
  throw Malformed({place.file, place.section, place.offset + index * place.item_bytes},
                  "point " + std::to_string(index) + ": " + problem);
}

/// All checks but the subgroup's; nullptr if the point passes.
template <CurveGroup G>
const char* cheap_point_problem(const typename G::Affine& point, bool infinity_allowed) noexcept {
  if (!is_reduced(point.x) || !is_reduced(point.y))
    return "a coordinate is not below the field's prime";
  if (point.is_infinity())
    return infinity_allowed ? nullptr : "the point at infinity is not allowed";
  return point.is_on_curve() ? nullptr : "not on the curve";
}

inline constexpr const char* subgroup_problem = "not in the subgroup of prime order";

}  // namespace detail

template <CurveGroup G>
std::string point_problem(const typename G::Affine& point, bool infinity_allowed) {
  if (const char* problem = detail::cheap_point_problem<G>(point, infinity_allowed)) return problem;
  return is_in_subgroup(point) ? "" : detail::subgroup_problem;
}

namespace detail {

/// The index of the first point that has a problem, or how many there are. On all cores.
template <CurveGroup G>
std::size_t first_point_with_problem(std::span<const typename G::Affine> points,
                                     bool infinity_allowed) {
  return first_bad_of_ranges(points.size(), [&](std::size_t begin, std::size_t end) {
    std::size_t fine = begin;
    while (fine < end && cheap_point_problem<G>(points[fine], infinity_allowed) == nullptr) ++fine;
    return begin + batch::first_outside_subgroup<G>(points.subspan(begin, fine - begin));
  });
}

}  // namespace detail

template <CurveGroup G>
SubgroupCheckPlan subgroup_check_plan(const RandomSource* random, std::size_t points) {
  if (random == nullptr) return {};
  return plan_subgroup_check(points, detail::subgroup_check_cost<G>());
}

namespace detail {

template <CurveGroup G>
void check_all_points(RandomSource* random, std::span<const typename G::Affine> points,
                      const PointPlace& place, ProgressObserver* observer,
                      std::optional<SubgroupCheckPlan> given) {
  const std::size_t n = points.size();
  const std::size_t off = first_bad_index(n, 1024, [&](std::size_t i) {
    return cheap_point_problem<G>(points[i], place.infinity_allowed) != nullptr;
  });
  if (off != n) {
    fail_point(place, off, cheap_point_problem<G>(points[off], place.infinity_allowed));
  }
  const auto advance = [&] {
    if (observer != nullptr) observer->advance(addition_units<G> * n);
  };
  advance();
  const SubgroupCheckPlan plan =
      given && random != nullptr ? *given : subgroup_check_plan<G>(random, n);
  if (plan.log_buckets != 0 && all_in_subgroup<G>(*random, points, plan, observer)) return;
  // Small arrays, and the search for the first bad point of a large one.
  const std::size_t bad = first_outside_subgroup<G>(points);
  if (bad != n) fail_point(place, bad, subgroup_problem);
  if (plan.log_buckets != 0) {
    throw InternalError(place.file + ": " + place.section +
                        ": points are in the subgroup one by one, but not their sums");
  }
  advance();
}

}  // namespace detail

template <CurveGroup G>
void check_points(RandomSource* random, std::span<const typename G::Affine> points,
                  const PointPlace& place, ProgressObserver* observer,
                  std::optional<SubgroupCheckPlan> plan) {
  with_typed_memory_errors("key: check of points", [&] {
    detail::check_all_points<G>(random, points, place, observer, plan);
  });
}

}  // namespace zkgpu::io
