// SPDX-License-Identifier: Apache-2.0 OR MIT
#if defined(__x86_64__)
#include <benchmark/benchmark.h>

#include <cstdint>
#include <string>

#include <zkgpu/backend/cpu.hpp>

#include "field/lane_loops.hpp"

// One thread, eight elements a vector, six independent vectors in turn; with AVX2 four and twelve.
// Rows are there only where the processor has the instructions. Counter: items_per_second,
// elements.
namespace {

using namespace zkgpu;
using C = Bls12_381;

void add(const std::string& name, void (*loop)(std::size_t)) {
  benchmark::RegisterBenchmark(name.c_str(), [=](benchmark::State& state) {
    constexpr std::size_t steps = 100;
    for (auto _ : state) loop(steps);
    state.SetItemsProcessed(state.iterations() *
                            static_cast<std::int64_t>(steps * bench::elements_a_step));
  });
}

const bool registered = [] {
  if (detected_cpu_level() < CpuLevel::avx2) return false;
  add("field/bls12_381_fr/lanes_avx2/mul", bench::avx2_products);
  add("field/bls12_381_fr/lanes_avx2/mul_known", bench::avx2_known_products);
  if (detected_cpu_level() < CpuLevel::avx512ifma) return true;
  add("field/bls12_381_fq/lanes/mul", bench::lane_products<C::Fq>);
  add("field/bls12_381_fq/lanes/square", bench::lane_squares<C::Fq>);
  add("field/bls12_381_fr/lanes/mul", bench::lane_products<C::Fr>);
  add("field/bls12_381_fr/lanes/square", bench::lane_squares<C::Fr>);
  return true;
}();

}  // namespace
#endif
