// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <catch2/catch.hpp>
#include <cstddef>
#include <random>
#include <shared.hpp>
#include <span>
#include <tuple>
#include <type_traits>
#include "msm_cases.hpp"

#include <zkgpu/curve/bls12_381.hpp>
#include <zkgpu/msm/msm.hpp>

/// Multi-scalar multiplications of every group on every architecture, with plans that are the same
/// on every machine.
namespace zkgpu::test {

/// Two cores with caches of two sizes.
inline constexpr DeviceProperties msm_machine{.compute_units = 2,
                                              .unit_cache_bytes = std::size_t{1} << 20};

/// A group on an architecture.
template <class TheGroup, class TheArch>
struct MsmOn {
  using Group = TheGroup;
  using Arch = TheArch;
  using Op = Msm<Group, Cpu<Arch>>;
  static bool available() {
    const bool here =
        !std::is_same_v<Arch, arch::avx512ifma> || selected_cpu_level() >= CpuLevel::avx512ifma;
    if (!here) skip("this machine has no AVX-512 IFMA, or it was forced away");
    return here;
  }
};
using MsmOnG1 = MsmOn<Bls12_381::G1, arch::scalar>;
using MsmOnG2 = MsmOn<Bls12_381::G2, arch::scalar>;
#if defined(__x86_64__)
using MsmLanesG1 = MsmOn<Bls12_381::G1, arch::avx512ifma>;
using MsmLanesG2 = MsmOn<Bls12_381::G2, arch::avx512ifma>;
using MsmEverywhere = std::tuple<MsmOnG1, MsmOnG2, MsmLanesG1, MsmLanesG2>;
#else
using MsmEverywhere = std::tuple<MsmOnG1, MsmOnG2>;
#endif

/// Any form of the operation: a plan, scalars and bases that belong together.
template <class T, class Plan, class Scalars = std::span<const Bls12_381::Fr::Integer>,
          class Bases = std::span<const typename T::Group::Affine>>
typename T::Group::Jacobian run(const Plan& plan, const Scalars& scalars, const Bases& bases) {
  const Cpu<typename T::Arch> cpu;
  auto workspace = cpu.template allocate<std::byte>(plan.workspace_bytes());
  auto queue = cpu.make_queue();
  typename T::Group::Jacobian result;
  T::Op::enqueue(queue, plan, scalars, bases, workspace.span(), result);
  return result;
}

template <class T>
MsmPlan plan_for(std::size_t n) {
  return T::Op::plan(n, msm_machine);
}

/// A plan drawn at random: width, slices, chunks, workers; or the plan for n with other chunks.
template <class T>
MsmPlan random_plan(std::size_t n, std::mt19937_64& random) {
  MsmPlan plan = plan_for<T>(n).with_workers(1 + random() % 4);
  if (random() % 4 != 0) plan = plan.with_window_bits(1 + static_cast<unsigned>(random() % 12));
  plan.narrow = random() % 2 == 0;
  plan.chunk_entries = 2 + (random() % 2000 >> random() % 10);
  plan.slice_points = 1 + random() % n;
  return plan;
}

}  // namespace zkgpu::test
