// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstddef>
#include <cstdint>

#include <zkgpu/backend/cuda.hpp>
#include <zkgpu/curve/bls12_381.hpp>
#include <zkgpu/field/lazy_fp.hpp>
#include <zkgpu/msm/cuda/lazy_bucket.hpp>

/// The same operations on the same operands by device and host: what differs shows in a digest.
namespace zkgpu::gpu_test {

ZKGPU_HD constexpr std::uint64_t mix(std::uint64_t x) noexcept {  // splitmix64
  x += 0x9e3779b97f4a7c15ull;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
  return x ^ (x >> 31);
}

/// Operand i: random limbs, a sixteenth of them all zeros and as many all ones.
template <PrimeField F>
ZKGPU_HD constexpr F operand(std::uint64_t i) noexcept {
  typename F::Integer n{};
  for (std::size_t k = 0; k < F::limb_count; ++k) {
    n.limb[k] = mix(i * F::limb_count + k);
    if (n.limb[k] % 16 == 0) n.limb[k] = 0;
    if (n.limb[k] % 16 == 1) n.limb[k] = ~std::uint64_t{0};
  }
  n.limb[F::limb_count - 1] >>= 64 * F::limb_count - F::bits;
  if (!F::is_canonical(n)) n.limb[F::limb_count - 1] >>= 1;
  return F::from_montgomery(n);
}

template <PrimeField F>
ZKGPU_HD constexpr std::uint64_t digest_of(std::uint64_t h, const F& a) noexcept {
  for (std::size_t k = 0; k < F::limb_count; ++k) h = mix(h ^ a.montgomery().limb[k]);
  return h;
}

/// A kind of arithmetic: how a field's elements enter and leave it.
template <PrimeField F>
struct Exact {
  using Plain = F;
  using Value = F;
  ZKGPU_HD static constexpr F from(std::uint64_t i) noexcept { return operand<F>(i); }
  ZKGPU_HD static constexpr std::uint64_t digest(std::uint64_t h, const F& a) noexcept {
    return digest_of(h, a);
  }
};
/// The same by values below 2p, a third of them not the smaller representative: on the device,
/// against `Exact` on the host.
template <PrimeField F>
struct Lazy {
  using Plain = F;
  using Value = LazyFieldOf<F>;
  ZKGPU_HD static constexpr Value from(std::uint64_t i) noexcept {
    typename F::Integer n = operand<F>(i).montgomery();
    if (i % 3 == 0) limb_ops::add(n, n, F::modulus());
    return Value::from_representative(n);
  }
  ZKGPU_HD static constexpr std::uint64_t digest(std::uint64_t h, const Value& a) noexcept {
    return digest_of(h, a.canonical());
  }
};
/// Pairs of them, as Fp2.
template <class Base>
struct Squared {
  using Plain = typename Base::Plain;
  using Value = Fp2<typename Base::Value>;
  ZKGPU_HD static constexpr Value from(std::uint64_t i) noexcept {
    return {Base::from(2 * i), Base::from(2 * i + 1)};
  }
  ZKGPU_HD static constexpr std::uint64_t digest(std::uint64_t h, const Value& a) noexcept {
    return Base::digest(Base::digest(h, a.c0), a.c1);
  }
};

/// A digest of what all operations make of operands 2i and 2i + 1; of the inverse for one i in 64.
template <class Kind>
ZKGPU_HD constexpr std::uint64_t digest_of_operations(std::uint64_t i) noexcept {
  using V = typename Kind::Value;
  const V a = Kind::from(2 * i);
  const V b = Kind::from(2 * i + 1);
  std::uint64_t h = Kind::digest(i, a * b);
  h = Kind::digest(h, a.square());
  h = Kind::digest(h, a + b);
  h = Kind::digest(h, a - b);
  h = Kind::digest(h, (a + b) * (a - b) - b);
  if (i % 64 == 0) h = Kind::digest(h, b.inverse());
  return h;
}

/// Is operand i times its inverse one, or are both zero?
template <class Kind>
ZKGPU_HD constexpr bool has_right_inverse(std::uint64_t i) noexcept {
  using V = typename Kind::Value;
  const V a = Kind::from(i);
  const V inverse = a.inverse();
  const std::uint64_t zero = Kind::digest(0, V::zero());
  if (Kind::digest(0, a) == zero) return Kind::digest(0, inverse) == zero;
  return Kind::digest(0, a * inverse) == Kind::digest(0, V::one());
}

/// sums[k] = Σ digests of the pairs [k·run, (k + 1)·run), on the device.
template <class Kind>
void digests_on_device(const CudaQueue& queue, std::size_t run, DeviceSpan<std::uint64_t> sums);

/// counts[k] = how many of the operands [k·run, (k + 1)·run) have one, on the device.
template <class Kind>
void right_inverses_on_device(const CudaQueue& queue, std::size_t run,
                              DeviceSpan<std::uint64_t> counts);

}  // namespace zkgpu::gpu_test
