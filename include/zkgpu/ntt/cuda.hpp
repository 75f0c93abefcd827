// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstddef>

#include <zkgpu/backend/cuda.hpp>
#include <zkgpu/core/span.hpp>
#include <zkgpu/ntt/cuda_plan.hpp>
#include <zkgpu/ntt/dft.hpp>
#include <zkgpu/ntt/ntt.hpp>

namespace zkgpu {

template <NttField F>
struct NttDifference;  // cuda/difference_tile.hpp

/// The tables of one direction on the device.
template <NttField F>
struct NttDeviceTables {
  /// root^(reverse(t)·c) for each pass, rows of 2^log_stride; null where rows are neighbours.
  DeviceSpan<const F> twiddles[CudaNttPlan::max_passes];
  /// Powers of the root of order 2^levels.
  DeviceSpan<const KnownFactor<typename F::Params>> local[CudaNttPlan::max_passes];
  DeviceSpan<const F> roots;  ///< powers of the root, where one block does it all
  DftConstants<typename F::Params> constants;
};

/// The roots that transforms over one domain read on the device: full tables, about 2n elements,
/// made there. The inverse tables hold the factor 1/n.
template <NttField F>
class CudaNttTwiddles {
 public:
  /// Returns at once; `queue` does the work, and later work of other queues must wait for it.
  /// @throws ResourceExhausted if the tables do not fit
  /// @cost 4n products
  CudaNttTwiddles(const Cuda& cuda, const CudaQueue& queue, const NttDomain<F>& domain)
      : CudaNttTwiddles(cuda, queue, domain, plan_cuda_ntt(domain.log_n), F::one()) {}
  /// The same for another cut into passes than `plan_cuda_ntt` makes, and with inverse transforms
  /// that multiply by `inverse_factor` as well.
  /// @pre the plan's levels, each of six to nine, sum to domain.log_n
  CudaNttTwiddles(const Cuda& cuda, const CudaQueue& queue, const NttDomain<F>& domain,
                  const CudaNttPlan& plan, const F& inverse_factor);

  [[nodiscard]] const NttDomain<F>& domain() const noexcept { return domain_; }
  [[nodiscard]] const CudaNttPlan& plan() const noexcept { return plan_; }
  /// Are the tables cut as the plan is? (It may have room for a coset's powers, or not.)
  [[nodiscard]] bool fits(CudaNttPlan plan) const noexcept {
    plan.needs_scale_table = plan_.needs_scale_table;
    return plan == plan_;
  }
  [[nodiscard]] const NttDeviceTables<F>& tables(NttDirection direction) const noexcept {
    return direction == NttDirection::forward ? forward_ : inverse_;
  }
  /// inverse_factor/n
  [[nodiscard]] const F& inverse_factor() const noexcept { return inverse_factor_; }
  [[nodiscard]] std::size_t bytes() const noexcept { return memory_.size() * sizeof(F); }

 private:
  void make_tables(const CudaQueue& queue, NttDirection direction, const F& root,
                   DeviceSpan<F> memory, NttDeviceTables<F>& tables);

  NttDomain<F> domain_;
  CudaNttPlan plan_;
  F inverse_factor_;
  CudaBuffer<F> memory_;
  NttDeviceTables<F> forward_;
  NttDeviceTables<F> inverse_;
};

/// Factors that a transform multiplies in on the way: arrays on the device, each may be empty.
template <NttField F>
struct NttFactors {
  DeviceSpan<const F> on_load;   ///< n elements, in the order of the input
  DeviceSpan<const F> on_store;  ///< n elements, in the order of the output
  DeviceSpan<const F>
      values;  ///< as many as the values: a second operand, in the order of the input
  DeviceSpan<const F> source;  ///< as many as the values: read in their place, and left alone
};

/// Number-theoretic transforms on a GPU, in place.
template <NttField F>
struct Ntt<F, Cuda> {
  using Queue = CudaQueue;

  /// Pure; @throws InvalidArgument if the field has no root of unity of order 2^log_n
  static CudaNttPlan plan(unsigned log_n, const DeviceProperties&) {
    if (log_n > F::two_adicity) static_cast<void>(NttDomain<F>(log_n));  // throws the sentence
    return plan_cuda_ntt(log_n);
  }
  /// The plan for a coset: its workspace holds the powers of the shift.
  static CudaNttPlan plan_coset(unsigned log_n, const DeviceProperties& machine) {
    CudaNttPlan made = plan(log_n, machine);
    made.needs_scale_table = true;
    return made;
  }

  /// Transforms each run of 2^log_n elements of `values`; returns at once.
  ///
  /// @param twiddles   of the domain, which has 2^plan.log_n elements
  /// @param values     a multiple of 2^log_n elements, 16-byte aligned
  /// @param workspace  at least plan.workspace_bytes(), 256-byte aligned
  /// @throws InvalidArgument if sizes disagree with the plan, the shift is zero, or the shift is
  ///         not one and the plan has no room for its powers
  /// @cost   about 0.8·n/2·log n products
  static void enqueue(const Queue& queue, const CudaNttPlan& plan,
                      const CudaNttTwiddles<F>& twiddles, const NttTransform<F>& transform,
                      DeviceSpan<F> values, DeviceSpan<std::byte> workspace);

  /// The same with factors that the caller made (see `enqueue_powers`), for transforms of n >=
  /// 2^12.
  /// @throws InvalidArgument if sizes disagree with the plan
  static void enqueue_scaled(const Queue& queue, const CudaNttPlan& plan,
                             const CudaNttTwiddles<F>& twiddles, NttDirection direction,
                             NttFlow flow, const NttFactors<F>& factors, DeviceSpan<F> values);

  /// As enqueue_scaled in dif flow, but of the results x·on_store it leaves the differences from a
  /// minuend, in natural order (see NttDifference); what is left in `values` is of no use.
  static void enqueue_difference(const Queue& queue, const CudaNttPlan& plan,
                                 const CudaNttTwiddles<F>& twiddles, NttDirection direction,
                                 const NttFactors<F>& factors, const NttDifference<F>& difference,
                                 DeviceSpan<F> values);

  /// table[i] = factor·base^i, or with the exponent's log_n bits reversed.
  static void enqueue_powers(const Queue& queue, const F& base, const F& factor, bool reversed,
                             DeviceSpan<F> table);

  /// Exchanges elements whose places are each other's reversed bits, in each run of 2^log_n.
  static void enqueue_bit_reversal(const Queue& queue, unsigned log_n, DeviceSpan<F> values);

 private:
  static void enqueue_passes(const Queue& queue, const CudaNttPlan& plan,
                             const CudaNttTwiddles<F>& twiddles, NttDirection direction,
                             NttFlow flow, const NttFactors<F>& factors,
                             const NttDifference<F>* difference, DeviceSpan<F> values);
};

extern template class CudaNttTwiddles<Bls12_381::Fr>;
extern template struct Ntt<Bls12_381::Fr, Cuda>;

}  // namespace zkgpu
