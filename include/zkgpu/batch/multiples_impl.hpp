// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include <zkgpu/backend/cpu.hpp>
#include <zkgpu/batch/multiples.hpp>
#include <zkgpu/core/array.hpp>
#include <zkgpu/core/error.hpp>
#include <zkgpu/msm/bucket.hpp>
#if defined(__x86_64__)
#include <zkgpu/msm/cpu/lane_sums.hpp>
#endif

namespace zkgpu::batch {

/// Which groups have kernels on which architectures: those of the library. Other groups take scalar
/// code.
template <class G, class A>
inline constexpr bool has_multiple_lanes = false;

#if defined(__x86_64__)
template <>
inline constexpr bool has_multiple_lanes<Bls12_381::G1, arch::avx512ifma> = true;
template <>
inline constexpr bool has_multiple_lanes<Bls12_381::G2, arch::avx512ifma> = true;

namespace detail {

/// Blocks of running sums, to each of which a window adds an entry of its row.
template <CurveGroup G, CpuArch A>
class LaneMultiples {
  using Kernels = msm_cpu::LaneSumKernels<G, A>;
  using Sums = typename Kernels::Sums;
  using Element = typename Kernels::Element;
  using Table = FixedBaseTable<G>;
  using Scalar = typename Table::Scalar;
  using Affine = typename G::Affine;
  static constexpr std::size_t width = Kernels::width;
  /// 256 groups in G1: sums and scratch take half of a cache of 1 MiB, and an inversion, which a
  /// block has one of for each window, is as much work as two groups.
  static constexpr std::size_t most_groups = (std::size_t{64} << 10) / sizeof(Sums) * 4;

 public:
  LaneMultiples(const Table& table, std::size_t scalars)
      : table_(table),
        groups_(std::min(most_groups, (scalars + width - 1) / width)),
        sums_(groups_),
        differences_((groups_ + 1) * width),
        products_((groups_ + 1) * width),
        marks_(groups_),
        shifted_(groups_ * width),
        entries_(groups_ * width) {}

  void run(std::span<const Scalar> scalars, std::span<Affine> out) {
    const std::size_t block = groups_ * width;
    for (std::size_t at = 0; at < scalars.size(); at += block) {
      const std::size_t n = std::min(block, scalars.size() - at);
      run_block(scalars.subspan(at, n), out.subspan(at, n));
    }
  }

 private:
  void run_block(std::span<const Scalar> scalars, std::span<Affine> out) {
    const auto& windows = table_.windows();
    const std::size_t groups = (scalars.size() + width - 1) / width;
    for (std::size_t i = 0; i < groups * width; ++i) {  // the last one fills the lanes
      shifted_[i] = windows.shifted(scalars[std::min(i, scalars.size() - 1)]);
    }
    for (std::size_t w = 0; w < windows.count(); ++w) {
      for (std::size_t i = 0; i < groups * width; ++i) {
        entries_[i] = windows.entry(shifted_[i], w);
      }
      const msm_cpu::SignedBases<G> operands{table_.row(w), entries_.data()};
      if (w == 0) {
        Kernels::fill(groups, sums_.data(), operands);
      } else {
        msm_cpu::add_to_lane_sums<G, A>(groups, sums_.data(), operands,
                                        {differences_.data(), products_.data(), marks_.data()});
      }
    }
    for (std::size_t i = 0; i < scalars.size(); ++i) {
      out[i] = msm_cpu::lane_sum<G>(sums_[i / width], i % width);
    }
  }

  const Table& table_;
  std::size_t groups_;
  SecretArray<Sums> sums_;
  SecretArray<Element> differences_, products_;
  SecretArray<std::uint32_t> marks_;
  SecretArray<typename Table::Windows::Shifted> shifted_;
  SecretArray<std::uint32_t> entries_;
};

}  // namespace detail
#endif

template <CurveGroup G>
void multiples(const FixedBaseTable<G>& table,
               std::span<const typename FixedBaseTable<G>::Scalar> scalars,
               std::span<typename G::Affine> out) {
  if (scalars.size() != out.size()) {
    throw InvalidArgument("multiples: " + std::to_string(scalars.size()) + " scalars, room for " +
                          std::to_string(out.size()) + " points");
  }
  if constexpr (has_multiple_lanes<G, arch::avx512ifma>) {
    if (!scalars.empty() && selected_cpu_level() >= CpuLevel::avx512ifma) {
      with_typed_memory_errors("multiples", [&] {
        detail::LaneMultiples<G, arch::avx512ifma>(table, scalars.size()).run(scalars, out);
      });
      return;
    }
  }
  table.multiply(scalars, out);
}

}  // namespace zkgpu::batch
