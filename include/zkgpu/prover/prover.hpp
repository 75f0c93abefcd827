// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <zkgpu/backend/cpu.hpp>
#include <zkgpu/core/error.hpp>
#include <zkgpu/curve/curve.hpp>
#include <zkgpu/prover/circuit/constraint_system.hpp>
#include <zkgpu/prover/groth16/keys.hpp>
#include <zkgpu/prover/groth16/proof.hpp>
#include <zkgpu/prover/groth16/random_scalar.hpp>
#include <zkgpu/prover/pipeline/control.hpp>
#include <zkgpu/prover/pipeline/presets.hpp>
#include <zkgpu/prover/r1cs/r1cs.hpp>
#include <zkgpu/prover/r1cs/shape.hpp>
#include <zkgpu/prover/witness/builder.hpp>
#include <zkgpu/prover/witness/slice.hpp>
#include <zkgpu/prover/witness/walker.hpp>
#include <zkgpu/prover/witness/witness.hpp>

namespace zkgpu {

/// What a prover is made with, beside its key.
template <Curve C>
struct ProverOptions {
  pipeline::PipelineLimits limits{};

  /// The constraint system of the key's circuit; must outlive the prover. Required for keys without
  /// matrices or with filtered queries (bellman). With it, a proof that does not verify is told
  /// apart: a bad witness is WitnessUnsatisfied, anything else SelfCheckFailed.
  const R1cs<typename C::Fr>* r1cs = nullptr;

  /// Instead of the constraint system: its shape, for sources that make the rows of their witnesses
  /// (`WitnessSource::make_rows`, or `make_with_rows` where the policy walks the circuit). No
  /// matrices are needed then, not even the key's. Must outlive the prover.
  const R1csShape* shape = nullptr;

  /// Where what hides witnesses comes from; null: the kernel's generator. Must outlive the prover.
  EntropySource* entropy = nullptr;

  /// For tests only: r and s of every proof, which cost a fifth sum. Two proofs with the same ones
  /// give their witnesses away. Must outlive the prover.
  const Blinding<typename C::Fr>* insecure_blinding = nullptr;
};

/// What one call of `prove` may be told.
template <Curve C>
struct ProveOptions {
  const pipeline::CancellationToken* cancel = nullptr;
  pipeline::ProofObserver* observer = nullptr;
};

/// Where the witness of one proof comes from; asked in the first stage of the proof. Proofs in
/// flight ask at the same time: each has a source of its own.
template <PrimeField F>
class WitnessSource {
 public:
  WitnessSource() = default;
  WitnessSource(const WitnessSource&) = delete;
  WitnessSource& operator=(const WitnessSource&) = delete;
  virtual ~WitnessSource() = default;
  /// The assignment, valid while the source lives and `make` is not called again.
  virtual std::span<const typename F::Integer> make() = 0;
  /// The same, and a·z and b·z of each constraint, in their order.
  /// @param a, b  room for so many constraints, equal sizes
  /// @return how many constraints there are
  /// @throws InvalidArgument if there is no room for them, or no circuit to walk through
  virtual std::size_t make_with_rows(std::span<F> /*a*/, std::span<F> /*b*/) {
    throw InvalidArgument("witness: rows were to be made by a circuit, and it is only values");
  }
  /// Of what `make` made: a·z and b·z of each constraint, in their order. Asked where a prover has
  /// a shape and no matrices.
  /// @param a, b  room for all constraints, equal sizes
  /// @return how many constraints there are
  /// @throws InvalidArgument if there is no room for them, or no circuit that knows its rows
  virtual std::size_t make_rows(std::span<F> /*a*/, std::span<F> /*b*/) {
    throw InvalidArgument("witness: rows were to be made by a circuit, and it is only values");
  }
  /// What `make_with_rows` made; valid as what `make` returns.
  [[nodiscard]] virtual std::span<const typename F::Integer> values() const { return {}; }
  /// The proof has ended: what was made for it may go.
  virtual void done() noexcept {}
};

/// One proof that is asked for, among others.
template <PrimeField F>
struct ProofRequest {
  /// Must outlive the call; not null. One that makes its witness serves one request of a call:
  /// proofs in flight read what it made.
  WitnessSource<F>* source = nullptr;
  std::size_t job = 0;  ///< whose partition this is; those of one job stand beside each other
  pipeline::Priority priority = pipeline::Priority::normal;
  /// For flows that order by it. Passing it ends nothing: see `cancel`.
  std::optional<SteadyTime> deadline{};
  const pipeline::CancellationToken* cancel = nullptr;  ///< of this proof alone
};

/// A proof, or why there is none.
template <Curve C>
class ProofResult {
 public:
  explicit ProofResult(const Proof<C>& proof) : proof_(proof) {}
  explicit ProofResult(std::exception_ptr failure) : failure_(std::move(failure)) {}

  [[nodiscard]] bool has_value() const noexcept { return failure_ == nullptr; }
  /// @throws what the proof failed with
  [[nodiscard]] const Proof<C>& value() const {
    if (failure_) std::rethrow_exception(failure_);
    return proof_;
  }
  /// Null where there is a proof.
  [[nodiscard]] const std::exception_ptr& failure() const noexcept { return failure_; }

 private:
  Proof<C> proof_{};
  std::exception_ptr failure_;
};

/// A witness that is there already.
template <PrimeField F>
class GivenWitness final : public WitnessSource<F> {
 public:
  explicit GivenWitness(const Witness<F>& witness) noexcept : witness_(&witness) {}
  std::span<const typename F::Integer> make() override { return witness_->values; }

 private:
  const Witness<F>* witness_;
};

/// A witness that a circuit computes.
template <PrimeField F, Circuit<F> Program>
class CircuitWitness final : public WitnessSource<F> {
 public:
  explicit CircuitWitness(const Program& circuit) noexcept : circuit_(&circuit) {}
  std::span<const typename F::Integer> make() override {
    WitnessBuilder<F> builder;
    circuit_->synthesize(builder);
    inputs_ = builder.inputs();
    witness_ = std::move(builder).finish();
    return witness_.values;
  }
  std::size_t make_with_rows(std::span<F> a, std::span<F> b) override {
    RowWalker<F> walker(a, b);
    circuit_->synthesize(walker);
    const std::size_t constraints = walker.rows();
    inputs_ = walker.inputs();
    witness_ = std::move(walker).finish();
    return constraints;
  }
  std::size_t make_rows(std::span<F> a, std::span<F> b) override {
    RowSlice<F> rows(witness_.values, inputs_, {}, a, b);
    circuit_->synthesize(rows);
    return rows.offset().constraints;
  }
  [[nodiscard]] std::span<const typename F::Integer> values() const override {
    return witness_.values;
  }
  void done() noexcept override { witness_ = {}; }

 private:
  const Program* circuit_;
  Witness<F> witness_;
  std::uint32_t inputs_ = 0;  // public variables with the constant one
};

/// Makes Groth16 proofs with one key on one device, run as a policy says.
///
/// Every proof is verified with the key before it is returned. The proof depends on key, witness
/// and what is drawn to hide it: not on backend, policy or number of threads. One call of `prove`
/// at a time.
///
///     const Proof<Bls12_381> proof = with_best_cpu([&](auto cpu) {
///       Prover<Bls12_381, decltype(cpu), pipeline::cpu_only> prover(cpu, key);
///       return prover.prove(witness);
///     });
///
/// What proofs leave in host memory is wiped as soon as it is read for the last time; device memory
/// too, or when the prover dies where the policy keeps buffers.
///
/// A prover plans with the memory that is free when it is made, and takes some of it later: where
/// two share a device, each wants its limits.memory_bytes.
///
/// Running time depends on the witness: do not show it to those from whom the witness is hidden.
template <Curve C, Backend B, pipeline::PipelinePolicy P>
class Prover {
 public:
  using F = typename C::Fr;
  using Options = ProverOptions<C>;

  /// @param key  must outlive the prover; points checked by whoever read it
  /// @throws InvalidArgument if key, constraint system and options do not fit together;
  ///         ResourceExhausted if the plan of the proofs in flight exceeds
  ///         limits.memory_bytes, or what the key needs beside it does not fit into memory;
  ///         DeviceError
  Prover(B backend, const ProvingKey<C>& key, const Options& options = {});
  Prover(const Prover&) = delete;
  Prover& operator=(const Prover&) = delete;
  ~Prover();

  /// @throws InvalidArgument (the witness has not one value a wire, or a value is not canonical),
  ///         WitnessUnsatisfied, SelfCheckFailed, Cancelled, ResourceExhausted, DeviceError,
  ///         IoError (entropy)
  [[nodiscard]] Proof<C> prove(const Witness<F>& witness, const ProveOptions<C>& options = {}) {
    GivenWitness<F> source(witness);
    return prove_one(source, options);
  }
  /// The same for a circuit with its inputs.
  template <Circuit<F> Program>
  [[nodiscard]] Proof<C> prove(const Program& circuit, const ProveOptions<C>& options = {}) {
    CircuitWitness<F, Program> source(circuit);
    return prove_one(source, options);
  }
  /// One proof a source, in their order, each a job of its own; the first failure ends the call.
  [[nodiscard]] std::vector<Proof<C>> prove(std::span<WitnessSource<F>* const> sources,
                                            const ProveOptions<C>& options = {});
  /// One result a request, in their order. A proof that fails ends alone; the others are made.
  /// @throws what keeps all of them from being begun; never what one of them failed with
  [[nodiscard]] std::vector<ProofResult<C>> prove_each(std::span<const ProofRequest<F>> requests,
                                                       const ProveOptions<C>& options = {});

  /// What so many proofs of one call will do, how much scratch memory they take at most, and over
  /// time: what is lent while a step runs never exceeds that step's bytes.
  [[nodiscard]] pipeline::Schedule plan(std::size_t proofs = 1) const;
  /// Scratch memory lent at most at once since the prover was made.
  [[nodiscard]] std::size_t peak_scratch_bytes() const noexcept;
  /// Scratch memory lent now: none while no proof runs.
  [[nodiscard]] std::size_t scratch_bytes_in_use() const noexcept;
  /// The same of what the host does for a device.
  [[nodiscard]] std::size_t host_scratch_bytes_in_use() const noexcept;

 private:
  struct Engine;
  [[nodiscard]] Proof<C> prove_one(WitnessSource<F>& source, const ProveOptions<C>& options) {
    WitnessSource<F>* const sources[] = {&source};
    return prove(sources, options).front();
  }
  std::unique_ptr<Engine> engine_;
};

// The library has Prover<Bls12_381, B, P> for the CPU backends that `with_best_cpu` gives and the
// policies `cpu_only` and `low_memory`, and `reference` on Cpu<>; for other types include
// prover_impl.hpp. There is no `extern template` here: it would make every user of a prover pay for
// a curve's header, and without it nothing is instantiated but calls of a line or two.

}  // namespace zkgpu
