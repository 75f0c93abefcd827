// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <span>
#include <string_view>

#include <zkgpu/backend/cpu.hpp>
#include <zkgpu/backend/fake.hpp>
#include <zkgpu/backend/stage.hpp>
#include <zkgpu/core/error.hpp>
#include <zkgpu/ntt/ntt.hpp>
#include <zkgpu/prover/qap/quotient.hpp>

namespace zkgpu {

/// What quotients over one domain read on a device that is not there.
template <NttField F>
class FakeQuotientTables {
 public:
  FakeQuotientTables(const FakeDevice& device, const FakeQueue&, const QuotientDomain<F>& domain)
      : twiddles_(std::make_unique<NttTwiddles<F>>(domain.domain)),
        shift_(domain.shift),
        memory_(device.template allocate<F>(4 * domain.domain.size())) {}

  [[nodiscard]] const NttTwiddles<F>& twiddles() const noexcept { return *twiddles_; }
  [[nodiscard]] const F& shift() const noexcept { return shift_; }

 private:
  std::unique_ptr<NttTwiddles<F>> twiddles_;  // where it is while work reads it
  F shift_;
  FakeBuffer<F> memory_;  // as much as a device's tables take; what is read is the CPU's
};

/// The quotient of a device that is not there: the CPU's, in the order of the queue.
template <NttField F>
struct Quotient<F, FakeDevice> {
  static constexpr std::string_view name = "quotient";
  /// Values on the domain in natural order, device; both are overwritten.
  struct Input {
    DeviceSpan<F> a, b;
  };
  /// quotient_size(form, n) canonical integers, device.
  using Output = Scratch<typename F::Integer, FakeDevice>;

  const FakeQuotientTables<F>* tables = nullptr;  ///< must outlive the stage
  QuotientForm form = QuotientForm::coefficients;

  /// @throws InvalidArgument if sizes disagree with the domain
  Output operator()(StageContext<FakeDevice>& at, const Input& in) const {
    using Integer = typename F::Integer;
    const std::size_t n = tables->twiddles().domain().size();
    if (in.a.size() != n || in.b.size() != n) {
      throw InvalidArgument("quotient: sizes do not fit the domain");
    }
    const auto scratch = at.template scratch<F>(n);  // of a device's kernels
    Output out = at.template scratch<Integer>(quotient_size(form, n));
    const DrainOnFailure<FakeDevice> drain(at.queue);
    at.queue.submit(
        "quotient",
        [shared = tables, wanted = form](std::span<F> a, std::span<F> b, std::span<F>,
                                         std::span<Integer> h) {
          Registers memory;
          Host cpu;
          auto queue = cpu.make_queue();
          StageContext<Host> on_host{cpu, queue, memory};
          const Quotient<F, Host> quotient{&shared->twiddles(), shared->shift(), wanted};
          const auto made = quotient(on_host, {a, b});
          std::copy(made.span().begin(), made.span().end(), h.begin());
        },
        in.a, in.b, scratch.span(), out.span());
    at.finish();  // the scratch goes back to the lender
    return out;
  }

 private:
  using Host = Cpu<arch::scalar>;
  /// Memory that no plan counts: what a kernel keeps to itself.
  class Registers final : public BufferSource<Host> {
   public:
    using Buffer = typename BufferSource<Host>::Buffer;
    Buffer acquire(std::size_t bytes) override { return Host().allocate<std::byte>(bytes); }
    void release(Buffer&& buffer) noexcept override { const Buffer gone(std::move(buffer)); }
  };
};

}  // namespace zkgpu
