// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <benchmark/benchmark.h>

#include <cstddef>
#include <string>

#include <zkgpu/ntt/ntt.hpp>

// All threads that this machine offers; the time is the wall's. One thread: run under `taskset`.
// Without lanes: ZKGPU_FORCE_ARCH=x86_adx.
namespace {

using namespace zkgpu;
using Fr = Bls12_381::Fr;

/// body(cpu, twiddles, values) again and again, on values in the backend's own memory.
template <class Body>
void repeat(benchmark::State& bench, unsigned log_n, std::size_t polynomials, const Body& body) {
  with_best_cpu([&](auto cpu) {
    const NttTwiddles<Fr> twiddles{NttDomain<Fr>(log_n)};
    auto memory = cpu.template allocate<Fr>(polynomials * twiddles.domain().size());
    const auto values = memory.span();
    Fr value = Fr(3);
    for (Fr& v : values) v = value = value.square() + Fr::one();
    for (auto _ : bench) {
      body(cpu, twiddles, values);
      benchmark::DoNotOptimize(values.data());
    }
    bench.counters["elements_per_second"] = benchmark::Counter(
        static_cast<double>(values.size()), benchmark::Counter::kIsIterationInvariantRate);
  });
}

void transform(benchmark::State& bench, unsigned log_n, const NttTransform<Fr>& kind) {
  repeat(bench, log_n, 1, [&](auto cpu, const auto& twiddles, auto values) {
    ntt<Fr>(cpu, twiddles, kind, values);
  });
}

void to_coset(benchmark::State& bench, unsigned log_n) {
  repeat(bench, log_n, 1, [&](auto cpu, const auto& twiddles, auto values) {
    using Op = Ntt<Fr, decltype(cpu)>;
    auto queue = cpu.make_queue();
    Op::enqueue_to_coset(queue, Op::plan(log_n, cpu.properties()), twiddles, Fr(7), values, {},
                         values);
  });
}

void batch(benchmark::State& bench, unsigned log_n) {
  repeat(bench, log_n, 64, [&](auto cpu, const auto& twiddles, auto values) {
    using Op = Ntt<Fr, decltype(cpu)>;
    auto queue = cpu.make_queue();
    Op::enqueue_batch(queue, Op::plan(log_n, cpu.properties()), twiddles, {}, values);
  });
}

void twiddles(benchmark::State& bench, unsigned log_n) {
  for (auto _ : bench) {
    const NttTwiddles<Fr> made{NttDomain<Fr>(log_n)};
    benchmark::DoNotOptimize(made.table().data());
  }
}

const bool registered = [] {
  for (unsigned log_n = 10; log_n <= 22; ++log_n) {
    const auto add = [&](const std::string& name, const auto& body) {
      const std::string path = "ntt/bls12_381_fr/" + name + "/cpu/2^" + std::to_string(log_n);
      benchmark::RegisterBenchmark(path.c_str(), body)
          ->UseRealTime()
          ->Unit(benchmark::kMillisecond);
    };
    const auto add_transform = [&](const std::string& name, const NttTransform<Fr>& kind) {
      add(name, [=](benchmark::State& bench) { transform(bench, log_n, kind); });
    };
    using enum NttOrder;
    using enum NttDirection;
    add_transform("natural_to_reversed", {forward, natural_to_reversed, Fr::one()});
    add_transform("reversed_to_natural", {forward, reversed_to_natural, Fr::one()});
    add_transform("natural_to_natural", {forward, natural_to_natural, Fr::one()});
    add_transform("coset_reversed_to_natural", {forward, reversed_to_natural, Fr(7)});
    add_transform("inverse_natural_to_reversed", {inverse, natural_to_reversed, Fr::one()});
    add("to_coset", [=](benchmark::State& bench) { to_coset(bench, log_n); });
    if (log_n <= 14) add("batch_of_64", [=](benchmark::State& bench) { batch(bench, log_n); });
    add("twiddles", [=](benchmark::State& bench) { twiddles(bench, log_n); });
  }
  return true;
}();

}  // namespace
