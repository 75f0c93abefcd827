// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstddef>

#include <zkgpu/backend/launch.cuh>
#include <zkgpu/core/error.hpp>
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

/// The transforms of one quotient.
template <NttField F>
struct CudaQuotientTransforms {
  using Op = Ntt<F, Cuda>;
  StageContext<Cuda>& at;
  const CudaQuotientTables<F>& tables;
  CudaNttPlan plan = Op::plan_coset(tables.twiddles().domain().log_n, at.backend.properties());

  /// Values on the domain to coefficients, bit-reversed; times σ^i if they go to the coset.
  void interpolate(DeviceSpan<F> x, bool to_coset) const {
    if (plan.passes == 0) return run(NttDirection::inverse, F::one(), x);
    NttFactors<F> factors;
    if (to_coset) factors.on_store = tables.to_coset();
    Op::enqueue_scaled(at.queue, plan, tables.twiddles(), NttDirection::inverse, NttFlow::dif,
                       factors, x);
  }
  /// What `interpolate(x, true)` left to values on the half coset.
  void evaluate_on_coset(DeviceSpan<F> x) const {
    if (plan.passes == 0) return run(NttDirection::forward, tables.shift(), x);
    Op::enqueue_scaled(at.queue, plan, tables.twiddles(), NttDirection::forward, NttFlow::dit, {},
                       x);
  }
  /// The values x·y on the half coset to coefficients, bit-reversed, in x.
  void interpolate_product(DeviceSpan<F> x, DeviceSpan<const F> y) const {
    if (plan.passes == 0) {
      launch(at.queue, grid_for(x.size(), 256), "quotient.product", quotient_product_kernel<F>,
             x.data(), y.data(), x.data(), x.size());
      return run(NttDirection::inverse, tables.shift(), x);
    }
    NttFactors<F> factors;
    factors.values = y;
    factors.on_store = tables.from_coset();
    Op::enqueue_scaled(at.queue, plan, tables.twiddles(), NttDirection::inverse, NttFlow::dif,
                       factors, x);
  }

 private:
  void run(NttDirection direction, const F& shift, DeviceSpan<F> x) const {
    const NttOrder order = direction == NttDirection::inverse ? NttOrder::natural_to_reversed
                                                              : NttOrder::reversed_to_natural;
    const auto workspace = at.template scratch<std::byte>(plan.workspace_bytes());
    Op::enqueue(at.queue, plan, tables.twiddles(), {direction, order, shift}, x, workspace.span());
    at.queue.wait();  // the workspace goes back
  }
};

}  // namespace detail

template <NttField F>
CudaQuotientTables<F>::CudaQuotientTables(const Cuda& cuda, const CudaQueue& queue,
                                          const QuotientDomain<F>& domain)
    : twiddles_(cuda, queue, domain.domain),
      shift_(domain.shift),
      to_coset_(cuda.template allocate<F>(domain.domain.size())),
      from_coset_(cuda.template allocate<F>(domain.domain.size())) {
  F minus_one = shift_;
  for (unsigned k = 0; k < domain.domain.log_n; ++k) minus_one = minus_one.square();
  if (!(minus_one == -F::one())) {
    throw InvalidArgument("quotient: the shift is no root of X^n + 1");
  }
  Ntt<F, Cuda>::enqueue_powers(queue, shift_, F::one(), true, to_coset_.span());
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
  const bool values = form == QuotientForm::odd_coset_values;
  launch(at.queue, grid_for(n, 256), "quotient.product", detail::quotient_product_kernel<F>,
         in.a.data(), in.b.data(), c.data(), n);
  const auto to_coset = [&transforms](const DeviceSpan<F>& x) {
    transforms.interpolate(x, true);
    transforms.evaluate_on_coset(x);
  };
  to_coset(in.a);
  to_coset(in.b);
  transforms.interpolate(c, values);
  if (values) {
    transforms.evaluate_on_coset(c);
    launch(at.queue, grid_for(n, 256), "quotient.values", detail::quotient_values_kernel<F>,
           in.a.data(), in.b.data(), c.data(), out.span().data(), n);
  } else {
    transforms.interpolate_product(in.a, in.b);  // D
    const F half = F::from_montgomery(F(2).inverse().to_integer());
    launch(at.queue, grid_for(n, 256), "quotient.coefficients",
           detail::quotient_coefficients_kernel<F>, c.data(), in.a.data(), out.span().data(), half,
           tables->twiddles().domain().log_n);
  }
  at.queue.wait();  // c goes back to the lender
  return out;
}

}  // namespace zkgpu
