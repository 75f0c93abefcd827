// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <exception>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <zkgpu/core/error.hpp>
#include <zkgpu/ntt/cpu/lane_transform_impl.hpp>
#include <zkgpu/ntt/cpu/loops_impl.hpp>
#include <zkgpu/ntt/cpu/scalar_transform_impl.hpp>
#include <zkgpu/ntt/ntt.hpp>

namespace zkgpu {

namespace ntt_cpu {

/// Entry 2^s + j is entry j times root^(n/2^(s+2)).
/// @throws ResourceExhausted
template <NttField F>
std::shared_ptr<const std::vector<F>> make_twiddle_table(const NttDomain<F>& domain) {
  const std::size_t size = std::max<std::size_t>(1, domain.size() / 2);
  std::shared_ptr<std::vector<F>> table;
  try {
    table = std::make_shared<std::vector<F>>(size);
  } catch (const std::exception&) {
    throw ResourceExhausted("ntt: no memory for the twiddles of 2^" + std::to_string(domain.log_n) +
                            " elements");
  }
  F* const w = table->data();
  w[0] = F::one();
  F step = domain.root;
  std::vector<F> steps;  // root^(2^i)
  for (unsigned i = 0; i + 1 < domain.log_n; ++i, step = step.square()) steps.push_back(step);
  for (std::size_t octave = 1; octave < size; octave *= 2) {
    const F factor = steps.back();
    steps.pop_back();
    for_ranges(octave, task_elements, [&](std::size_t first, std::size_t last) {
      for (std::size_t j = first; j < last; ++j) w[octave + j] = w[j] * factor;
    });
  }
  return table;
}

}  // namespace ntt_cpu

template <NttField F>
NttTwiddles<F>::NttTwiddles(const NttDomain<F>& domain, CpuLevel level) : domain_(domain) {
  with_typed_memory_errors("ntt: twiddles", [&] {
    table_ = ntt_cpu::make_twiddle_table(domain);
    const auto make_lanes = [&]<CpuArch A>(A) {
      if constexpr (ntt_cpu::has_lanes<F, A>) {
        if (level < cpu_level<A> || lanes_ != nullptr) return;
        lanes_ = ntt_cpu::make_lane_tables<F, A>(*table_, domain.log_n);
        lanes_level_ = cpu_level<A>;
      }
    };
    make_lanes(arch::avx512ifma{});
    make_lanes(arch::avx2{});
  });
  inverse_size_ = F::one();
  for (unsigned i = 0; i < domain.log_n; ++i) inverse_size_ = inverse_size_.doubled();
  inverse_size_ = inverse_size_.inverse();
}

namespace ntt_cpu {

/// @throws InvalidArgument unless plan, domain and shift go together
template <NttField F>
void check_plan(const NttPlan& plan, const NttTwiddles<F>& twiddles, const F& shift) {
  const auto power = [](unsigned log) { return "2^" + std::to_string(log); };
  if (plan.log_n != twiddles.domain().log_n) {
    throw InvalidArgument("ntt: plan is for " + power(plan.log_n) + " elements, the domain has " +
                          power(twiddles.domain().log_n));
  }
  if (plan.log_tile > plan.log_n) {
    throw InvalidArgument("ntt: plan has tiles of " + power(plan.log_tile) + " elements, of " +
                          power(plan.log_n));
  }
  if (shift.is_zero()) throw InvalidArgument("ntt: the shift of a coset is zero");
}

/// @throws InvalidArgument unless the array has the elements of one transform
inline void check_size(const NttPlan& plan, const char* what, std::size_t size) {
  if (size == plan.size()) return;
  throw InvalidArgument("ntt: plan is for " + std::to_string(plan.size()) + " elements, got " +
                        std::to_string(size) + " in '" + what + "'");
}

}  // namespace ntt_cpu

template <NttField F, CpuArch A>
void Ntt<F, Cpu<A>>::enqueue(Queue& queue, const NttPlan& plan, const NttTwiddles<F>& twiddles,
                             const NttTransform<F>& transform, std::span<F> values) {
  ntt_cpu::check_plan(plan, twiddles, transform.shift);
  ntt_cpu::check_size(plan, "values", values.size());
  enqueue_batch(queue, plan, twiddles, transform, values);
}

template <NttField F, CpuArch A>
void Ntt<F, Cpu<A>>::enqueue_batch(Queue&, const NttPlan& plan, const NttTwiddles<F>& twiddles,
                                   const NttTransform<F>& transform, std::span<F> values) {
  ntt_cpu::check_plan(plan, twiddles, transform.shift);
  const std::size_t n = plan.size(), count = values.size() / n;
  if (values.size() % n != 0) {
    throw InvalidArgument("ntt: plan is for polynomials of " + std::to_string(n) +
                          " elements, got " + std::to_string(values.size()) + ": " +
                          std::to_string(count) + " polynomials and " +
                          std::to_string(values.size() % n) + " elements");
  }
  const auto each = [&](const auto& body) {
    ntt_cpu::for_ranges(count, 1, [&](std::size_t first, std::size_t last) {
      for (std::size_t i = first; i < last; ++i) body(values.data() + i * n);
    });
  };
  with_typed_memory_errors("ntt", [&] {
    if constexpr (ntt_cpu::has_lanes<F, A>) {
      if (twiddles.lanes(cpu_level<A>) != nullptr) {
        const ntt_cpu::LaneJob<F, A> job(plan, twiddles, transform);
        each([&](F* x) { job.run(x); });
        return;
      }
    }
    each([&](F* x) {
      transform.direction == NttDirection::forward
          ? ntt_cpu::transform<F, NttDirection::forward>(plan, twiddles, transform.order,
                                                         transform.shift, x)
          : ntt_cpu::transform<F, NttDirection::inverse>(plan, twiddles, transform.order,
                                                         transform.shift, x);
    });
  });
}

template <NttField F, CpuArch A>
void Ntt<F, Cpu<A>>::enqueue_to_coset(Queue& queue, const NttPlan& plan,
                                      const NttTwiddles<F>& twiddles, const F& shift,
                                      std::span<const F> left, std::span<const F> right,
                                      std::span<F> to) {
  ntt_cpu::check_plan(plan, twiddles, shift);
  ntt_cpu::check_size(plan, "left", left.size());
  if (!right.empty()) ntt_cpu::check_size(plan, "right", right.size());
  ntt_cpu::check_size(plan, "to", to.size());
  with_typed_memory_errors("ntt", [&] {
    if constexpr (ntt_cpu::has_lanes<F, A>) {
      if (twiddles.lanes(cpu_level<A>) != nullptr) {
        ntt_cpu::to_coset_in_lanes<F, A>(
            plan, twiddles, shift,
            {to.data(), left.data(), right.empty() ? nullptr : right.data()});
        return;
      }
    }
    ntt_cpu::multiply(left, right, to);
    enqueue(queue, plan, twiddles, {NttDirection::inverse, NttOrder::natural_to_reversed, F::one()},
            to);
    enqueue(queue, plan, twiddles, {NttDirection::forward, NttOrder::reversed_to_natural, shift},
            to);
  });
}

template <NttField F, CpuArch A>
void Ntt<F, Cpu<A>>::enqueue_interpolate_product(Queue& queue, const NttPlan& plan,
                                                 const NttTwiddles<F>& twiddles, const F& shift,
                                                 const F& constant, std::span<const F> left,
                                                 std::span<const F> right, std::span<F> to) {
  ntt_cpu::check_plan(plan, twiddles, shift);
  ntt_cpu::check_size(plan, "left", left.size());
  ntt_cpu::check_size(plan, "right", right.size());
  ntt_cpu::check_size(plan, "to", to.size());
  with_typed_memory_errors("ntt", [&] {
    if constexpr (ntt_cpu::has_lanes<F, A>) {
      if (twiddles.lanes(cpu_level<A>) != nullptr) {
        ntt_cpu::interpolate_product_in_lanes<F, A>(plan, twiddles, shift, constant,
                                                    {to.data(), left.data(), right.data()});
        return;
      }
    }
    ntt_cpu::multiply(left, right, to);
    enqueue(queue, plan, twiddles, {NttDirection::inverse, NttOrder::natural_to_reversed, shift},
            to);
    ntt_cpu::for_ranges(to.size(), ntt_cpu::task_elements,
                        [&](std::size_t first, std::size_t last) {
                          for (std::size_t i = first; i < last; ++i) to[i] *= constant;
                        });
  });
}

}  // namespace zkgpu
