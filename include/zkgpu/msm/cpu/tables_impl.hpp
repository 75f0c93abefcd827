// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <algorithm>
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

/// @throws InvalidArgument
inline void check_shape(const MsmShape& of_plan, const MsmShape& of_group) {
  if (of_plan == of_group) return;
  throw InvalidArgument("msm: the plan is for another group: " + to_string(of_plan) + "; not " +
                        to_string(of_group));
}

/// @throws InvalidArgument
inline void check_range(const char* what, std::size_t have, std::size_t least, std::size_t most) {
  if (have >= least && have <= most) return;
  throw InvalidArgument("msm: a plan with " + std::to_string(have) + " " + what + "; " +
                        std::to_string(least) + " to " + std::to_string(most) + " can be");
}

/// @throws InvalidArgument for a plan that is not of this group or was changed into nonsense
inline void check_plan(const MsmTablePlan& plan, const MsmShape& shape) {
  check_shape(plan.shape, shape);
  const MsmPlan& sum = plan.sum;
  check_range("bits a window", sum.window_bits, 2, MsmPlan::max_window_bits);
  check_range("entries a chunk", sum.chunk_entries, 2, msm_most_chunk_entries);
  check_range("workers", sum.workers, 1, msm_most_workers);
  const MsmTablePlan made =
      plan_msm_tables_with(shape, sum.n, sum.window_bits, plan.tables, DeviceProperties{});
  if (made.tables != plan.tables || made.sum.shape != sum.shape ||
      sum.method != MsmMethod::buckets || sum.slice_points != sum.n) {
    throw InvalidArgument("msm: tables and windows of the plan do not belong together: '" +
                          to_string(plan) + "' instead of '" + to_string(made) + "'");
  }
  // An entry names a point of the tables beside its sign; offsets are of 32 bits.
  constexpr std::size_t most = std::size_t{1} << 31;
  const std::size_t most_points =
      std::min(most / plan.tables, (2 * most - 1) / (shape.parts * plan.windows()));
  check_range("points with tables", sum.n, 0, most_points);
}

/// Makes the tables of a range of bases at a time.
template <CurveGroup G, CpuArch A>
class TableMaker {
  using Engine = msm_cpu::Engine<G, A>;
  using Point = typename Engine::Point;
  using Affine = typename G::Affine;

 public:
  TableMaker(const MsmTablePlan& plan, std::span<Affine> table, std::span<const Affine> bases)
      : plan_(plan), table_(table), bases_(bases) {}

  /// All multiples of the bases [first, last).
  void make(std::size_t first, std::size_t last) {
    const std::size_t count = last - first, n = bases_.size();
    const unsigned doublings = plan_.window_bits() * plan_.groups();
    std::vector<Point> points(count);
    for (std::size_t i = 0; i < count; ++i) {
      points[i] = Engine::from_base(table_[first + i] = bases_[first + i], false);
    }
    for (unsigned t = 1; t < plan_.tables; ++t) {
      for (unsigned i = 0; i < doublings; ++i) add_to_themselves(points);
      for (std::size_t i = 0; i < count; ++i) {
        table_[t * n + first + i] = Engine::to_affine(points[i]);
      }
    }
  }

 private:
  void add_to_themselves(std::vector<Point>& points) {
    const std::size_t count = points.size(), room = (count + 31) / 16 * 16;
    pairs_.resize(room);
    elements_.resize(2 * room);
    marks_.resize(room);
    for (std::size_t i = 0; i < count; ++i) pairs_[i] = {&points[i], &points[i]};
    Engine::add_pairs(count, pairs_.data(), {elements_.data(), &elements_[room], marks_.data()});
  }

  const MsmTablePlan& plan_;
  std::span<Affine> table_;
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
    const std::size_t workers = plan_.sum.workers, n = scalars_.size();
    const std::size_t pieces = msm_blocks(1, workers);
    for_items(workers, pieces, [&](std::size_t i, std::size_t) {
      split(n * i / pieces, n * (i + 1) / pieces, digits);
    });
    const auto each = [&](const auto& body) {
      for_items(workers, blocks_ * windows.count, [&](std::size_t i, std::size_t) {
        // Neighbours in time are of different groups: they write no lines in common.
        const std::size_t b = i / windows.count, group = i % windows.count;
        body(Task{n * b / blocks_, n * (b + 1) / blocks_, static_cast<unsigned>(group)},
             a_.counts + (b * windows.keys() + group * windows.buckets()) * parts);
      });
    };
    each([&](const Task& task, std::uint32_t* count) {
      std::fill_n(count, windows.buckets() * parts, 0U);
      for_entries(task, digits, windows,
                  [count](std::size_t list, std::uint32_t) { ++count[list]; });
    });
    place_entries<parts>(workers, blocks_, windows, a_.counts, a_.offsets);
    each([&](const Task& task, std::uint32_t* next) {
      for_entries(task, digits, windows,
                  [entries = a_.entries, next](std::size_t list, std::uint32_t entry) {
                    entries[next[list]++] = entry;
                  });
    });
    return windows;
  }

 private:
  /// Points [first, last), their digits of one group.
  struct Task {
    std::size_t first, last;
    unsigned group;
  };

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

  /// emit(list, entry) for every digit of a task that is not zero; lists are numbered as their
  /// counts stand.
  template <class Emit>
  void for_entries(const Task& task, const SignedDigits<words>& digits, const Windows& windows,
                   const Emit& emit) const noexcept {
    const std::size_t n = scalars_.size();
    for (std::size_t i = task.first; i < task.last; ++i) {
      if (scalars_[i].is_zero()) continue;
      for (unsigned p = 0; p < parts; ++p) {
        const std::uint32_t negative = a_.points[i] >> p & 1;
        std::size_t at = i;
        for (unsigned w = task.group; w < digits.windows(); w += windows.count, at += n) {
          const std::int32_t digit = digits.digit(a_.values[i * parts + p], w);
          if (digit == 0) continue;
          const std::uint32_t sign = (digit < 0 ? 1U : 0U) ^ negative;
          emit(p * windows.buckets() + static_cast<std::size_t>(digit < 0 ? -digit : digit) - 1,
               sign << 31 | static_cast<std::uint32_t>(at));
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
                                std::span<const typename G::Affine> table, std::byte* workspace) {
  const Arrays<G, A> arrays(layout, workspace);
  const Windows windows = TableSorter<G, A>(plan, layout, arrays, scalars).run();
  return Summer<G, A>(plan.sum, layout, windows, arrays, table).run();
}

}  // namespace zkgpu::msm_cpu

namespace zkgpu {

template <CurveGroup G, CpuArch A>
CpuMsmBases<G, A>::CpuMsmBases(const Cpu<A>& cpu, const MsmTablePlan& plan,
                               std::span<const Affine> bases)
    : plan_(plan) {
  using E = msm_cpu::EngineArch<A>;
  msm_cpu::check_plan(plan, msm_cpu::engine_shape<G, E>());
  if (bases.size() != plan.sum.n) {
    throw InvalidArgument("msm: plan is for n = " + std::to_string(plan.sum.n) + ", got " +
                          std::to_string(bases.size()) + " bases");
  }
  table_ = cpu.template allocate<Affine>(plan.table_points());
  constexpr std::size_t block = 1024;  // their points stay in a core's cache
  with_typed_memory_errors("msm: tables", [&] {
    msm_cpu::for_items(plan.sum.workers, (bases.size() + block - 1) / block,
                       [&](std::size_t b, std::size_t) {
                         msm_cpu::TableMaker<G, E>(plan, table_.span(), bases)
                             .make(b * block, std::min((b + 1) * block, bases.size()));
                       });
  });
}

}  // namespace zkgpu
