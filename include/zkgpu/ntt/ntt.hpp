// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <zkgpu/backend/backend.hpp>
#include <zkgpu/backend/cpu.hpp>
#include <zkgpu/core/config.hpp>
#include <zkgpu/core/error.hpp>
#include <zkgpu/curve/bls12_381.hpp>
#include <zkgpu/field/field.hpp>
#include <zkgpu/ntt/plan.hpp>

namespace zkgpu {

namespace ntt_cpu {
struct LaneTables;
}  // namespace ntt_cpu

/// The 2^log_n-th roots of unity, in the order of the powers of one primitive root.
///
/// The root is part of the value: two provers that walk the same group in a different order make
/// incompatible proofs (snarkjs keys are made with roots of 5, bellman keys with roots of 7).
template <NttField F>
struct NttDomain {
  unsigned log_n = 0;
  F root = F::one();

  NttDomain() = default;
  /// From the field's own generator.
  /// @throws InvalidArgument if the field has no such root
  explicit NttDomain(unsigned log_n_) : NttDomain(from_generator(log_n_, F::generator())) {}

  /// root = generator^((modulus - 1)/2^log_n).
  /// @throws InvalidArgument if the field has no such root, or the generator is a square
  static NttDomain from_generator(unsigned log_n, const F& generator) {
    if (log_n > F::two_adicity) {
      throw InvalidArgument("ntt: a domain of 2^" + std::to_string(log_n) +
                            " elements, but the field has roots of unity up to 2^" +
                            std::to_string(F::two_adicity));
    }
    NttDomain domain;
    domain.log_n = log_n;
    domain.root = F::two_adic_root(generator);
    F half = domain.root;  // of order 2^two_adicity if half^(2^(two_adicity-1)) is -1
    for (unsigned k = 1; k < F::two_adicity; ++k) half = half.square();
    if (half != -F::one()) {
      throw InvalidArgument("ntt: the generator of the domain is a square or zero");
    }
    for (unsigned k = F::two_adicity; k > log_n; --k) domain.root = domain.root.square();
    return domain;
  }

  /// The smallest domain of at least n elements; n = 0 counts as 1.
  /// @throws InvalidArgument as `from_generator`
  static NttDomain at_least(std::size_t n, const F& generator = F::generator()) {
    unsigned log = 0;
    while (log < 63 && (std::size_t{1} << log) < n) ++log;
    return from_generator(log, generator);
  }

  [[nodiscard]] std::size_t size() const noexcept { return std::size_t{1} << log_n; }
  friend bool operator==(const NttDomain&, const NttDomain&) = default;
};

/// forward: coefficients to values at shift·root^i. inverse: values to coefficients, 1/n included.
enum class NttDirection { forward, inverse };

/// Which side of a transform is in bit-reversed order: element i stands at the place whose log_n
/// index bits are those of i reversed. The two that reorder nothing are faster.
enum class NttOrder { natural_to_reversed, reversed_to_natural, natural_to_natural };

/// One transform over a domain. `shift` is any element but zero: the values are those at the coset
/// shift·⟨root⟩.
template <NttField F>
struct NttTransform {
  NttDirection direction = NttDirection::forward;
  NttOrder order = NttOrder::natural_to_natural;
  F shift = F::one();
};

/// The powers of a domain's root that transforms read: made once, shared by every transform over
/// the domain, forward and inverse. Copies share the table.
///
/// Entry k of the table is root^(reverse of k in log_n - 1 bits): a level of 2^s blocks reads
/// entries 0..2^s - 1 in order, one a block.
template <NttField F>
class NttTwiddles {
 public:
  /// Where transforms run in SIMD lanes, this also makes the table that they read.
  ///
  /// @param level   the architecture whose lanes are meant, at most what this machine can run
  /// @throws ResourceExhausted if the table (16n bytes; 56n with lanes) does not fit into memory
  /// @cost n/2 products; with lanes, a third of a transform in them more
  explicit NttTwiddles(const NttDomain<F>& domain, CpuLevel level = selected_cpu_level());

  [[nodiscard]] const NttDomain<F>& domain() const noexcept { return domain_; }
  [[nodiscard]] std::span<const F> table() const noexcept { return *table_; }
  /// 1/n
  [[nodiscard]] const F& inverse_size() const noexcept { return inverse_size_; }
  /// What transforms in the lanes of an architecture read; nullptr where there are none, or not of
  /// this size, or where the table was made for another one.
  [[nodiscard]] const ntt_cpu::LaneTables* lanes(CpuLevel level) const noexcept {
    return level == lanes_level_ ? lanes_.get() : nullptr;
  }

 private:
  NttDomain<F> domain_;
  std::shared_ptr<const std::vector<F>> table_;
  std::shared_ptr<const ntt_cpu::LaneTables> lanes_;
  CpuLevel lanes_level_ = CpuLevel::scalar;
  F inverse_size_;
};

/// Number-theoretic transforms, in place.
template <NttField F, Backend B>
struct Ntt {
  static_assert(always_false<F, B>,
                "no NTT for this backend: specialise zkgpu::Ntt in include/zkgpu/ntt/");
};

template <NttField F, CpuArch A>
struct Ntt<F, Cpu<A>> {
  using Queue = typename Cpu<A>::Queue;

  /// Pure; @throws InvalidArgument if the field has no root of unity of order 2^log_n
  static NttPlan plan(unsigned log_n, const DeviceProperties& machine) {
    if (log_n > F::two_adicity) static_cast<void>(NttDomain<F>(log_n));  // throws the sentence
    return plan_ntt(log_n, sizeof(F), machine);
  }

  /// Transforms `values` in place.
  ///
  /// @param twiddles  of the domain, which has 2^plan.log_n elements
  /// @param values    2^log_n elements
  /// @throws InvalidArgument if sizes disagree with the plan, or the shift is zero;
  ///         ResourceExhausted if the tiles of threads (330 kB each) or the factors of a coset (80
  ///         bytes for 256 elements) cannot be had
  /// @cost   n/2·log n·(1M + 2A); n products more for a coset or for an inverse transform
  /// @see    docs/math/ntt.md
  static void enqueue(Queue& queue, const NttPlan& plan, const NttTwiddles<F>& twiddles,
                      const NttTransform<F>& transform, std::span<F> values);

  /// The same for polynomials that stand one after the other, several of them side by side.
  ///
  /// @param values  any multiple of 2^log_n elements
  /// @throws InvalidArgument, ResourceExhausted as `enqueue`
  static void enqueue_batch(Queue& queue, const NttPlan& plan, const NttTwiddles<F>& twiddles,
                            const NttTransform<F>& transform, std::span<F> values);

  /// From values on the domain to values on the coset shift·⟨root⟩, of the polynomial of degree
  /// below n that has them; natural order on both sides.
  ///
  /// @param left   n values on the domain
  /// @param right  n more, of which the products with those of `left` are taken, or none
  /// @param to     n values on the coset; may be `left` or `right`
  /// @throws InvalidArgument, ResourceExhausted as `enqueue`
  /// @cost   as an inverse and a forward transform, but fewer products and passes
  static void enqueue_to_coset(Queue& queue, const NttPlan& plan, const NttTwiddles<F>& twiddles,
                               const F& shift, std::span<const F> left, std::span<const F> right,
                               std::span<F> to);

  /// constant · the coefficients of the polynomial of degree below n that has the values left∘right
  /// on the coset shift·⟨root⟩, in bit-reversed order.
  ///
  /// @param left, right  n values each on the coset, natural order
  /// @param to           n coefficients; may be `left` or `right`
  /// @throws InvalidArgument, ResourceExhausted as `enqueue`
  /// @cost   as an inverse transform on a coset, and n products
  static void enqueue_interpolate_product(Queue& queue, const NttPlan& plan,
                                          const NttTwiddles<F>& twiddles, const F& shift,
                                          const F& constant, std::span<const F> left,
                                          std::span<const F> right, std::span<F> to);
};

/// Plans and runs one transform.
template <NttField F, CpuArch A>
void ntt(const Cpu<A>& cpu, const NttTwiddles<F>& twiddles, const NttTransform<F>& transform,
         std::span<F> values) {
  using Op = Ntt<F, Cpu<A>>;
  auto queue = cpu.make_queue();
  Op::enqueue(queue, Op::plan(twiddles.domain().log_n, cpu.properties()), twiddles, transform,
              values);
  queue.wait();
}

extern template class NttTwiddles<Bls12_381::Fr>;
extern template struct Ntt<Bls12_381::Fr, Cpu<arch::scalar>>;
#if defined(__x86_64__)
extern template struct Ntt<Bls12_381::Fr, Cpu<arch::x86_adx>>;
extern template struct Ntt<Bls12_381::Fr, Cpu<arch::avx2>>;
extern template struct Ntt<Bls12_381::Fr, Cpu<arch::avx512ifma>>;
#endif

}  // namespace zkgpu
