// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstddef>
#include <span>

#include <zkgpu/backend/backend.hpp>
#include <zkgpu/backend/cpu.hpp>
#include <zkgpu/backend/stage.hpp>
#include <zkgpu/core/config.hpp>
#include <zkgpu/prover/groth16/query_sum.hpp>
#include <zkgpu/prover/groth16/stages/key_use.hpp>
#include <zkgpu/prover/groth16/stages/prepared_key.hpp>

namespace zkgpu {

/// The stages of a proof that need its key, and what a backend keeps of the key for them.
///
/// `upload`, `evaluate`, `quotient`, `sum_h`, `sum_l`, `sum_a`, `sum_b_g1` and `sum_b_g2` are done
/// when they return; several threads may run them at once, each with a queue of its own. `sum_b_g1`
/// is infinity unless it was asked for. `bytes` tells what they take. `Witness`, `Evaluated` and
/// `Quotients` are what they hand on.
template <Curve C, Backend B>
class ProofStages {
  static_assert(
      always_false<C, B>,
      "no proofs on this backend: specialise zkgpu::ProofStages in prover/groth16/stages/");
};

/// Nothing is kept: the CPU reads the key where it is.
template <Curve C, CpuArch A>
class ProofStages<C, Cpu<A>> {
  using B = Cpu<A>;
  using F = typename C::Fr;
  using G1 = typename C::G1;
  using G2 = typename C::G2;
  using Integer = typename F::Integer;

 public:
  using Witness = std::span<const Integer>;
  using Evaluated = Evaluations<F, B>;
  using Quotients = Scratch<Integer, B>;

  /// @param key  must outlive the stages
  ProofStages(B& backend, const PreparedProvingKey<C>& key, const KeyUse& use)
      : machine_(backend.properties()), key_(key), use_(use), twiddles_(key.domain) {}

  [[nodiscard]] StageBytes bytes() const {
    const ProvingKey<C>& key = key_.key;
    StageBytes made;
    made.h = workspace<G1>(key.h.size());
    made.l = workspace<G1>(key.l.size());
    made.a = workspace<G1>(key.a.size());
    if (use_.b_g1) made.b_g1 = workspace<G1>(key.b_g1.size());
    made.b_g2 = workspace<G2>(key.b_g2.size());
    return made;
  }

  Witness upload(StageContext<B>&, std::span<const Integer> z) const { return z; }
  Evaluated evaluate(StageContext<B>& at, Witness z) const {
    return Evaluate<F, B>{key_.rows, key_.key.domain_size()}(at, z);
  }
  /// @tparam QuotientStage  the way to it
  template <class QuotientStage>
  Quotients quotient(StageContext<B>& at, const Evaluated& in) const {
    return QuotientStage{&twiddles_, key_.coset_shift, key_.form}(at, {in.a.span(), in.b.span()});
  }
  auto sum_h(StageContext<B>& at, const Quotients& h) const {
    return QuerySum<G1, B>{key_.key.h}(at, h.span());
  }
  auto sum_l(StageContext<B>& at, Witness z) const {
    return QuerySum<G1, B>{key_.key.l}(at, z.subspan(key_.key.num_public() + 1));
  }
  auto sum_a(StageContext<B>& at, Witness z) const {
    return QuerySum<G1, B>{key_.key.a, key_.a_wires()}(at, z);
  }
  typename G1::Jacobian sum_b_g1(StageContext<B>& at, Witness z) const {
    if (!use_.b_g1) return G1::Jacobian::infinity();
    return QuerySum<G1, B>{key_.key.b_g1, key_.b_wires()}(at, z);
  }
  auto sum_b_g2(StageContext<B>& at, Witness z) const {
    return QuerySum<G2, B>{key_.key.b_g2, key_.b_wires()}(at, z);
  }

 private:
  template <CurveGroup G>
  [[nodiscard]] std::size_t workspace(std::size_t points) const {
    return Msm<G, B>::plan(points, machine_).workspace_bytes();
  }

  DeviceProperties machine_;
  const PreparedProvingKey<C>& key_;
  KeyUse use_;
  NttTwiddles<F> twiddles_;
};

}  // namespace zkgpu
