// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <ctime>
#include <span>
#include <string>
#include <vector>
#include "inputs.hpp"

#include <zkgpu/msm/cpu/lane_engine.hpp>
#include <zkgpu/msm/digits.hpp>
#include <zkgpu/msm/msm.hpp>

// Other forms of a sum: bitmaps of scalars, and tables of bases. One thread: run under `taskset`.
namespace {

using namespace zkgpu;
using bench::Fr;
using bench::Kind;

double thread_seconds() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

/// The least time of some calls.
template <class Body>
double least_seconds(int calls, const Body& body) {
  double least = 1e9;
  for (int i = 0; i < calls; ++i) {
    const double start = thread_seconds();
    body();
    least = std::min(least, thread_seconds() - start);
  }
  return least;
}

/// Additions that a sum needs: one for each scalar that is 1, for the others one a digit and two a
/// bucket.
template <class G>
double additions_for(std::span<const Fr::Integer> scalars, unsigned most_window_bits) {
  using Parts = MsmScalarParts<G>;
  PartLengths lengths;
  std::size_t ones = 0;
  for (const Fr::Integer& k : scalars) {
    if (k.bit_length() <= 1) {
      ones += k.limb[0];
      continue;
    }
    typename Parts::Part parts[Parts::count];
    Parts::split(k, parts);
    for (const auto& part : parts) ++lengths.count[part.magnitude.bit_length()];
  }
  const unsigned c = best_window_bits(lengths, 4, most_window_bits);
  const std::size_t windows = MsmPlan::windows_for(lengths.longest() + 1, c);
  return static_cast<double>(ones + lengths.entries(c) + (windows << c));
}

/// Seconds of one addition among 2048 whose points are in the cache: nothing but kernels.
template <class G, CpuArch A>
double kernel_seconds() {
  using Engine = msm_cpu::Engine<G, msm_cpu::EngineArch<A>>;
  using Point = typename Engine::Point;
  constexpr std::size_t pairs = 2048, room = pairs + 16;
  const auto bases = bench::points<G>(2 * pairs);
  std::vector<Point> points(bases.size());
  for (std::size_t i = 0; i < bases.size(); ++i) points[i] = Engine::from_base(bases[i], false);
  std::vector<typename Engine::Element> elements(2 * room);
  std::vector<std::uint32_t> marks(room);
  std::vector<PointPair<Point>> batch(room);
  return least_seconds(40,
                       [&] {
                         for (std::size_t i = 0; i < pairs; ++i)
                           batch[i] = {&points[2 * i], &points[2 * i + 1]};
                         Engine::add_pairs(pairs, batch.data(),
                                           {elements.data(), &elements[room], marks.data()});
                       }) /
         pairs;
}

/// Mostly zeros and ones, as scalars or as a bitmap; beside it, in the same run, a sum of as many
/// full-size scalars, which says what an addition in bulk takes.
template <class G>
void sum_bits(benchmark::State& state, std::size_t n, bool as_bitmap) {
  with_best_cpu([&](auto cpu) {
    using Op = Msm<G, decltype(cpu)>;
    const auto bases = bench::points<G>(n);
    const auto k = bench::scalars(Kind::witness, n), uniform = bench::scalars(Kind::uniform, n);
    std::vector<std::uint64_t> ones((n + 63) / 64);
    std::vector<std::uint32_t> places;
    std::vector<Fr::Integer> values;
    for (std::size_t i = 0; i < n; ++i) {
      if (k[i].bit_length() <= 1) {
        ones[i / 64] |= k[i].limb[0] << (i % 64);
      } else {
        places.push_back(static_cast<std::uint32_t>(i));
        values.push_back(k[i]);
      }
    }
    const MsmBitmap<Fr> bitmap{n, ones, places, values};
    const MsmPlan plan = Op::plan(n, cpu.properties());
    auto workspace = cpu.template allocate<std::byte>(plan.workspace_bytes());
    auto queue = cpu.make_queue();
    typename G::Jacobian result;
    const auto run = [&](const auto& scalars) {
      Op::enqueue(queue, plan, scalars, bases, workspace.span(), result);
      benchmark::DoNotOptimize(result);
    };
    const double bulk =
        least_seconds(3, [&] { run(uniform); }) / additions_for<G>(uniform, plan.window_bits);
    for (auto _ : state) {
      as_bitmap ? run(bitmap) : run(k);
    }
    const double time = least_seconds(5, [&] { as_bitmap ? run(bitmap) : run(k); });
    const double needed = additions_for<G>(k, plan.window_bits);
    const double kernel = kernel_seconds<G, typename decltype(cpu)::Arch>();
    state.counters["additions"] = needed;
    state.counters["bulk_addition_ns"] = 1e9 * bulk;
    state.counters["kernel_addition_ns"] = 1e9 * kernel;
    state.counters["of_bulk"] = time / (needed * bulk);
    state.counters["of_kernel"] = time / (needed * kernel);
  });
}

/// With tables of at most `multiples` times the bases.
template <class G>
void sum_tables(benchmark::State& state, std::size_t n, std::size_t multiples) {
  with_best_cpu([&](auto cpu) {
    using Arch = typename decltype(cpu)::Arch;
    using Op = Msm<G, decltype(cpu)>;
    const auto points = bench::points<G>(n);
    const auto k = bench::scalars(Kind::uniform, n);
    const MsmShape shape = msm_cpu::engine_shape<G, msm_cpu::EngineArch<Arch>>();
    const MsmTablePlan plan = Op::plan(n, multiples * n * shape.base_bytes, cpu.properties());
    const double start = thread_seconds();
    const CpuMsmBases<G, Arch> bases(cpu, plan, points);
    state.counters["made_in_seconds"] = thread_seconds() - start;
    auto workspace = cpu.template allocate<std::byte>(plan.workspace_bytes());
    auto queue = cpu.make_queue();
    typename G::Jacobian result;
    Op::enqueue(queue, plan, k, bases, workspace.span(), result);
    for (auto _ : state) {
      Op::enqueue(queue, plan, k, bases, workspace.span(), result);
      benchmark::DoNotOptimize(result);
    }
    state.SetLabel(to_string(plan));
    state.counters["table_bytes"] = static_cast<double>(plan.table_bytes());
    state.counters["workspace_bytes"] = static_cast<double>(plan.workspace_bytes());
  });
}

template <class G>
void add(const std::string& group) {
  const auto bench_of = [&](const std::string& form, unsigned log_n, const auto& body) {
    const std::string name = "msm/" + group + form + "/cpu/2^" + std::to_string(log_n);
    benchmark::RegisterBenchmark(name.c_str(), body)->UseRealTime()->Unit(benchmark::kMillisecond);
  };
  for (const unsigned log_n : {16U, 18U, 20U}) {
    const std::size_t n = std::size_t{1} << log_n;
    bench_of("_bits", log_n, [n](benchmark::State& state) { sum_bits<G>(state, n, false); });
    bench_of("_bitmap", log_n, [n](benchmark::State& state) { sum_bits<G>(state, n, true); });
  }
  for (const unsigned log_n : {10U, 12U, 14U, 16U}) {
    for (const std::size_t multiples : {std::size_t{1}, std::size_t{4}, std::size_t{64}}) {
      bench_of("_tables_" + std::to_string(multiples), log_n,
               [log_n, multiples](benchmark::State& state) {
                 sum_tables<G>(state, std::size_t{1} << log_n, multiples);
               });
    }
  }
}

const bool registered = [] {
  add<Bls12_381::G1>("bls12_381_g1");
  add<Bls12_381::G2>("bls12_381_g2");
  return true;
}();

}  // namespace
