// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <zkgpu/core/error.hpp>
#include <zkgpu/curve/curve.hpp>
#include <zkgpu/msm/cpu/sort_impl.hpp>
#include <zkgpu/msm/cpu/sum_impl.hpp>
#include <zkgpu/msm/tables.hpp>

/// Sums over bases whose multiples are known.
namespace zkgpu::msm_cpu {

/// @throws InvalidArgument for a plan that is not of this group or was changed into nonsense
inline void check_plan(const MsmTablePlan& plan, const MsmShape& shape) {
  if (plan.shape != shape) throw InvalidArgument("msm: the plan is for another group");
  const MsmPlan& sum = plan.sum;
  const auto fits = [&] {
    if (sum.window_bits < 2 || sum.window_bits > MsmPlan::max_window_bits) return false;
    const MsmTablePlan made =
        plan_msm_tables_with(shape, sum.n, sum.window_bits, plan.tables, DeviceProperties{});
    return made.tables == plan.tables && made.sum.shape == sum.shape;
  };
  if (!fits() || sum.method != MsmMethod::buckets || sum.slice_points != sum.n ||
      sum.chunk_entries < 2 || sum.workers == 0) {
    throw InvalidArgument("msm: tables and windows of the plan do not belong together");
  }
  constexpr std::size_t most = std::size_t{1} << 31;  // an entry names a point, with its sign
  if (plan.sum.n > most / (shape.parts * plan.tables) ||
      plan.sum.n * shape.parts * plan.windows() >= 2 * most) {
    throw InvalidArgument("msm: " + std::to_string(plan.tables) + " tables of " +
                          std::to_string(plan.sum.n) + " points are too many");
  }
}

/// Makes the tables of a range of bases at a time, in a form for sums.
template <CurveGroup G, CpuArch A>
class TableMaker {
  using Engine = msm_cpu::Engine<G, A>;
  using Point = typename Engine::Point;
  using Affine = typename G::Affine;
  static constexpr unsigned parts = MsmScalarParts<G>::count;

 public:
  TableMaker(const MsmTablePlan& plan, Point* table, std::span<const Affine> bases)
      : plan_(plan), table_(table), bases_(bases) {}

  /// All multiples of the bases [first, last).
  void make(std::size_t first, std::size_t last) {
    const std::size_t count = last - first, n = bases_.size();
    const unsigned doublings = plan_.window_bits() * plan_.groups();
    std::vector<Affine> multiples(bases_.begin() + static_cast<std::ptrdiff_t>(first),
                                  bases_.begin() + static_cast<std::ptrdiff_t>(last));
    std::vector<Point> points(count), images(parts * count);
    for (unsigned t = 0;; ++t) {
      store(multiples, images);
      for (std::size_t i = 0; i < count; ++i) {  // images in lanes may be multiples of the modulus
        if (!multiples[i].is_infinity()) continue;
        for (unsigned p = 0; p < parts; ++p) images[p * count + i] = Engine::infinity();
      }
      for (unsigned p = 0; p < parts; ++p) {
        std::copy_n(images.data() + p * count, count, table_ + (t * parts + p) * n + first);
      }
      if (t + 1 == plan_.tables) return;
      std::copy_n(images.data(), count, points.data());
      for (unsigned i = 0; i < doublings; ++i) add_to_themselves(points);
      for (std::size_t i = 0; i < count; ++i) multiples[i] = Engine::to_affine(points[i]);
    }
  }

 private:
  /// images[p·count + i] = image p of from[i]
  static void store(std::span<const Affine> from, std::vector<Point>& images) {
    Point* to = images.data();
    if constexpr (Engine::stored_parts < parts) {
      std::copy(from.begin(), from.end(), to);
      to += from.size();
    }
    Engine::store(from, to, from.size(), true, [](std::size_t i) { return i; });
  }
  void add_to_themselves(std::vector<Point>& points) {
    const std::size_t count = points.size(), room = (count + 31) / 16 * 16;
    pairs_.resize(room);
    elements_.resize(2 * room);
    marks_.resize(room);
    for (std::size_t i = 0; i < count; ++i) pairs_[i] = {&points[i], &points[i]};
    Engine::add_pairs(count, pairs_.data(), {elements_.data(), &elements_[room], marks_.data()});
  }

  const MsmTablePlan& plan_;
  Point* table_;
  std::span<const Affine> bases_;
  std::vector<PointPair<Point>> pairs_;
  std::vector<typename Engine::Element> elements_;
  std::vector<std::uint32_t> marks_;
};

/// Scalars to entries of tables, sorted by bucket.
template <CurveGroup G, CpuArch A>
class TableSorter {
  using Parts = MsmScalarParts<G>;
  using Integer = typename G::ScalarField::Integer;
  static constexpr unsigned parts = Parts::count;
  static constexpr std::size_t words = Parts::words;

 public:
  TableSorter(const MsmTablePlan& plan, const MsmLayout& layout, const Arrays<G, A>& arrays,
              std::span<const Integer> scalars)
      : plan_(plan), blocks_(layout.blocks), a_(arrays), scalars_(scalars) {}

  Windows run() {
    const Windows windows{
        .bits = plan_.window_bits(), .count = plan_.groups(), .value_bits = plan_.shape.part_bits};
    const SignedDigits<words> digits(plan_.shape.part_bits, windows.bits);
    const std::size_t keys = windows.keys();
    const auto each = [&](const auto& body) {
      for_items(plan_.sum.workers, blocks_, [&](std::size_t b, std::size_t) {
        body(scalars_.size() * b / blocks_, scalars_.size() * (b + 1) / blocks_,
             a_.counts + b * keys);
      });
    };
    each([&](std::size_t first, std::size_t last, std::uint32_t* count) {
      split(first, last, digits);
      std::fill_n(count, keys, 0U);
      for_entries(first, last, digits, windows,
                  [count](std::size_t key, std::uint32_t) { ++count[key]; });
    });
    std::uint32_t next = 0;
    for (std::size_t key = 0; key < keys; ++key) {
      a_.offsets[key] = next;
      for (std::size_t b = 0; b < blocks_; ++b) {
        const std::uint32_t own = a_.counts[b * keys + key];
        a_.counts[b * keys + key] = next;
        next += own;
      }
    }
    a_.offsets[keys] = next;
    each([&](std::size_t first, std::size_t last, std::uint32_t* at) {
      for_entries(first, last, digits, windows, [this, at](std::size_t key, std::uint32_t entry) {
        a_.entries[at[key]++] = entry;
      });
    });
    return windows;
  }

 private:
  void split(std::size_t first, std::size_t last, const SignedDigits<words>& digits) noexcept {
    for (std::size_t i = first; i < last; ++i) {
      typename Parts::Part split_parts[parts];
      Parts::split(scalars_[i], split_parts);
      std::uint32_t signs = 0;
      for (unsigned p = 0; p < parts; ++p) {
        a_.values[i * parts + p] = digits.shifted(split_parts[p].magnitude);
        signs |= (split_parts[p].negative ? 1U : 0U) << p;
      }
      a_.points[i] = signs;
    }
  }

  /// emit(bucket, entry) for every digit that is not zero.
  template <class Emit>
  void for_entries(std::size_t first, std::size_t last, const SignedDigits<words>& digits,
                   const Windows& windows, const Emit& emit) const noexcept {
    const std::size_t n = scalars_.size();
    for (std::size_t i = first; i < last; ++i) {
      if (scalars_[i].is_zero()) continue;
      for (unsigned p = 0; p < parts; ++p) {
        const std::uint32_t negative = a_.points[i] >> p & 1;
        std::size_t at = p * n + i;
        for (unsigned w = 0; w < digits.windows(); at += parts * n) {
          for (unsigned g = 0; g < windows.count && w < digits.windows(); ++g, ++w) {
            const std::int32_t digit = digits.digit(a_.values[i * parts + p], w);
            if (digit == 0) continue;
            const std::uint32_t sign = (digit < 0 ? 1U : 0U) ^ negative;
            emit(g * windows.buckets() + static_cast<std::size_t>(digit < 0 ? -digit : digit) - 1,
                 sign << 31 | static_cast<std::uint32_t>(at));
          }
        }
      }
    }
  }

  const MsmTablePlan& plan_;
  std::size_t blocks_;
  Arrays<G, A> a_;
  std::span<const Integer> scalars_;
};

/// @param table  as CpuMsmBases has it
template <CurveGroup G, CpuArch A>
typename G::Jacobian sum_tables(const MsmTablePlan& plan, const MsmLayout& layout,
                                std::span<const typename G::ScalarField::Integer> scalars,
                                const std::byte* table, std::byte* workspace) {
  using Point = typename Engine<G, A>::Point;
  using Affine = typename G::Affine;
  Arrays<G, A> arrays(layout, workspace);
  // Read only: nothing is stored when no images are made.
  arrays.images = const_cast<Point*>(reinterpret_cast<const Point*>(table));
  const Windows windows = TableSorter<G, A>(plan, layout, arrays, scalars).run();
  std::span<const Affine> bases;  // where an architecture reads bases as they are
  if constexpr (std::same_as<Point, Affine>) bases = {arrays.images, plan.table_points()};
  return Summer<G, A>(plan.sum, layout, windows, arrays, bases).run();
}

}  // namespace zkgpu::msm_cpu

namespace zkgpu {

template <CurveGroup G, CpuArch A>
CpuMsmBases<G, A>::CpuMsmBases(const Cpu<A>& cpu, const MsmTablePlan& plan,
                               std::span<const Affine> bases)
    : plan_(plan) {
  using E = msm_cpu::EngineArch<A>;
  using Point = typename msm_cpu::Engine<G, E>::Point;
  msm_cpu::check_plan(plan, msm_cpu::engine_shape<G, E>());
  if (bases.size() != plan.sum.n) {
    throw InvalidArgument("msm: plan is for n = " + std::to_string(plan.sum.n) + ", got " +
                          std::to_string(bases.size()) + " bases");
  }
  table_ = cpu.template allocate<std::byte>(plan.table_bytes());
  auto* const table = reinterpret_cast<Point*>(table_.data());
  constexpr std::size_t block = 1024;  // their points stay in a core's cache
  msm_cpu::for_items(plan.sum.workers, (bases.size() + block - 1) / block,
                     [&](std::size_t b, std::size_t) {
                       msm_cpu::TableMaker<G, E>(plan, table, bases)
                           .make(b * block, std::min((b + 1) * block, bases.size()));
                     });
}

}  // namespace zkgpu
