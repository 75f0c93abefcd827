// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <benchmark/benchmark.h>

#include <cstddef>
#include <cstdint>
#include <random>
#include <span>
#include <string>
#include <vector>

#include <zkgpu/curve/jacobian.hpp>
#include <zkgpu/msm/msm.hpp>

// All threads that this machine offers; the time is the wall's. One thread: run under `taskset`.
namespace {

using namespace zkgpu;
using Fr = Bls12_381::Fr;

/// `count` different points, made once for all benchmarks of a group.
template <class G>
std::span<const typename G::Affine> points(std::size_t count) {
  static std::vector<typename G::Affine> made;
  if (made.size() < count) {
    using Jacobian = typename G::Jacobian;
    std::vector<Jacobian> sums(count);
    std::vector<typename G::BaseField> scratch(count);
    const Jacobian step = Jacobian::from_affine(G::generator()).doubled().doubled();
    Jacobian p = step.doubled() + G::generator();
    for (Jacobian& sum : sums) sum = p += step;
    made.resize(count);
    batch_to_affine<typename G::Params>(sums, made, scratch);
  }
  return std::span(made).first(count);
}

enum class Kind { uniform, witness };

/// uniform: below 2^254. witness: as circuits make them, 98.7 % zeros and ones.
std::vector<Fr::Integer> scalars(Kind kind, std::size_t count) {
  std::mt19937_64 random(count);
  std::vector<Fr::Integer> made(count);
  for (auto& k : made) {
    for (auto& limb : k.limb) limb = random();
    k.limb[3] >>= 2;
    if (kind == Kind::witness && random() % 1000 >= 13) k = Fr::Integer::from_uint64(random() % 2);
  }
  return made;
}

template <class G>
void sum(benchmark::State& bench, std::size_t n, Kind kind) {
  with_best_cpu([&](auto cpu) {
    using Op = Msm<G, decltype(cpu)>;
    const auto bases = points<G>(n);
    const auto k = scalars(kind, n);
    const MsmPlan plan = Op::plan(n, cpu.properties());
    auto workspace = cpu.template allocate<std::byte>(plan.workspace_bytes());
    auto queue = cpu.make_queue();
    typename G::Jacobian result;
    // Large sizes run once or twice: the first touch of the workspace would be much of their time,
    // and provers keep theirs.
    Op::enqueue(queue, plan, k, bases, workspace.span(), result);
    for (auto _ : bench) {
      Op::enqueue(queue, plan, k, bases, workspace.span(), result);
      benchmark::DoNotOptimize(result);
    }
    bench.SetLabel(to_string(plan));
    bench.counters["points_per_second"] =
        benchmark::Counter(static_cast<double>(n), benchmark::Counter::kIsIterationInvariantRate);
    bench.counters["workspace_bytes"] = static_cast<double>(plan.workspace_bytes());
  });
}

template <class G>
void add(const std::string& group) {
  for (unsigned log_n = 10; log_n <= 20; ++log_n) {
    for (const Kind kind : {Kind::uniform, Kind::witness}) {
      const std::string name = "msm/" + group + (kind == Kind::uniform ? "" : "_witness") +
                               "/cpu/2^" + std::to_string(log_n);
      benchmark::RegisterBenchmark(
          name.c_str(),
          [=](benchmark::State& bench) { sum<G>(bench, std::size_t{1} << log_n, kind); })
          ->UseRealTime()
          ->Unit(benchmark::kMillisecond);
    }
  }
}

const bool registered = [] {
  add<Bls12_381::G1>("bls12_381_g1");
  add<Bls12_381::G2>("bls12_381_g2");
  return true;
}();

}  // namespace
