// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/parallel_reduce.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <zkgpu/core/error.hpp>
#include <zkgpu/core/wipe.hpp>
#include <zkgpu/prover/groth16/assemble.hpp>
#include <zkgpu/prover/groth16/stages/prepared_key.hpp>
#include <zkgpu/prover/groth16/stages/stages.hpp>
#include <zkgpu/prover/groth16/verify.hpp>
#include <zkgpu/prover/pipeline/queue_pool.hpp>
#include <zkgpu/prover/pipeline/runner.hpp>
#include <zkgpu/prover/prover.hpp>
#include <zkgpu/prover/qap/quotient.hpp>
#include <zkgpu/prover/qap/reference.hpp>
#include <zkgpu/prover/r1cs/satisfied.hpp>

namespace zkgpu {

namespace detail {

/// One proof on its way: what its stages hand to each other. Wiped when it dies.
template <Curve C, class Stages>
struct ProofJob {
  using F = typename C::Fr;

  WitnessSource<F>* source = nullptr;
  std::span<const typename F::Integer> z;
  typename Stages::Witness witness;
  typename Stages::Evaluated evaluations;
  typename Stages::Quotients h;
  QuerySums<C> sums{};
  Proof<C> proof{};

  ProofJob() = default;
  ProofJob(const ProofJob&) = delete;
  ProofJob& operator=(const ProofJob&) = delete;
  ~ProofJob() { secure_wipe(sums); }  // they give the witness away
};

/// What a proof's graph depends on: the key's sizes, and the memory of this backend's stages.
template <Curve C>
pipeline::CircuitShape shape_of(const PreparedProvingKey<C>& prepared, const StageBytes& bytes,
                                bool given_blinding) {
  const ProvingKey<C>& key = prepared.key;
  return {.domain_size = key.domain_size(),
          .entries = prepared.rows.a->entries() + prepared.rows.b->entries(),
          .num_wires = key.num_wires,
          .num_auxiliary = key.num_auxiliary(),
          .a_points = key.a.size(),
          .b_g1_points = given_blinding ? key.b_g1.size() : 0,
          .b_g2_points = key.b_g2.size(),
          .h_points = key.h.size(),
          .filtered = prepared.density.has_value(),
          .field_bytes = sizeof(typename C::Fr),
          .witness_bytes = bytes.witness,
          .quotient_workspace = bytes.quotient,
          .h_workspace = bytes.h,
          .l_workspace = bytes.l,
          .a_workspace = bytes.a,
          .b_g1_workspace = bytes.b_g1,
          .b_g2_workspace = bytes.b_g2};
}

}  // namespace detail

template <Curve C, Backend B, pipeline::PipelinePolicy P>
struct Prover<C, B, P>::Engine final : private ScratchPlan {
  using Stages = ProofStages<C, B>;
  using Job = detail::ProofJob<C, Stages>;
  using StageId = pipeline::StageId;
  using QuotientStage = typename P::Staging::template QuotientStage<F, B>;

  Engine(B backend_, const ProvingKey<C>& key_, const Options& options_)
      : backend(std::move(backend_)),
        options(options_),
        key(key_, options_.r1cs),
        verifying_key(key_.vk),
        stages(backend, key,
               {.b_g1 = options_.insecure_blinding != nullptr,
                .table_bytes = options_.limits.table_bytes,
                .scratch = this}),
        graph(graph_of(stages.bytes())),
        memory(backend),
        queues(backend),
        pools(options_.limits) {
    const std::size_t flight = std::max<std::size_t>(1, options.limits.proofs_in_flight);
    const std::size_t peak = bytes(stages.bytes());
    std::size_t allowed = options.limits.memory_bytes;
    if constexpr (DeviceBackend<B>) {
      const std::size_t free = backend.free_bytes();
      allowed = allowed == 0 ? free : std::min(allowed, free);
    }
    if ((DeviceBackend<B> || allowed != 0) && peak > allowed) {
      throw ResourceExhausted("prover: " + std::to_string(flight) + " proofs in flight take " +
                              std::to_string(peak) + " bytes of scratch memory, " +
                              std::to_string(allowed) + " are allowed");
    }
  }

  [[nodiscard]] pipeline::ProofGraph graph_of(const StageBytes& bytes) const {
    const bool given_blinding = options.insecure_blinding != nullptr;
    return pipeline::make_groth16_graph(detail::shape_of(key, bytes, given_blinding));
  }
  [[nodiscard]] std::size_t bytes(const StageBytes& of_one) const override {
    const std::size_t flight = std::max<std::size_t>(1, options.limits.proofs_in_flight);
    return P::Staging::plan(graph_of(of_one), flight, options.limits).peak_bytes;
  }

  std::vector<Proof<C>> prove(std::span<WitnessSource<F>* const> sources,
                              const ProveOptions<C>& how) {
    const auto& limits = options.limits;
    const pipeline::RunControl control{how.cancel, how.observer};
    std::vector<Proof<C>> proofs;
    for (const pipeline::ProofBatch& batch : P::Flow::batches(sources.size(), limits)) {
      std::vector<Job> jobs(batch.count);
      for (std::size_t i = 0; i < batch.count; ++i) jobs[i].source = sources[batch.first + i];
      const auto execute = [&](const pipeline::ScheduleStep& step) {
        run(step.stage, jobs[step.proof]);
      };
      const pipeline::Schedule schedule = P::Staging::plan(graph, batch.count, limits);
      pipeline::ScheduleRun(schedule, graph, pools, locks, execute, control)();
      for (const Job& job : jobs) proofs.push_back(job.proof);
    }
    return proofs;
  }

  void run(StageId stage, Job& job) {
    const StackWipe wipe;
    run_stage(stage, job);
  }

  /// In a frame of its own, which is wiped when it has returned.
  [[gnu::noinline]] void run_stage(StageId stage, Job& job) {
    if (stage == StageId::synthesize) return synthesize(job);
    if (stage == StageId::self_check) return self_check(job);
    typename pipeline::QueuePool<B>::Lease lease(queues);
    StageContext<B> at{backend, lease.queue(), memory};
    switch (stage) {
      case StageId::synthesize:
      case StageId::self_check: return;
      case StageId::upload: job.witness = stages.upload(at, job.z); return;
      case StageId::evaluate: job.evaluations = stages.evaluate(at, job.witness); return;
      case StageId::quotient:
        job.h = stages.template quotient<QuotientStage>(at, job.evaluations);
        job.evaluations = {};
        return;
      case StageId::msm_h:
        job.sums.h = stages.sum_h(at, job.h);
        job.h = {};
        return;
      case StageId::msm_l: job.sums.l = stages.sum_l(at, job.witness); return;
      case StageId::msm_a: job.sums.a = stages.sum_a(at, job.witness); return;
      case StageId::msm_b_g1: job.sums.b_g1 = stages.sum_b_g1(at, job.witness); return;
      case StageId::msm_b_g2: job.sums.b_g2 = stages.sum_b_g2(at, job.witness); return;
      case StageId::assemble: job.witness = {}; return assemble(at, job);
    }
  }

  /// Asks for the witness and checks its form: length, the constant one, canonical values.
  void synthesize(Job& job) const {
    job.z = job.source->make();
    if (job.z.size() != key.key.num_wires) {
      throw InvalidArgument("witness: the key has " + std::to_string(key.key.num_wires) +
                            " wires, the witness " + std::to_string(job.z.size()) + " values");
    }
    if (!(job.z[0] == F::Integer::from_uint64(1))) {
      throw InvalidArgument("witness: value 0 is not one");
    }
    const std::size_t bad = first_not_canonical(job.z);
    if (bad != job.z.size()) {
      throw InvalidArgument("witness: value " + std::to_string(bad) +
                            " is not below the order of the curve");
    }
  }

  /// The place of the first value that is not canonical, or the number of values.
  static std::size_t first_not_canonical(std::span<const typename F::Integer> z) {
    constexpr std::size_t grain = std::size_t{1} << 15;  // 1 MiB, some 50 us
    using Range = oneapi::tbb::blocked_range<std::size_t>;
    return oneapi::tbb::parallel_reduce(
        Range(0, z.size(), grain), z.size(),
        [&](const Range& range, std::size_t first) {
          for (std::size_t i = range.begin(); i < range.end(); ++i) {
            if (!F::is_canonical(z[i])) return std::min(first, i);
          }
          return first;
        },
        [](std::size_t x, std::size_t y) { return std::min(x, y); });
  }

  void assemble(StageContext<B>& at, Job& job) const {
    if (options.insecure_blinding != nullptr) {
      job.proof = Assemble<C, B>{&key.key, options.insecure_blinding}(at, job.sums);
      return;
    }
    RealEnv env;
    EnvEntropy<RealEnv> kernel(env);
    EntropySource& source = options.entropy != nullptr ? *options.entropy : kernel;
    const auto masking = [&] {  // the caller's source is asked by one proof at a time
      const std::scoped_lock one_at_a_time(entropy_mutex);
      return Masking<F>(source);
    }();
    job.proof = Mask<C, B>{&key.key, &masking}(at, job.sums);
  }

  /// @throws SelfCheckFailed, or WitnessUnsatisfied where the constraints tell that it is the
  ///   witness
  void self_check(Job& job) const {
    const auto publics = job.z.subspan(1, key.key.num_public());
    if (points_are_valid(job.proof) && verify<C>(verifying_key, publics, job.proof)) return;
    if (key.r1cs == nullptr) {
      throw SelfCheckFailed(
          "prover: the proof does not verify: the witness does not satisfy the circuit, or the key "
          "belongs to another one");
    }
    if (const auto violation = first_violation<F>(*key.r1cs, job.z)) {
      throw WitnessUnsatisfied("witness: constraint " + std::to_string(violation->constraint) +
                               " is not satisfied");
    }
    throw SelfCheckFailed(
        "prover: the proof does not verify though the witness satisfies the constraints: the key "
        "belongs to another circuit, or the machine made a mistake");
  }

  B backend;
  Options options;
  PreparedProvingKey<C> key;
  PreparedVerifyingKey<C> verifying_key;
  Stages stages;
  pipeline::ProofGraph graph;
  typename P::Memory::template Source<B> memory;
  pipeline::QueuePool<B> queues;
  typename P::ThreadPools pools;
  mutable std::mutex entropy_mutex;
  typename P::LockModel locks;
};

template <Curve C, Backend B, pipeline::PipelinePolicy P>
Prover<C, B, P>::Prover(B backend, const ProvingKey<C>& key, const Options& options)
    : engine_(with_typed_memory_errors(
          "prover", [&] { return std::make_unique<Engine>(std::move(backend), key, options); })) {}

template <Curve C, Backend B, pipeline::PipelinePolicy P>
Prover<C, B, P>::~Prover() = default;

template <Curve C, Backend B, pipeline::PipelinePolicy P>
std::vector<Proof<C>> Prover<C, B, P>::prove(std::span<WitnessSource<F>* const> sources,
                                             const ProveOptions<C>& options) {
  return with_typed_memory_errors("prover", [&] { return engine_->prove(sources, options); });
}

template <Curve C, Backend B, pipeline::PipelinePolicy P>
pipeline::Schedule Prover<C, B, P>::plan(std::size_t proofs) const {
  return P::Staging::plan(engine_->graph, proofs, engine_->options.limits);
}

template <Curve C, Backend B, pipeline::PipelinePolicy P>
std::size_t Prover<C, B, P>::peak_scratch_bytes() const noexcept {
  return engine_->memory.account().peak_bytes();
}

template <Curve C, Backend B, pipeline::PipelinePolicy P>
std::size_t Prover<C, B, P>::scratch_bytes_in_use() const noexcept {
  return engine_->memory.account().in_use_bytes();
}

}  // namespace zkgpu
