// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <oneapi/tbb/parallel_invoke.h>

#include <cstddef>
#include <cstdint>
#include <span>

#include <zkgpu/core/error.hpp>
#include <zkgpu/ntt/cpu/lane_engine.hpp>
#include <zkgpu/ntt/cpu/loops_impl.hpp>
#include <zkgpu/prover/qap/quotient.hpp>

namespace zkgpu {

namespace detail {

/// h[i] = the integer a[i]·b[i] − c[i].
template <NttField F, CpuArch A>
void product_differences(bool in_lanes, std::span<const F> a, std::span<const F> b,
                         std::span<const F> c, std::span<typename F::Integer> h) {
  constexpr std::size_t width = ntt_cpu::lane_width;
  ntt_cpu::for_ranges(h.size() / width, ntt_cpu::task_elements / width,
                      [&](std::size_t first, std::size_t last) {
                        if constexpr (ntt_cpu::has_lanes<F, A>) {
                          if (in_lanes) {
                            const std::size_t at = first * width;
                            ntt_cpu::LaneKernels<F, A>::product_differences(last - first, &a[at],
                                                                            &b[at], &c[at], &h[at]);
                            return;
                          }
                        }
                        for (std::size_t i = first * width; i < last * width; ++i) {
                          h[i] = (a[i] * b[i] - c[i]).to_integer();
                        }
                      });
  for (std::size_t i = h.size() / width * width; i < h.size(); ++i) {
    h[i] = (a[i] * b[i] - c[i]).to_integer();
  }
}

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
  using Op = Ntt<F, Cpu<A>>;
  const NttPlan plan = Op::plan(log_n, at.backend.properties());
  const std::span<F> a = in.a;
  const std::span<F> b = in.b;
  const auto scratch = at.template scratch<F>(n);
  const std::span<F> c = scratch.span();
  Output out = at.template scratch<typename F::Integer>(quotient_size(form, n));
  const std::span<typename F::Integer> h = out.span();
  const auto to_coset = [&](std::span<F> x) {
    Op::enqueue_to_coset(at.queue, plan, *twiddles, shift, x, {}, x);
  };

  if (form == QuotientForm::odd_coset_values) {
    Op::enqueue_to_coset(at.queue, plan, *twiddles, shift, a, b, c);
    oneapi::tbb::parallel_invoke([&] { to_coset(a); }, [&] { to_coset(b); });
    detail::product_differences<F, A>(twiddles->lanes(cpu_level<A>) != nullptr, a, b, c, h);
    return out;
  }
  // As the words of Montgomery's form, x·half_raw is the integer x/2.
  const F half_raw = F::from_montgomery(F::Integer::from_uint64(1)) * F::one().doubled().inverse();
  Op::enqueue_interpolate_product(at.queue, plan, *twiddles, F::one(), half_raw, a, b, c);  // C/2
  oneapi::tbb::parallel_invoke([&] { to_coset(a); }, [&] { to_coset(b); });
  Op::enqueue_interpolate_product(at.queue, plan, *twiddles, shift, half_raw, a, b, a);  // D/2
  ntt_cpu::for_reversed_places(log_n, [&](std::size_t i, std::size_t place) {
    if (i + 1 < n) h[i] = (c[place] - a[place]).montgomery();  // h_i = (C_i − D_i)/2
  });
  return out;
}

}  // namespace zkgpu
