// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstddef>
#include <string>
#include <utility>

#include <zkgpu/backend/launch.cuh>
#include <zkgpu/backend/stage.hpp>
#include <zkgpu/core/error.hpp>
#include <zkgpu/ntt/cuda.hpp>
#include <zkgpu/ntt/cuda/difference_tile.hpp>
#include <zkgpu/ntt/cuda_tables.hpp>
#include <zkgpu/ntt/tile.hpp>

namespace zkgpu {

/// Defined in cuda_passes.cuh.
template <NttField F, unsigned L, NttFlow flow>
void enqueue_ntt_pass(const CudaQueue& queue, const NttPass<F>& pass, std::size_t elements);
template <NttField F, unsigned L>
void enqueue_ntt_difference(const CudaQueue& queue, const NttPass<F>& pass,
                            const NttDifference<F>& difference, unsigned log_n);

namespace detail {

template <NttField F>
__global__ void ntt_powers_kernel(F* table, F base, std::size_t n, unsigned shift) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) table[i] = ntt_power(base, i, shift);
}

template <NttField F>
__global__ void ntt_local_kernel(KnownFactor<typename F::Params>* table, F base, std::size_t n,
                                 unsigned shift) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) table[i] = KnownFactor<typename F::Params>::from(ntt_power(base, i, shift));
}

template <NttField F>
__global__ void ntt_twiddles_kernel(F* table, NttPowers<F> powers, unsigned levels,
                                    unsigned log_stride, unsigned log_order, F factor) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < std::size_t{1} << (levels + log_stride)) {
    table[i] = ntt_twiddle(powers, i, levels, log_stride, log_order, factor);
  }
}

template <NttField F>
__global__ void ntt_scale_kernel(F* table, F base, F factor, unsigned log_n, bool reversed) {
  // 2^log_run neighbours of the exponent's order a thread: one long power, then products
  constexpr unsigned log_run = 4;
  const unsigned log_threads = log_n < log_run ? 0 : log_n - log_run;
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= std::size_t{1} << log_threads) return;
  // exponents i, i + step, ...: neighbouring threads write neighbouring places in natural order
  const std::size_t step = std::size_t{1} << log_threads;
  F value = ntt_power(base, i, 0) * factor;
  const F ratio = ntt_power(base, 1, log_threads);
  for (std::size_t k = i; k < std::size_t{1} << log_n; k += step) {
    table[reversed ? reverse_index(k, log_n) : k] = value;
    value *= ratio;
  }
}

template <NttField F>
__global__ void ntt_bit_reversal_kernel(F* values, unsigned log_n, std::size_t total) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= total) return;
  const std::size_t in_run = i & ((std::size_t{1} << log_n) - 1);
  const std::size_t other = reverse_index(in_run, log_n);
  if (other <= in_run) return;
  F* const run = values + (i - in_run);
  const Limbs<4> a = load_limbs(run + in_run);
  const Limbs<4> b = load_limbs(run + other);
  store_limbs(run + in_run, b);
  store_limbs(run + other, a);
}

/// A whole transform in one block.
template <NttField F>
__global__ void ntt_small_kernel(F* values, const F* roots, const F* on_load, const F* on_store,
                                 F factor, unsigned log_n, NttFlow flow) {
  extern __shared__ NttHalf ntt_small_shared[];
  F* const x = reinterpret_cast<F*>(ntt_small_shared);
  const unsigned n = 1u << log_n;
  F* const run = values + std::size_t{blockIdx.x} * n;
  for (unsigned i = threadIdx.x; i < n; i += blockDim.x) {
    x[i] = on_load == nullptr ? run[i] : run[i] * on_load[i];
  }
  for (unsigned level = 0; level < log_n; ++level) {
    const unsigned s = flow == NttFlow::dif ? log_n - 1 - level : level;
    __syncthreads();
    for (unsigned i = threadIdx.x; i < n / 2; i += blockDim.x) {
      ntt_small_butterfly(x, roots, log_n, s, i, flow);
    }
  }
  __syncthreads();
  for (unsigned i = threadIdx.x; i < n; i += blockDim.x) {
    run[i] = x[i] * (on_store == nullptr ? factor : on_store[i] * factor);
  }
}

template <NttField F>
void enqueue_ntt_pass_of(const CudaQueue& queue, NttFlow flow, unsigned levels,
                         const NttPass<F>& pass, std::size_t elements) {
  const bool dif = flow == NttFlow::dif;
  switch (levels) {
    case 6:
      return dif ? enqueue_ntt_pass<F, 6, NttFlow::dif>(queue, pass, elements)
                 : enqueue_ntt_pass<F, 6, NttFlow::dit>(queue, pass, elements);
    case 7:
      return dif ? enqueue_ntt_pass<F, 7, NttFlow::dif>(queue, pass, elements)
                 : enqueue_ntt_pass<F, 7, NttFlow::dit>(queue, pass, elements);
    case 8:
      return dif ? enqueue_ntt_pass<F, 8, NttFlow::dif>(queue, pass, elements)
                 : enqueue_ntt_pass<F, 8, NttFlow::dit>(queue, pass, elements);
    case 9:
      return dif ? enqueue_ntt_pass<F, 9, NttFlow::dif>(queue, pass, elements)
                 : enqueue_ntt_pass<F, 9, NttFlow::dit>(queue, pass, elements);
    default: break;
  }
  throw InvalidArgument("ntt: a plan with a pass of " + std::to_string(levels) +
                        " levels; 6 to 9 can be");
}

template <NttField F>
void enqueue_ntt_difference_of(const CudaQueue& queue, unsigned levels, const NttPass<F>& pass,
                               const NttDifference<F>& difference, unsigned log_n) {
  switch (levels) {
    case 6: return enqueue_ntt_difference<F, 6>(queue, pass, difference, log_n);
    case 7: return enqueue_ntt_difference<F, 7>(queue, pass, difference, log_n);
    case 8: return enqueue_ntt_difference<F, 8>(queue, pass, difference, log_n);
    case 9: return enqueue_ntt_difference<F, 9>(queue, pass, difference, log_n);
    default: break;
  }
  throw InvalidArgument("ntt: a plan with a pass of " + std::to_string(levels) +
                        " levels; 6 to 9 can be");
}

template <NttField F>
F power_of_two_power(F root, unsigned k) noexcept {
  while (k-- > 0) root = root.square();
  return root;
}

}  // namespace detail

template <NttField F>
CudaNttTwiddles<F>::CudaNttTwiddles(const Cuda& cuda, const CudaQueue& queue,
                                    const NttDomain<F>& domain, const CudaNttPlan& plan,
                                    const F& inverse_factor)
    : domain_(domain), plan_(plan) {
  F size = F::one();
  for (unsigned k = 0; k < domain.log_n; ++k) size = size.doubled();
  inverse_factor_ = size.inverse() * inverse_factor;
  std::size_t total = 0;
  if (plan.passes == 0) {
    total = domain.size() / 2 + 1;
  } else {
    total = std::size_t{1} << (domain.log_n / 2 + 1);  // powers: low, then high
    total += std::size_t{1} << (domain.log_n - domain.log_n / 2);
    for (unsigned k = 0; k < plan.passes; ++k) {
      if (plan.log_stride(k) != 0) total += std::size_t{1} << (plan.levels[k] + plan.log_stride(k));
      total += std::size_t{2} << plan.levels[k];
    }
  }
  memory_ = cuda.template allocate<F>(2 * total);
  const DrainOnFailure<Cuda> drain(queue);
  make_tables(queue, NttDirection::forward, domain.root, memory_.span().first(total), forward_);
  make_tables(queue, NttDirection::inverse, domain.root.inverse(),
              memory_.span().subspan(total, total), inverse_);
}

template <NttField F>
void CudaNttTwiddles<F>::make_tables(const CudaQueue& queue, NttDirection direction, const F& root,
                                     DeviceSpan<F> memory, NttDeviceTables<F>& tables) {
  const CudaNttPlan& plan = plan_;
  std::size_t end = 0;
  const auto powers = [&](const F& base, std::size_t n, unsigned shift) {
    const DeviceSpan<F> table = memory.subspan(end, n);
    end += n;
    launch(queue, grid_for(n, 128), "ntt.powers", detail::ntt_powers_kernel<F>, table.data(), base,
           n, shift);
    return table;
  };
  if (plan.passes == 0) {
    tables.roots = powers(root, (domain_.size() + 1) / 2, 0);
    return;
  }
  const F half = F(2).inverse();
  tables.constants = DftConstants<typename F::Params>::from_root(
      detail::power_of_two_power(root, domain_.log_n - 3), half);
  NttPowers<F> all;
  all.log_low = domain_.log_n / 2;
  all.low = powers(root, std::size_t{1} << all.log_low, 0).data();
  all.high = powers(root, std::size_t{1} << (domain_.log_n - all.log_low), all.log_low).data();
  for (unsigned k = 0; k < plan.passes; ++k) {
    using Known = KnownFactor<typename F::Params>;
    const std::size_t rows = std::size_t{1} << plan.levels[k];
    const DeviceSpan<Known> local{reinterpret_cast<Known*>(memory.data() + end), rows};
    end += 2 * rows;
    launch(queue, grid_for(rows, 128), "ntt.local", detail::ntt_local_kernel<F>, local.data(), root,
           rows, domain_.log_n - plan.levels[k]);
    tables.local[k] = local;
    if (plan.log_stride(k) == 0) continue;
    const std::size_t n = std::size_t{1} << (plan.levels[k] + plan.log_stride(k));
    const DeviceSpan<F> table = memory.subspan(end, n);
    end += n;
    // 1/n once, in the largest table: that pass multiplies every element by one entry.
    const F factor = k == 0 && direction == NttDirection::inverse ? inverse_factor_ : F::one();
    launch(queue, grid_for(n, 128), "ntt.twiddles", detail::ntt_twiddles_kernel<F>, table.data(),
           all, plan.levels[k], plan.log_stride(k), domain_.log_n, factor);
    tables.twiddles[k] = table;
  }
}

template <NttField F>
void Ntt<F, Cuda>::enqueue_powers(const Queue& queue, const F& base, const F& factor, bool reversed,
                                  DeviceSpan<F> table) {
  unsigned log_n = 0;
  while ((std::size_t{1} << log_n) < table.size()) ++log_n;
  if (std::size_t{1} << log_n != table.size()) {
    throw InvalidArgument("ntt: a table of powers has 2^k entries, not " +
                          std::to_string(table.size()));
  }
  launch(queue, grid_for((table.size() + 15) / 16, 128), "ntt.scale", detail::ntt_scale_kernel<F>,
         table.data(), base, factor, log_n, reversed);
}

template <NttField F>
void Ntt<F, Cuda>::enqueue_bit_reversal(const Queue& queue, unsigned log_n, DeviceSpan<F> values) {
  launch(queue, grid_for(values.size(), 256), "ntt.bit_reversal",
         detail::ntt_bit_reversal_kernel<F>, values.data(), log_n, values.size());
}

template <NttField F>
void Ntt<F, Cuda>::enqueue_scaled(const Queue& queue, const CudaNttPlan& plan,
                                  const CudaNttTwiddles<F>& twiddles, NttDirection direction,
                                  NttFlow flow, const NttFactors<F>& factors,
                                  DeviceSpan<F> values) {
  enqueue_passes(queue, plan, twiddles, direction, flow, factors, nullptr, values);
}

template <NttField F>
void Ntt<F, Cuda>::enqueue_difference(const Queue& queue, const CudaNttPlan& plan,
                                      const CudaNttTwiddles<F>& twiddles, NttDirection direction,
                                      const NttFactors<F>& factors,
                                      const NttDifference<F>& difference, DeviceSpan<F> values) {
  if (values.size() != plan.size() || factors.on_store.empty()) {
    throw InvalidArgument("ntt: a difference is of one transform of " +
                          std::to_string(plan.size()) + " elements with a factor for each, got " +
                          std::to_string(values.size()) + " with " +
                          std::to_string(factors.on_store.size()));
  }
  enqueue_passes(queue, plan, twiddles, direction, NttFlow::dif, factors, &difference, values);
}

template <NttField F>
void Ntt<F, Cuda>::enqueue_passes(const Queue& queue, const CudaNttPlan& plan,
                                  const CudaNttTwiddles<F>& twiddles, NttDirection direction,
                                  NttFlow flow, const NttFactors<F>& factors,
                                  const NttDifference<F>* difference, DeviceSpan<F> values) {
  const std::size_t n = plan.size();
  if (!twiddles.fits(plan) || values.size() % n != 0 || plan.passes == 0) {
    throw InvalidArgument("ntt: a plan for 2^" + std::to_string(plan.log_n) + " elements, got " +
                          std::to_string(values.size()) + " and twiddles for 2^" +
                          std::to_string(twiddles.domain().log_n));
  }
  const auto fits = [](const DeviceSpan<const F>& s, std::size_t want) {
    return s.empty() || s.size() == want;
  };
  if (!fits(factors.on_load, n) || !fits(factors.on_store, n) ||
      !fits(factors.values, values.size()) || !fits(factors.source, values.size()) ||
      (!factors.on_load.empty() && !factors.on_store.empty())) {
    throw InvalidArgument("ntt: " + std::to_string(factors.on_load.size()) +
                          " factors on load or " + std::to_string(factors.on_store.size()) +
                          " on store for transforms of " + std::to_string(n) + " elements, " +
                          std::to_string(factors.values.size()) + " factors and " +
                          std::to_string(factors.source.size()) + " sources for " +
                          std::to_string(values.size()) + " values");
  }
  const NttDeviceTables<F>& tables = twiddles.tables(direction);
  NttPass<F> pass;
  pass.values = values.data();
  pass.factor = factors.values.data();
  pass.scale_on_load = !factors.on_load.empty();
  pass.scale = pass.scale_on_load ? factors.on_load.data() : factors.on_store.data();
  pass.constants = tables.constants;
  pass.mask = n - 1;
  for (unsigned step = 0; step < plan.passes; ++step) {
    const unsigned k = flow == NttFlow::dif ? step : plan.passes - 1 - step;
    pass.twiddles = tables.twiddles[k].data();
    pass.local = tables.local[k].data();
    pass.log_stride = plan.log_stride(k);
    pass.first = step == 0;
    pass.last = step + 1 == plan.passes;
    pass.source = pass.first && !factors.source.empty() ? factors.source.data() : values.data();
    if (pass.last && difference != nullptr) {
      detail::enqueue_ntt_difference_of(queue, plan.levels[k], pass, *difference, plan.log_n);
    } else {
      detail::enqueue_ntt_pass_of(queue, flow, plan.levels[k], pass, values.size());
    }
  }
}

template <NttField F>
void Ntt<F, Cuda>::enqueue(const Queue& queue, const CudaNttPlan& plan,
                           const CudaNttTwiddles<F>& twiddles, const NttTransform<F>& transform,
                           DeviceSpan<F> values, DeviceSpan<std::byte> workspace) {
  const std::size_t n = plan.size();
  const bool forward = transform.direction == NttDirection::forward;
  const bool coset = !(transform.shift == F::one());
  const NttFlow flow =
      transform.order == NttOrder::reversed_to_natural ? NttFlow::dit : NttFlow::dif;
  if (transform.shift.is_zero()) throw InvalidArgument("ntt: the shift of a coset is zero");
  if (!twiddles.fits(plan) || values.size() % n != 0) {
    throw InvalidArgument("ntt: a plan for 2^" + std::to_string(plan.log_n) + " elements, got " +
                          std::to_string(values.size()) + " and twiddles for 2^" +
                          std::to_string(twiddles.domain().log_n));
  }
  NttFactors<F> factors;
  if (coset) {
    if (!plan.needs_scale_table || workspace.size() < plan.workspace_bytes()) {
      throw InvalidArgument("ntt: a coset needs a plan for it and a workspace of " +
                            std::to_string(plan.workspace_bytes()) + " bytes, got " +
                            std::to_string(workspace.size()));
    }
    const DeviceSpan<F> table{reinterpret_cast<F*>(workspace.data()), n};
    // Powers go with the coefficients: the input of a forward, the output of an inverse transform.
    const bool reversed = forward ? flow == NttFlow::dit : flow == NttFlow::dif;
    enqueue_powers(queue, forward ? transform.shift : transform.shift.inverse(), F::one(), reversed,
                   table);
    (forward ? factors.on_load : factors.on_store) = table;
  }
  if (plan.passes != 0) {
    enqueue_scaled(queue, plan, twiddles, transform.direction, flow, factors, values);
  } else {
    Grid grid = grid_for(values.size() / n, 1);
    grid.threads = n >= 512 ? 256 : 32;
    grid.shared_bytes = n * sizeof(F);
    launch(queue, grid, "ntt.small", detail::ntt_small_kernel<F>, values.data(),
           twiddles.tables(transform.direction).roots.data(), factors.on_load.data(),
           factors.on_store.data(), forward ? F::one() : twiddles.inverse_factor(), plan.log_n,
           flow);
  }
  if (transform.order == NttOrder::natural_to_natural) {
    enqueue_bit_reversal(queue, plan.log_n, values);
  }
}

}  // namespace zkgpu
