// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <ostream>
#include <span>
#include <vector>

#include <zkgpu/curve/bls12_381.hpp>
#include <zkgpu/prover/groth16/assemble.hpp>
#include <zkgpu/prover/groth16/generate.hpp>
#include <zkgpu/prover/groth16/stages/stages.hpp>
#include <zkgpu/prover/pipeline/memory/memory.hpp>
#include <zkgpu/prover/qap/quotient.hpp>
#include <zkgpu/prover/r1cs/builder.hpp>
#include <zkgpu/prover/witness/builder.hpp>

#include "small_circuits.hpp"

/// Proofs by the stages alone, without a prover around them.
namespace zkgpu::test {

using StageCurve = Bls12_381;

/// What a policy may say of a key's use.
struct KeyChoice {
  UploadWay upload = UploadWay::pinned_ring;
  StagePlace rows = StagePlace::device;
  StagePlace b_g2 = StagePlace::device;
  KeyPlace key = KeyPlace::resident_device;
  std::size_t key_bytes = 0;
  std::size_t table_bytes = 0;
  bool half_budget = false;  ///< key_bytes is half of the points

  friend std::ostream& operator<<(std::ostream& out, const KeyChoice& choice) {
    return out << "upload " << static_cast<int>(choice.upload) << ", rows "
               << static_cast<int>(choice.rows) << ", b in G2 " << static_cast<int>(choice.b_g2)
               << ", key " << static_cast<int>(choice.key) << ", budget " << choice.key_bytes
               << (choice.half_budget ? " (half of the points)" : "");
  }
};

/// A circuit with its key and witness, and the proof for given r and s by the CPU's stages.
struct Instance {
  RandomCircuit<StageCurve::Fr> circuit;
  R1cs<StageCurve::Fr> r1cs;
  Witness<StageCurve::Fr> witness;
  ProvingKey<StageCurve> key;
  PreparedProvingKey<StageCurve> prepared;
  Blinding<StageCurve::Fr> blinding{StageCurve::Fr(123), StageCurve::Fr(456)};
  Proof<StageCurve> expected;

  explicit Instance(std::size_t constraints, KeyForm form = KeyForm::snarkjs);
  Instance(const Instance&) = delete;
  Instance& operator=(const Instance&) = delete;

  [[nodiscard]] std::span<const StageCurve::Fr::Integer> z() const { return witness.values; }
  [[nodiscard]] std::size_t point_bytes() const {
    const std::size_t in_g1 = key.a.size() + key.l.size() + key.h.size() + key.b_g1.size();
    return in_g1 * sizeof(StageCurve::G1::Affine) +
           key.b_g2.size() * sizeof(StageCurve::G2::Affine);
  }
};

/// The memory of proofs all of whose stages have theirs at once.
class ScratchOf final : public ScratchPlan {
 public:
  ScratchOf(const Instance& instance, std::size_t proofs) : instance_(&instance), proofs_(proofs) {}
  [[nodiscard]] std::size_t bytes(const StageBytes& of_one) const override {
    const ProvingKey<StageCurve>& key = instance_->key;
    const std::size_t field = sizeof(StageCurve::Fr);
    const std::size_t gathered =
        instance_->prepared.density.has_value() ? (key.a.size() + 2 * key.b_g1.size()) * field : 0;
    const std::size_t columns = (3 * key.domain_size() + key.h.size()) * field;
    return proofs_ * (of_one.witness + of_one.quotient + of_one.h + of_one.l + of_one.a +
                      of_one.b_g1 + of_one.b_g2 + gathered + columns);
  }

 private:
  const Instance* instance_;
  std::size_t proofs_;
};

inline KeyUse use_of(const KeyChoice& choice, const ScratchPlan& scratch,
                     const Instance& instance) {
  return {.b_g1 = true,
          .table_bytes = choice.table_bytes,
          .scratch = &scratch,
          .upload = choice.upload,
          .rows = choice.rows,
          .b_g2 = choice.b_g2,
          .key = choice.key,
          .key_bytes = choice.half_budget ? instance.point_bytes() / 2 : choice.key_bytes};
}

inline constexpr KeyPlace key_places[] = {KeyPlace::load_per_proof, KeyPlace::resident_host,
                                          KeyPlace::budgeted_lru, KeyPlace::resident_device,
                                          KeyPlace::split_resident};
inline constexpr UploadWay upload_ways[] = {UploadWay::pageable, UploadWay::registered,
                                            UploadWay::pinned_ring};
inline constexpr StagePlace stage_places[] = {StagePlace::device, StagePlace::host};

/// Every way up × place of the rows × place of b in G2 × place of the key.
inline std::vector<KeyChoice> all_key_choices() {
  std::vector<KeyChoice> all;
  for (const KeyPlace key : key_places) {
    for (const UploadWay upload : upload_ways) {
      for (const StagePlace rows : stage_places) {
        for (const StagePlace b_g2 : stage_places) {
          KeyChoice choice{.upload = upload, .rows = rows, .b_g2 = b_g2, .key = key};
          choice.half_budget = rows == b_g2;  // else what is free decides
          all.push_back(choice);
        }
      }
    }
  }
  return all;
}
/// A few of them that have every value of each.
inline std::vector<KeyChoice> covering_key_choices() {
  using enum StagePlace;
  using enum UploadWay;
  std::vector<KeyChoice> some{
      {.upload = pageable, .rows = device, .b_g2 = device, .key = KeyPlace::load_per_proof},
      {.upload = registered, .rows = host, .b_g2 = host, .key = KeyPlace::resident_host},
      {.upload = pinned_ring, .rows = host, .b_g2 = device, .key = KeyPlace::budgeted_lru},
      {.upload = registered, .rows = device, .b_g2 = host, .key = KeyPlace::resident_device},
      {.upload = pageable, .rows = host, .b_g2 = device, .key = KeyPlace::split_resident},
      {.upload = registered, .rows = device, .b_g2 = device, .key = KeyPlace::budgeted_lru}};
  for (KeyChoice& choice : some) choice.half_budget = true;
  return some;
}

/// One stage after the other, each where `use` wants it.
template <class Stages, class B>
Proof<StageCurve> prove_by_stages(const Stages& stages, StageContext<B>& at,
                                  BufferSource<Cpu<>>& host, const KeyUse& use,
                                  const Instance& instance) {
  const auto z = stages.upload(at, instance.z());
  QuerySums<StageCurve> sums{};
  {
    auto rows = [&] {
      if constexpr (DeviceBackend<B>) {
        if (use.rows == StagePlace::host) return stages.evaluate_on_host(at, host, instance.z());
      }
      return stages.evaluate(at, z);
    }();
    const auto h = stages.template quotient<Quotient<StageCurve::Fr, B>>(at, rows);
    rows = {};
    sums.h = stages.sum_h(at, h);
  }
  sums.l = stages.sum_l(at, z);
  sums.a = stages.sum_a(at, z);
  sums.b_g1 = stages.sum_b_g1(at, z);
  sums.b_g2 = [&] {
    if constexpr (DeviceBackend<B>) {
      if (use.b_g2 == StagePlace::host) return stages.sum_b_g2_on_host(host, instance.z());
    }
    return stages.sum_b_g2(at, z);
  }();
  return Assemble<StageCurve, B>{&instance.key, &instance.blinding}(at, sums);
}

inline Instance::Instance(std::size_t constraints, KeyForm form)
    : circuit{.constraints = constraints, .bits = constraints / 3},
      r1cs(synthesize_r1cs<StageCurve::Fr>(circuit)),
      witness(synthesize_witness<StageCurve::Fr>(circuit)),
      key(generate_key<StageCurve>(
          r1cs,
          ToxicWaste<StageCurve::Fr>(StageCurve::Fr(7), StageCurve::Fr(8), StageCurve::Fr(9),
                                     StageCurve::Fr(10), StageCurve::Fr(11)),
          form)),
      prepared(key, &r1cs) {
  Cpu<> cpu;
  auto queue = cpu.make_queue();
  pipeline::simple_memory::Source<Cpu<>> memory(cpu, pipeline::unplanned);
  StageContext<Cpu<>> at{cpu, queue, memory};
  const ScratchOf scratch(*this, 1);
  const KeyUse use = use_of({}, scratch, *this);
  const ProofStages<StageCurve, Cpu<>> stages(cpu, prepared, use);
  expected = prove_by_stages(stages, at, memory, use, *this);
}

}  // namespace zkgpu::test
