// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <benchmark/benchmark.h>

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include <zkgpu/ntt/ntt.hpp>

// All threads that this machine offers; the time is the wall's. One thread: run under `taskset`.
namespace {

using namespace zkgpu;
using Fr = Bls12_381::Fr;

void transform(benchmark::State& bench, unsigned log_n, NttOrder order, bool coset) {
  with_best_cpu([&](auto cpu) {
    const NttTwiddles<Fr> twiddles{NttDomain<Fr>(log_n)};
    std::vector<Fr> values(twiddles.domain().size());
    Fr value = Fr(3);
    for (Fr& v : values) v = value = value.square() + Fr::one();
    const NttTransform<Fr> forward{NttDirection::forward, order, coset ? Fr(7) : Fr::one()};
    for (auto _ : bench) {
      ntt<Fr>(cpu, twiddles, forward, values);
      benchmark::DoNotOptimize(values.data());
    }
    bench.counters["elements_per_second"] = benchmark::Counter(
        static_cast<double>(values.size()), benchmark::Counter::kIsIterationInvariantRate);
  });
}

const bool registered = [] {
  for (unsigned log_n = 10; log_n <= 22; ++log_n) {
    const std::string size = "/cpu/2^" + std::to_string(log_n);
    const auto add = [&](const std::string& name, NttOrder order, bool coset) {
      benchmark::RegisterBenchmark(
          (name + size).c_str(),
          [=](benchmark::State& bench) { transform(bench, log_n, order, coset); })
          ->UseRealTime()
          ->Unit(benchmark::kMillisecond);
    };
    add("ntt/bls12_381_fr/natural_to_reversed", NttOrder::natural_to_reversed, false);
    add("ntt/bls12_381_fr/reversed_to_natural", NttOrder::reversed_to_natural, false);
    add("ntt/bls12_381_fr/natural_to_natural", NttOrder::natural_to_natural, false);
    add("ntt/bls12_381_fr/coset_reversed_to_natural", NttOrder::reversed_to_natural, true);
  }
  return true;
}();

}  // namespace
