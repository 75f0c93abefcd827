// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/parallel_invoke.h>

#include <cstddef>
#include <cstdint>
#include <span>

#include <zkgpu/core/error.hpp>
#include <zkgpu/ntt/butterfly.hpp>
#include <zkgpu/prover/qap/quotient.hpp>

namespace zkgpu {

namespace detail {

/// f(i) for all i < n, in parallel.
template <class Body>
void for_each_element(std::size_t n, const Body& f) {
  constexpr std::size_t grain = 4096;  // of one product each: far above the cost of a task
  using Range = oneapi::tbb::blocked_range<std::size_t>;
  oneapi::tbb::parallel_for(Range(0, n, grain), [&](const Range& range) {
    for (std::size_t i = range.begin(); i < range.end(); ++i) f(i);
  });
}

/// The transforms of one quotient: which domain, which coset, on which queue.
template <NttField F, CpuArch A>
struct QuotientTransforms {
  using Op = Ntt<F, Cpu<A>>;
  StageContext<Cpu<A>>& at;
  const NttTwiddles<F>& twiddles;
  F shift;
  NttPlan plan = Op::plan(twiddles.domain().log_n, at.backend.properties());

  /// Values on the domain (natural) to coefficients (bit-reversed).
  void interpolate(std::span<F> x) const { run(NttDirection::inverse, F::one(), x); }
  /// Coefficients (bit-reversed) to values on the half coset (natural).
  void evaluate_on_coset(std::span<F> x) const { run(NttDirection::forward, shift, x); }
  /// Values on the half coset (natural) to coefficients (bit-reversed).
  void interpolate_from_coset(std::span<F> x) const { run(NttDirection::inverse, shift, x); }

 private:
  void run(NttDirection direction, const F& coset, std::span<F> x) const {
    const NttOrder order = direction == NttDirection::inverse ? NttOrder::natural_to_reversed
                                                              : NttOrder::reversed_to_natural;
    Op::enqueue(at.queue, plan, twiddles, {direction, order, coset}, x);
  }
};

}  // namespace detail

template <NttField F, CpuArch A>
auto Quotient<F, Cpu<A>>::operator()(StageContext<Cpu<A>>& at, const Input& in) const -> Output {
  const unsigned log_n = twiddles->domain().log_n;
  const std::size_t n = twiddles->domain().size();
  F minus_one = shift;
  for (unsigned k = 0; k < log_n; ++k) minus_one = minus_one.square();
  if (in.a.size() != n || in.b.size() != n || !(minus_one == -F::one())) {
    throw InvalidArgument("quotient: sizes or the coset do not fit the domain");
  }
  const detail::QuotientTransforms<F, A> transforms{at, *twiddles, shift};
  const std::span<F> a = in.a;
  const std::span<F> b = in.b;
  const auto scratch = at.template scratch<F>(n);
  const std::span<F> c = scratch.span();
  Output out = at.template scratch<typename F::Integer>(quotient_size(form, n));
  const std::span<typename F::Integer> h = out.span();

  detail::for_each_element(n, [&](std::size_t i) { c[i] = a[i] * b[i]; });
  const auto to_coset = [&](std::span<F> x) {
    transforms.interpolate(x);
    transforms.evaluate_on_coset(x);
  };
  const bool values = form == QuotientForm::odd_coset_values;
  oneapi::tbb::parallel_invoke([&] { to_coset(a); }, [&] { to_coset(b); },
                               [&] { values ? to_coset(c) : transforms.interpolate(c); });
  if (values) {
    detail::for_each_element(n, [&](std::size_t j) { h[j] = (a[j] * b[j] - c[j]).to_integer(); });
    return out;
  }
  detail::for_each_element(n, [&](std::size_t j) { a[j] = a[j] * b[j]; });
  transforms.interpolate_from_coset(a);  // D
  const F half = F::one().doubled().inverse();
  detail::for_each_element(n - 1, [&](std::size_t i) {
    const std::size_t place = reverse_bits(i, log_n);
    h[i] = ((c[place] - a[place]) * half).to_integer();  // h_i = (C_i − D_i)/2
  });
  return out;
}

}  // namespace zkgpu
