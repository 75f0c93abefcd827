// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstddef>
#include <string_view>

#include <zkgpu/backend/cuda.hpp>
#include <zkgpu/backend/stage.hpp>
#include <zkgpu/core/span.hpp>
#include <zkgpu/curve/bls12_381.hpp>
#include <zkgpu/ntt/cuda.hpp>
#include <zkgpu/prover/qap/quotient.hpp>

namespace zkgpu {

/// What quotients over one domain read on the device: roots, and powers of the half coset's shift.
template <NttField F>
class CudaQuotientTables {
 public:
  /// Returns at once; `queue` does the work.
  /// @throws ResourceExhausted if the tables, about 4n elements, do not fit
  CudaQuotientTables(const Cuda& cuda, const CudaQueue& queue, const QuotientDomain<F>& domain);

  /// Their inverse transforms carry a factor of the quotient's own.
  [[nodiscard]] const CudaNttTwiddles<F>& twiddles() const noexcept { return twiddles_; }
  [[nodiscard]] const F& shift() const noexcept { return shift_; }
  /// σ^i at the place of i reversed, without that factor.
  [[nodiscard]] DeviceSpan<const F> to_coset() const noexcept { return to_coset_.span(); }
  /// σ^-i at the place of i reversed.
  [[nodiscard]] DeviceSpan<const F> from_coset() const noexcept { return from_coset_.span(); }

 private:
  F shift_;
  CudaBuffer<F> to_coset_;  // before the twiddles, which begin work: nothing is left to fail then
  CudaBuffer<F> from_coset_;
  CudaNttTwiddles<F> twiddles_;
};

template <NttField F>
struct Quotient<F, Cuda> {
  static constexpr std::string_view name = "quotient";
  /// Values on the domain in natural order, device, 16-byte aligned; both are overwritten.
  struct Input {
    DeviceSpan<F> a, b;
  };
  /// quotient_size(form, n) canonical integers, device.
  using Output = Scratch<typename F::Integer, Cuda>;

  const CudaQuotientTables<F>* tables = nullptr;  ///< of the key's domain; must outlive the stage
  QuotientForm form = QuotientForm::coefficients;

  /// Returns at once; scratch goes back to the lender when the queue has drained.
  /// @throws InvalidArgument if sizes disagree with the domain
  /// @cost   6 transforms, 4n products; one more array of n elements
  Output operator()(StageContext<Cuda>& at, const Input& in) const;
};

extern template class CudaQuotientTables<Bls12_381::Fr>;
extern template struct Quotient<Bls12_381::Fr, Cuda>;

}  // namespace zkgpu
