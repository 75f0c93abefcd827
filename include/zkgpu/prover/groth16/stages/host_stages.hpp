// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstddef>
#include <span>
#include <utility>

#include <zkgpu/backend/cpu.hpp>
#include <zkgpu/backend/stage.hpp>
#include <zkgpu/msm/msm.hpp>
#include <zkgpu/prover/groth16/query_sum.hpp>
#include <zkgpu/prover/groth16/stages/prepared_key.hpp>
#include <zkgpu/prover/witness/evaluate.hpp>

namespace zkgpu {

/// The stages of a proof that the host does for a device, by the best code of this machine's CPU.
/// They read the key where it is, and take memory from who lends the host's.
template <Curve C>
class HostStages {
  using F = typename C::Fr;
  using G2 = typename C::G2;
  using Integer = typename F::Integer;

 public:
  using Memory = BufferSource<Cpu<>>;
  using Evaluated = Evaluations<F, Cpu<>>;

  /// @param key  must outlive the stages
  explicit HostStages(const PreparedProvingKey<C>& key) noexcept : key_(&key) {}

  [[nodiscard]] std::size_t rows_bytes() const noexcept {
    return 2 * key_->key.domain_size() * sizeof(F);
  }
  /// Of sum_b_g2, with the scalars that it gathers.
  [[nodiscard]] std::size_t b_g2_bytes() const {
    const std::size_t points = key_->key.b_g2.size();
    const std::size_t gathered = key_->b_wires() != nullptr ? points * sizeof(Integer) : 0;
    return gathered + with_best_cpu([&]<CpuArch A>(const Cpu<A>& cpu) {
             return Msm<G2, Cpu<A>>::plan(points, cpu.properties()).workspace_bytes();
           });
  }

  /// a = A z and b = B z on the domain.
  Evaluated evaluate(Memory& memory, std::span<const Integer> z) const {
    Cpu<> cpu;  // products find the best code themselves
    auto queue = cpu.make_queue();
    StageContext<Cpu<>> at{cpu, queue, memory};
    return Evaluate<F, Cpu<>>{key_->rows, key_->key.domain_size()}(at, z);
  }
  typename G2::Jacobian sum_b_g2(Memory& memory, std::span<const Integer> z) const {
    return with_best_cpu([&]<CpuArch A>(Cpu<A> cpu) {
      auto queue = cpu.make_queue();
      Lender<A> lent(memory);
      StageContext<Cpu<A>> at{cpu, queue, lent};
      return QuerySum<G2, Cpu<A>>{key_->key.b_g2, key_->b_wires()}(at, z);
    });
  }

 private:
  /// The same memory for stages of another instruction set.
  template <CpuArch A>
  class Lender final : public BufferSource<Cpu<A>> {
   public:
    using Buffer = typename BufferSource<Cpu<A>>::Buffer;
    explicit Lender(Memory& memory) noexcept : memory_(memory) {}
    Buffer acquire(std::size_t bytes) override { return memory_.acquire(bytes); }
    void release(Buffer&& buffer) noexcept override { memory_.release(std::move(buffer)); }

   private:
    Memory& memory_;
  };

  const PreparedProvingKey<C>* key_;
};

}  // namespace zkgpu
