// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <thread>
#include "inputs.hpp"

#include <zkgpu/msm/msm.hpp>

// All threads that this machine offers; the time is the wall's. One thread: run under `taskset`.
// `side_by_side`: one thread a sum, as many sums as threads. What a sum takes there, over what it
// takes all threads together, is how well it is shared, whatever each core is worth at the time.
namespace {

using namespace zkgpu;
using bench::Kind;

template <class G>
void sum(benchmark::State& state, std::size_t n, Kind kind, bool one_worker) {
  with_best_cpu([&](auto cpu) {
    using Op = Msm<G, decltype(cpu)>;
    const auto bases = bench::points<G>(n);
    const auto k = bench::scalars(kind, n);
    const MsmPlan all = Op::plan(n, cpu.properties());
    const MsmPlan plan = one_worker ? all.with_workers(1) : all;
    auto workspace = cpu.template allocate<std::byte>(plan.workspace_bytes());
    auto queue = cpu.make_queue();
    typename G::Jacobian result;
    // Large sizes run once or twice: the first touch of the workspace would be much of their time,
    // and provers keep theirs.
    Op::enqueue(queue, plan, k, bases, workspace.span(), result);
    for (auto _ : state) {
      Op::enqueue(queue, plan, k, bases, workspace.span(), result);
      benchmark::DoNotOptimize(result);
    }
    state.SetLabel(to_string(plan));
    state.counters["points_per_second"] =
        benchmark::Counter(static_cast<double>(n), benchmark::Counter::kIsIterationInvariantRate);
    state.counters["workspace_bytes"] = benchmark::Counter(
        static_cast<double>(plan.workspace_bytes()), benchmark::Counter::kAvgThreads);
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
          [=](benchmark::State& state) { sum<G>(state, std::size_t{1} << log_n, kind, false); })
          ->UseRealTime()
          ->Unit(benchmark::kMillisecond);
    }
    const std::string name = "msm/" + group + "_side_by_side/cpu/2^" + std::to_string(log_n);
    benchmark::RegisterBenchmark(name.c_str(),
                                 [=](benchmark::State& state) {
                                   sum<G>(state, std::size_t{1} << log_n, Kind::uniform, true);
                                 })
        ->Threads(static_cast<int>(std::max(1U, std::thread::hardware_concurrency())))
        ->UseRealTime()
        ->Unit(benchmark::kMillisecond);
  }
}

const bool registered = [] {
  add<Bls12_381::G1>("bls12_381_g1");
  add<Bls12_381::G2>("bls12_381_g2");
  return true;
}();

}  // namespace
