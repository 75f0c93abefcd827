// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <zkgpu/core/error.hpp>
#include <zkgpu/core/wipe.hpp>
#include <zkgpu/prover/groth16/assemble.hpp>
#include <zkgpu/prover/groth16/query_sum.hpp>
#include <zkgpu/prover/groth16/verify.hpp>
#include <zkgpu/prover/pipeline/runner.hpp>
#include <zkgpu/prover/prover.hpp>
#include <zkgpu/prover/qap/quotient.hpp>
#include <zkgpu/prover/qap/reference.hpp>
#include <zkgpu/prover/r1cs/density.hpp>
#include <zkgpu/prover/r1cs/satisfied.hpp>
#include <zkgpu/prover/witness/evaluate.hpp>

namespace zkgpu {

namespace detail {

/// A key as the stages need it: rows, twiddles, densities, all checked to fit together.
template <Curve C>
struct PreparedProvingKey {
  using F = typename C::Fr;

  const ProvingKey<C>& key;
  const R1cs<F>* r1cs;
  DomainRows<F> rows;
  std::optional<Density> density;  ///< only for filtered queries
  NttTwiddles<F> twiddles;
  QuotientForm form;
  F coset_shift;
  PreparedVerifyingKey<C> verifying_key;

  PreparedProvingKey(const ProvingKey<C>& key_, const R1cs<F>* r1cs_)
      : key(key_),
        r1cs(r1cs_),
        rows(choose_rows(key_, r1cs_)),
        twiddles(domain_of(key_)),
        form(key_.h_basis == HBasis::tau_powers ? QuotientForm::coefficients
                                                : QuotientForm::odd_coset_values),
        // Any half coset gives the same coefficients; values are wanted on the key's own.
        coset_shift(form == QuotientForm::coefficients ? NttDomain<F>(key_.log_domain + 1).root
                                                       : key_.coset_shift),
        verifying_key(key_.vk) {
    if (key.layout == QueryLayout::filtered) density = density_of(*r1cs);
    require(rows.size() <= key.domain_size(), "more rows than the domain has elements");
    require(key.vk.ic.size() + key.l.size() == key.num_wires,
            "the counts of ic, l and wires differ");
    require(key.h.size() == quotient_size(form, key.domain_size()), "the count of h is wrong");
    require(key.a.size() == points_of(density ? &density->a : nullptr), "the count of a is wrong");
    require(key.b_g1.size() == points_of(density ? &density->b : nullptr) &&
                key.b_g2.size() == key.b_g1.size(),
            "the count of b is wrong");
  }

  [[nodiscard]] pipeline::CircuitShape shape() const {
    return {.domain_size = key.domain_size(),
            .entries = rows.a->entries() + rows.b->entries(),
            .num_wires = key.num_wires,
            .num_auxiliary = key.num_auxiliary(),
            .a_points = key.a.size(),
            .b_points = key.b_g1.size(),
            .h_points = key.h.size(),
            .filtered = density.has_value(),
            .field_bytes = sizeof(F)};
  }

 private:
  static void require(bool fits, const char* what) {
    if (!fits) throw InvalidArgument(std::string("prover: key and circuit do not fit: ") + what);
  }
  [[nodiscard]] std::size_t points_of(const WireSet* wires) const noexcept {
    return wires == nullptr ? key.num_wires : wires->count();
  }
  static DomainRows<F> choose_rows(const ProvingKey<C>& key, const R1cs<F>* r1cs) {
    if (r1cs != nullptr) {
      require(r1cs->num_wires == key.num_wires && r1cs->num_public == key.num_public(),
              "they have different numbers of wires or public values");
    }
    if (key.has_matrices()) {
      require(key.b_matrix.rows() == key.a_matrix.rows(), "A and B have different numbers of rows");
      return DomainRows<F>::of(key.a_matrix, key.b_matrix);
    }
    if (r1cs == nullptr) {
      throw InvalidArgument("prover: this key carries no constraints; give the constraint system");
    }
    return DomainRows<F>::of(*r1cs);
  }
  static NttDomain<F> domain_of(const ProvingKey<C>& key) {
    require(key.layout == QueryLayout::per_wire || !key.has_matrices(),
            "filtered queries want the constraint system");
    NttDomain<F> domain;
    domain.log_n = key.log_domain;
    domain.root = key.domain_generator;
    return domain;
  }
};

/// One proof on its way: what its stages hand to each other. Wiped when it dies.
template <Curve C, Backend B>
struct ProofJob {
  using F = typename C::Fr;
  using Integer = typename F::Integer;

  WitnessSource<F>* source = nullptr;
  const Blinding<F>* blinding = nullptr;
  std::span<const Integer> z;
  Evaluations<F, B> evaluations;
  Scratch<Integer, B> h;
  QuerySums<C> sums{};
  Proof<C> proof{};

  ProofJob() = default;
  ProofJob(const ProofJob&) = delete;
  ProofJob& operator=(const ProofJob&) = delete;
  ~ProofJob() { secure_wipe(sums); }  // with r and s public they would give the witness away
};

}  // namespace detail

template <Curve C, Backend B, pipeline::PipelinePolicy P>
struct Prover<C, B, P>::Engine {
  using Key = detail::PreparedProvingKey<C>;
  using Job = detail::ProofJob<C, B>;
  using StageId = pipeline::StageId;
  using QuotientStage = typename P::Staging::template QuotientStage<F, B>;

  Engine(B backend_, const ProvingKey<C>& key_, const Options& options_)
      : backend(std::move(backend_)),
        options(options_),
        key(key_, options_.r1cs),
        graph(pipeline::make_groth16_graph(shape())),
        memory(backend),
        pools(options_.limits) {
    const std::size_t flight = std::max<std::size_t>(1, options.limits.proofs_in_flight);
    const std::size_t peak = P::Staging::plan(graph, flight, options.limits).peak_bytes;
    if (options.limits.memory_bytes != 0 && peak > options.limits.memory_bytes) {
      throw ResourceExhausted("prover: " + std::to_string(flight) + " proofs in flight take " +
                              std::to_string(peak) + " bytes of scratch memory, " +
                              std::to_string(options.limits.memory_bytes) + " are allowed");
    }
  }

  /// The key's sizes, with the workspaces of this backend's sums.
  [[nodiscard]] pipeline::CircuitShape shape() const {
    pipeline::CircuitShape made = key.shape();
    const auto workspace = [&]<class G>(std::size_t points) {
      return Msm<G, B>::plan(points, backend.properties()).workspace_bytes();
    };
    using G1 = typename C::G1;
    made.h_workspace = workspace.template operator()<G1>(made.h_points);
    made.l_workspace = workspace.template operator()<G1>(made.num_auxiliary);
    made.a_workspace = workspace.template operator()<G1>(made.a_points);
    made.b_g1_workspace = workspace.template operator()<G1>(made.b_points);
    made.b_g2_workspace = workspace.template operator()<typename C::G2>(made.b_points);
    return made;
  }

  std::vector<Proof<C>> prove(std::span<WitnessSource<F>* const> sources,
                              const ProveOptions<C>& how) {
    const auto& limits = options.limits;
    const pipeline::RunControl control{how.cancel, how.observer};
    std::vector<Proof<C>> proofs;
    for (const pipeline::ProofBatch& batch : P::Flow::batches(sources.size(), limits)) {
      std::vector<Job> jobs(batch.count);
      for (std::size_t i = 0; i < batch.count; ++i) {
        jobs[i].source = sources[batch.first + i];
        jobs[i].blinding = how.insecure_blinding;
      }
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
    auto queue = backend.make_queue();
    StageContext<B> at{backend, queue, memory};
    const ProvingKey<C>& k = key.key;
    const WireSet* a_wires = key.density ? &key.density->a : nullptr;
    const WireSet* b_wires = key.density ? &key.density->b : nullptr;
    using SumG1 = QuerySum<typename C::G1, B>;
    using SumG2 = QuerySum<typename C::G2, B>;
    switch (stage) {
      case StageId::synthesize: return synthesize(job);
      case StageId::evaluate:
        job.evaluations = Evaluate<F, B>{key.rows, k.domain_size()}(at, job.z);
        return;
      case StageId::quotient:
        job.h = QuotientStage{&key.twiddles, key.coset_shift, key.form}(
            at, {job.evaluations.a.span(), job.evaluations.b.span()});
        job.evaluations = {};
        return;
      case StageId::msm_h:
        job.sums.h = SumG1{k.h}(at, job.h.span());
        job.h = {};
        return;
      case StageId::msm_l: job.sums.l = SumG1{k.l}(at, job.z.subspan(k.num_public() + 1)); return;
      case StageId::msm_a: job.sums.a = SumG1{k.a, a_wires}(at, job.z); return;
      case StageId::msm_b_g1: job.sums.b_g1 = SumG1{k.b_g1, b_wires}(at, job.z); return;
      case StageId::msm_b_g2: job.sums.b_g2 = SumG2{k.b_g2, b_wires}(at, job.z); return;
      case StageId::assemble: return assemble(at, job);
      case StageId::self_check: return self_check(job);
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
    for (std::size_t i = 0; i < job.z.size(); ++i) {
      if (!F::is_canonical(job.z[i])) {
        throw InvalidArgument("witness: value " + std::to_string(i) +
                              " is not below the order of the curve");
      }
    }
  }

  void assemble(StageContext<B>& at, Job& job) const {
    if (job.blinding != nullptr) {
      job.proof = Assemble<C, B>{&key.key, job.blinding}(at, job.sums);
      return;
    }
    RealEnv env;
    EnvEntropy<RealEnv> kernel(env);
    EntropySource& source = options.entropy != nullptr ? *options.entropy : kernel;
    const auto blinding = [&] {  // the caller's source is asked by one proof at a time
      const std::scoped_lock one_at_a_time(entropy_mutex);
      return Blinding<F>::draw(source);
    }();
    job.proof = Assemble<C, B>{&key.key, &blinding}(at, job.sums);
  }

  /// @throws SelfCheckFailed, or WitnessUnsatisfied where the constraints tell that it is the
  ///   witness
  void self_check(Job& job) const {
    const auto publics = job.z.subspan(1, key.key.num_public());
    if (points_are_valid(job.proof) && verify<C>(key.verifying_key, publics, job.proof)) return;
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
  Key key;
  pipeline::ProofGraph graph;
  typename P::Memory::template Source<B> memory;
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
