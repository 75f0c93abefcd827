// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <benchmark/benchmark.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <zkgpu/curve/bls12_381.hpp>
#include <zkgpu/field/batch_inverse.hpp>
#include <zkgpu/field/sqrt.hpp>

// One thread. `latency`: each result is the next operand, as in an exponentiation. `throughput`: 16
// chains side by side, as in transforms and batches. `portable`: the text without assembly.
// Counter: items_per_second, field operations.
namespace {

using namespace zkgpu;
using C = Bls12_381;

enum class Form { best, portable };

/// Holds the form of the products for the time of one benchmark.
class WithForm {
 public:
  explicit WithForm(Form form) {
#if defined(__x86_64__)
    limb_ops::x86::set_mulx_adx(form == Form::best);
#else
    static_cast<void>(form);
#endif
  }
  WithForm(const WithForm&) = delete;
  WithForm& operator=(const WithForm&) = delete;
  ~WithForm() {
#if defined(__x86_64__)
    limb_ops::x86::set_mulx_adx(true);
#endif
  }
};

/// A value with all bits in use, and another.
template <class F>
F element(int seed) {
  return (F::one() + F::one()).inverse().square() + (seed % 2 == 0 ? F::one() : -F::one());
}
template <>
C::Fq2 element<C::Fq2>(int seed) {
  return {element<C::Fq>(seed), element<C::Fq>(seed + 1).square()};
}

/// Registers latency and throughput of step(a, b), which changes a.
template <class F, class Step>
void add(const std::string& name, Step step, Form form = Form::best) {
  benchmark::RegisterBenchmark((name + "/latency").c_str(), [=](benchmark::State& state) {
    const WithForm with(form);
    F a = element<F>(0);
    const F b = element<F>(1);
    for (auto _ : state) {
      step(a, b);
      benchmark::DoNotOptimize(a);
    }
    state.SetItemsProcessed(state.iterations());
  });
  benchmark::RegisterBenchmark((name + "/throughput").c_str(), [=](benchmark::State& state) {
    const WithForm with(form);
    std::array<F, 16> a;
    a.fill(element<F>(0));
    const F b = element<F>(1);
    for (auto _ : state) {
      for (F& x : a) step(x, b);
      benchmark::DoNotOptimize(a);
    }
    state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(a.size()));
  });
}

/// Registers step(a), too long for its neighbours to matter.
template <class F, class Step>
void add_single(const std::string& name, Step step, Form form = Form::best) {
  benchmark::RegisterBenchmark(name.c_str(), [=](benchmark::State& state) {
    const WithForm with(form);
    F a = element<F>(0);
    for (auto _ : state) {
      step(a);
      benchmark::DoNotOptimize(a);
    }
    state.SetItemsProcessed(state.iterations());
  });
}

template <class F>
void add_batch_inverse(const std::string& name, std::size_t n) {
  benchmark::RegisterBenchmark(name.c_str(), [=](benchmark::State& state) {
    std::vector<F> elements(n), scratch(n);
    F power = F::one();
    for (F& a : elements) a = power *= element<F>(0);
    for (auto _ : state) {
      batch_inverse<F>(elements, scratch);
      benchmark::ClobberMemory();
    }
    state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(n));
  });
}

template <class F>
void add_field(const std::string& field) {
  const std::string name = "field/" + field + "/";
  add<F>(name + "mul", [](F& a, const F& b) { a *= b; });
  add<F>(
      name + "mul_portable", [](F& a, const F& b) { a *= b; }, Form::portable);
  add<F>(name + "square", [](F& a, const F&) { a = a.square(); });
  add<F>(name + "add", [](F& a, const F& b) { a += b; });
  add<F>(name + "sub", [](F& a, const F& b) { a -= b; });
  add<F>(name + "double", [](F& a, const F&) { a = a.doubled(); });
  add<F>(name + "sum_of_products", [](F& a, const F& b) { a = F::sum_of_products(a, b, b, a); });
  add_single<F>(name + "inverse", [](F& a) { a = a.inverse() + F::one(); });
  add_single<F>(name + "inverse_constant_time",
                [](F& a) { a = a.inverse_constant_time() + F::one(); });
  add_single<F>(name + "sqrt", [](F& a) {
    F root{};
    benchmark::DoNotOptimize(sqrt(a.square(), root));
    a = root + F::one();
  });
  add_single<F>(name + "legendre", [](F& a) {
    benchmark::DoNotOptimize(legendre(a));
    a += F::one();
  });
  add_batch_inverse<F>(name + "batch_inverse/2^10", std::size_t{1} << 10);
}

template <class F>
void add_prime_field(const std::string& field) {
  const std::string name = "field/" + field + "/";
  add_field<F>(field);
  add_single<F>(name + "from_integer", [](F& a) { a = F::from_integer(a.montgomery()); });
  add_single<F>(name + "to_integer", [](F& a) { a = F::from_montgomery(a.to_integer()); });
}

const bool registered = [] {
  add_prime_field<C::Fq>("bls12_381_fq");
  add_prime_field<C::Fr>("bls12_381_fr");
  add_field<C::Fq2>("bls12_381_fq2");
  return true;
}();

}  // namespace
