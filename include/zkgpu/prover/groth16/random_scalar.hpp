// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include <zkgpu/arith/limb_ops.hpp>
#include <zkgpu/core/env.hpp>
#include <zkgpu/field/field.hpp>

namespace zkgpu {

/// Where secret scalars come from. `EnvEntropy` is the kernel's generator behind an Env; anything
/// else is for tests.
class EntropySource {
 public:
  EntropySource() = default;
  EntropySource(const EntropySource&) = delete;
  EntropySource& operator=(const EntropySource&) = delete;
  virtual ~EntropySource() = default;
  /// @throws IoError if the generator fails; then there is no proof
  virtual void fill(std::span<std::byte> out) = 0;
};

template <Env E>
class EnvEntropy final : public EntropySource {
 public:
  /// @param env  must outlive this
  explicit EnvEntropy(E& env) noexcept : env_(&env) {}
  void fill(std::span<std::byte> out) override { fill_random(*env_, out); }

 private:
  E* env_;
};

/// A uniform element of F: random integers of F::bits bits until one is below the modulus.
///
/// Which draws are thrown away says nothing about the one that is kept, and the comparison is the
/// borrow of a subtraction: no branch depends on the result.
/// @throws IoError if the source fails
template <PrimeField F>
[[nodiscard]] F draw_scalar(EntropySource& source) {
  using Integer = typename F::Integer;
  constexpr std::size_t limbs = sizeof(Integer) / sizeof(std::uint64_t);
  static_assert(F::bits > 64 * (limbs - 1) && F::bits <= 64 * limbs);
  constexpr std::uint64_t top_mask = ~std::uint64_t{0} >> (64 * limbs - F::bits);
  Integer drawn;
  Integer difference;
  do {
    source.fill(std::as_writable_bytes(std::span(drawn.limb)));
    drawn.limb[limbs - 1] &= top_mask;
  } while (limb_ops::subtract(difference, drawn, F::modulus()) == 0);
  const F scalar = F::from_integer(drawn);
  secure_wipe(drawn);
  secure_wipe(difference);
  return scalar;
}

/// The same without zero.
template <PrimeField F>
[[nodiscard]] F draw_nonzero_scalar(EntropySource& source) {
  F scalar = draw_scalar<F>(source);
  while (scalar.is_zero()) scalar = draw_scalar<F>(source);
  return scalar;
}

/// The scalars r and s of Groth's paper, which hide the witness in one proof. Wiped when they die,
/// never copied.
///
/// Two proofs with the same r and s give the witness away. Provers draw a `Masking` instead, which
/// does the same at less cost; this is for proofs whose r and s are given, as in test vectors.
template <PrimeField F>
struct Blinding {
  F r, s;

  Blinding(const F& r_, const F& s_) noexcept : r(r_), s(s_) {}
  Blinding(const Blinding&) = delete;
  Blinding& operator=(const Blinding&) = delete;
  ~Blinding() {
    secure_wipe(r);
    secure_wipe(s);
  }
};

/// The scalars t and u that hide the witness in one proof: see `Mask`. Wiped when they die, never
/// copied.
template <PrimeField F>
class Masking {
 public:
  /// Fresh ones, t not zero: for every proof. @throws IoError if the source fails
  explicit Masking(EntropySource& source) {
    t_ = draw_nonzero_scalar<F>(source);
    u_ = draw_scalar<F>(source);
  }
  Masking(const Masking&) = delete;
  Masking& operator=(const Masking&) = delete;
  ~Masking() {
    secure_wipe(t_);
    secure_wipe(u_);
  }

  [[nodiscard]] const F& t() const noexcept { return t_; }
  [[nodiscard]] const F& u() const noexcept { return u_; }

 private:
  F t_{}, u_{};
};

}  // namespace zkgpu
