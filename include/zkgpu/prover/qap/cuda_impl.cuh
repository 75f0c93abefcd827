// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstddef>

#include <zkgpu/backend/launch.cuh>
#include <zkgpu/core/error.hpp>
#include <zkgpu/ntt/cuda/difference_tile.hpp>
#include <zkgpu/ntt/cuda_tables.hpp>
#include <zkgpu/prover/qap/cuda.hpp>

namespace zkgpu {

namespace detail {

template <NttField F>
__global__ void quotient_product_kernel(const F* a, const F* b, F* c, std::size_t n) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const F product = F::from_montgomery(load_limbs(a + i)) * F::from_montgomery(load_limbs(b + i));
  store_limbs(c + i, product.montgomery());
}

/// h_i = (C_i − D_i)/2 as an integer. `half` is the integer 1/2: the product leaves Montgomery
/// form.
template <NttField F>
__global__ void quotient_coefficients_kernel(const F* c, const F* d, typename F::Integer* h,
                                             F half_as_integer, unsigned log_n) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i + 1 >= std::size_t{1} << log_n) return;
  const std::size_t at = reverse_index(i, log_n);
  const F difference =
      F::from_montgomery(load_limbs(c + at)) - F::from_montgomery(load_limbs(d + at));
  h[i] = (difference * half_as_integer).montgomery();
}

template <NttField F>
__global__ void quotient_values_kernel(const F* a, const F* b, const F* c, typename F::Integer* h,
                                       std::size_t n) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const F product = F::from_montgomery(load_limbs(a + i)) * F::from_montgomery(load_limbs(b + i));
  h[i] = (product - F::from_montgomery(load_limbs(c + i))).to_integer();
}

/// A product by it is half the other factor, and out of Montgomery form.
template <NttField F>
F half_as_integer() noexcept {
  return F::from_montgomery(F(2).inverse().to_integer());
}

/// What inverse transforms over a domain of 2^log_n elements multiply by, besides 1/n: both terms
/// of h pass through one, and what goes to the coset has it taken out again. Small transforms have
/// no table for that.
template <NttField F>
F quotient_inverse_factor(unsigned log_n) noexcept {
  return plan_cuda_ntt(log_n).passes == 0 ? F::one() : half_as_integer<F>();
}

/// The transforms of one quotient.
template <NttField F>
struct CudaQuotientTransforms {
  using Op = Ntt<F, Cuda>;
  StageContext<Cuda>& at;
  const CudaQuotientTables<F>& tables;
  CudaNttPlan plan = Op::plan_coset(tables.twiddles().domain().log_n, at.backend.properties());

  [[nodiscard]] bool small() const noexcept { return plan.passes == 0; }

  /// Values on the domain to coefficients times σ^i, bit-reversed, for the coset.
  void interpolate_to_coset(DeviceSpan<F> x) const {
    if (small()) return run(NttDirection::inverse, F::one(), x);
    NttFactors<F> factors;
    factors.on_store = tables.to_coset();
    interpolate(factors, x);
  }
  /// x·y, values on the domain, to coefficients in c, bit-reversed; times σ^i if `to_coset`.
  void interpolate_product(DeviceSpan<const F> x, DeviceSpan<const F> y, DeviceSpan<F> c,
                           bool to_coset) const {
    if (small()) {
      multiply(x, y, c);
      return run(NttDirection::inverse, F::one(), c);
    }
    NttFactors<F> factors;
    factors.source = x;
    factors.values = y;
    if (to_coset) factors.on_store = tables.to_coset();
    interpolate(factors, c);
  }
  /// What the above left for the coset to values on the half coset.
  void evaluate_on_coset(DeviceSpan<F> x) const {
    if (small()) return run(NttDirection::forward, tables.shift(), x);
    Op::enqueue_scaled(at.queue, plan, tables.twiddles(), NttDirection::forward, NttFlow::dit, {},
                       x);
  }
  /// h = (c - d)/2 in natural order, for the coefficients c and the coefficients d of the values
  /// x·y on the half coset; x is overwritten.
  void subtract_product(DeviceSpan<const F> c, DeviceSpan<F> x, DeviceSpan<const F> y,
                        DeviceSpan<typename F::Integer> h) const {
    if (small()) {
      multiply(x, y, x);
      run(NttDirection::inverse, tables.shift(), x);
      return launch(at.queue, grid_for(x.size(), 256), "quotient.coefficients",
                    quotient_coefficients_kernel<F>, c.data(), x.data(), h.data(),
                    half_as_integer<F>(), plan.log_n);
    }
    NttFactors<F> factors;
    factors.values = y;
    factors.on_store = tables.from_coset();
    // Both operands carry the factor 1/2 and have left Montgomery form.
    const NttDifference<F> difference{c.data(), h.data(), h.size()};
    Op::enqueue_difference(at.queue, plan, tables.twiddles(), NttDirection::inverse, factors,
                           difference, x);
  }

 private:
  void interpolate(const NttFactors<F>& factors, DeviceSpan<F> x) const {
    Op::enqueue_scaled(at.queue, plan, tables.twiddles(), NttDirection::inverse, NttFlow::dif,
                       factors, x);
  }
  void multiply(DeviceSpan<const F> x, DeviceSpan<const F> y, DeviceSpan<F> product) const {
    launch(at.queue, grid_for(x.size(), 256), "quotient.product", quotient_product_kernel<F>,
           x.data(), y.data(), product.data(), x.size());
  }
  void run(NttDirection direction, const F& shift, DeviceSpan<F> x) const {
    const NttOrder order = direction == NttDirection::inverse ? NttOrder::natural_to_reversed
                                                              : NttOrder::reversed_to_natural;
    const auto workspace = at.template scratch<std::byte>(plan.workspace_bytes());
    const DrainOnFailure<Cuda> drain(at.queue);
    Op::enqueue(at.queue, plan, tables.twiddles(), {direction, order, shift}, x, workspace.span());
    at.finish();  // the workspace goes back
  }
};

}  // namespace detail

template <NttField F>
CudaQuotientTables<F>::CudaQuotientTables(const Cuda& cuda, const CudaQueue& queue,
                                          const QuotientDomain<F>& domain)
    : shift_(domain.shift),
      to_coset_(cuda.template allocate<F>(domain.domain.size())),
      from_coset_(cuda.template allocate<F>(domain.domain.size())),
      twiddles_(cuda, queue, domain.domain, plan_cuda_ntt(domain.domain.log_n),
                detail::quotient_inverse_factor<F>(domain.domain.log_n)) {
  const DrainOnFailure<Cuda> drain(queue);
  F minus_one = shift_;
  for (unsigned k = 0; k < domain.domain.log_n; ++k) minus_one = minus_one.square();
  if (!(minus_one == -F::one())) {
    throw InvalidArgument("quotient: the shift is no root of X^n + 1");
  }
  const F factor = detail::quotient_inverse_factor<F>(domain.domain.log_n);
  Ntt<F, Cuda>::enqueue_powers(queue, shift_, factor.inverse(), true, to_coset_.span());
  Ntt<F, Cuda>::enqueue_powers(queue, shift_.inverse(), F::one(), true, from_coset_.span());
}

template <NttField F>
auto Quotient<F, Cuda>::operator()(StageContext<Cuda>& at, const Input& in) const -> Output {
  const std::size_t n = tables->twiddles().domain().size();
  if (in.a.size() != n || in.b.size() != n) {
    throw InvalidArgument("quotient: sizes do not fit the domain");
  }
  const detail::CudaQuotientTransforms<F> transforms{at, *tables};
  const auto scratch = at.template scratch<F>(n);
  const DeviceSpan<F> c = scratch.span();
  Output out = at.template scratch<typename F::Integer>(quotient_size(form, n));
  const DrainOnFailure<Cuda> drain(at.queue);
  const bool values = form == QuotientForm::odd_coset_values;
  transforms.interpolate_product(in.a, in.b, c, values);
  const auto to_coset = [&transforms](const DeviceSpan<F>& x) {
    transforms.interpolate_to_coset(x);
    transforms.evaluate_on_coset(x);
  };
  to_coset(in.a);
  to_coset(in.b);
  if (values) {
    transforms.evaluate_on_coset(c);
    launch(at.queue, grid_for(n, 256), "quotient.values", detail::quotient_values_kernel<F>,
           in.a.data(), in.b.data(), c.data(), out.span().data(), n);
  } else {
    transforms.subtract_product(c, in.a, in.b, out.span());
  }
  at.finish();  // c goes back to the lender
  return out;
}

}  // namespace zkgpu
