// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/parallel_invoke.h>
#include <oneapi/tbb/parallel_reduce.h>
#include <oneapi/tbb/task_arena.h>

#include <algorithm>
#include <cstddef>
#include <deque>
#include <mutex>
#include <span>
#include <string>
#include <type_traits>
#include <utility>

#include <zkgpu/core/error.hpp>
#include <zkgpu/core/wipe.hpp>
#include <zkgpu/prover/engine_policy.hpp>
#include <zkgpu/prover/enqueued_proof_impl.hpp>
#include <zkgpu/prover/groth16/assemble.hpp>
#include <zkgpu/prover/groth16/stages/prepared_key.hpp>
#include <zkgpu/prover/groth16/stages/stages.hpp>
#include <zkgpu/prover/groth16/verify.hpp>
#include <zkgpu/prover/pipeline/memory/plan.hpp>
#include <zkgpu/prover/pipeline/queue_pool.hpp>
#include <zkgpu/prover/pipeline/runner.hpp>
#include <zkgpu/prover/proof_job_impl.hpp>
#include <zkgpu/prover/prover.hpp>
#include <zkgpu/prover/qap/quotient.hpp>
#include <zkgpu/prover/qap/reference.hpp>
#include <zkgpu/prover/r1cs/satisfied.hpp>

namespace zkgpu {

/// The stages of proofs with one key on one device: what a run executes. Knows no thread and no
/// lock.
template <Curve C, Backend B, class QuotientStage>
class ProofEngine final : public pipeline::StepExecutor, private ScratchPlan {
  using F = typename C::Fr;
  using Stages = ProofStages<C, B>;
  using StageId = pipeline::StageId;
  using Job = detail::ProofJob<C, B>;

 public:
  /// Arguments and errors are those of Prover.
  ProofEngine(B backend, const ProvingKey<C>& key, const ProverOptions<C>& options,
              const EnginePolicy& policy)
      : backend_(std::move(backend)),
        options_(options),
        policy_(policy),
        key_(key, options.r1cs, fitting_shape(options.shape, policy)),
        verifying_key_(key.vk),
        stages_(backend_, key_,
                {.b_g1 = options.insecure_blinding != nullptr,
                 .table_bytes = options.limits.table_bytes,
                 .scratch = this,
                 .upload = policy.upload,
                 .rows = rows_on_host() ? StagePlace::host : StagePlace::device,
                 .b_g2 = g2_on_host() ? StagePlace::host : StagePlace::device,
                 .key = policy.key,
                 .key_bytes = options.limits.table_bytes,
                 .sharers = policy.key_sharers}),
        graph_(graph_of(stages_.bytes())),
        queues_(backend_),
        results_(backend_) {
    std::size_t& allowed = options_.limits.memory_bytes;
    if constexpr (DeviceBackend<B>) {
      std::size_t free = backend_.free_bytes();
      free -= std::min(free, stages_.awaited_bytes());  // of the key, which come when it is used
      allowed = allowed == 0 ? free : std::min(allowed, free);
    }
    if (allowed != 0) allowed = std::max<std::size_t>(1, policy_.memory.planned_within(allowed));
    const std::size_t peak = planned_bytes(most_in_flight());
    if ((DeviceBackend<B> || allowed != 0) && peak > allowed) {
      throw ResourceExhausted("prover: " + std::to_string(most_in_flight()) +
                              " proofs in flight take " + std::to_string(peak) +
                              " bytes of scratch memory, " + std::to_string(allowed) +
                              " are allowed");
    }
  }

  [[nodiscard]] B& backend() noexcept { return backend_; }
  [[nodiscard]] const pipeline::ProofGraph& graph() const noexcept { return graph_; }
  /// With the memory that there is.
  [[nodiscard]] const pipeline::PipelineLimits& limits() const noexcept { return options_.limits; }
  [[nodiscard]] std::size_t most_in_flight() const noexcept {
    return std::max<std::size_t>(1, options_.limits.proofs_in_flight);
  }
  /// Scratch memory of so many proofs that have begun, of which some have a place on the device.
  [[nodiscard]] std::size_t planned_bytes(std::size_t proofs) const {
    return planned_bytes(graph_, proofs, options_.limits);
  }
  /// Scratch memory of the host for so many proofs.
  [[nodiscard]] std::size_t planned_host_bytes(std::size_t proofs) const {
    const StageBytes of_one = stages_.bytes();
    return (of_one.host_rows + of_one.host_b_g2) * std::min(proofs, most_in_flight());
  }
  /// Host memory of one proof that has begun: its witness, and what its stages take. What a source
  /// needs while it makes the witness is not known here.
  [[nodiscard]] std::size_t host_bytes_of_one() const {
    return key_.key.num_wires * sizeof(typename F::Integer) + planned_host_bytes(1);
  }

  /// Of the proofs that follow. @param memory, host_memory  must outlive them
  void begin(std::span<const ProofRequest<F>> requests, BufferSource<B>& memory,
             BufferSource<Cpu<>>& host_memory) {
    memory_ = &memory;
    host_memory_ = &host_memory;
    jobs_.clear();
    for (const ProofRequest<F>& request : requests) {
      if (request.source == nullptr) throw InvalidArgument("prover: a proof without a witness");
      jobs_.emplace_back().source = request.source;
    }
  }
  [[nodiscard]] const Proof<C>& proof(std::size_t number) const noexcept {
    return jobs_[number].proof;
  }

  void execute(std::size_t proof, StageId stage) override {
    const StackWipe wipe;
    with_typed_memory_errors("prover", [&] { run_stage(stage, jobs_[proof]); });
  }
  void leave_device(std::size_t proof) noexcept override { jobs_[proof].leave_device(); }
  void end(std::size_t proof) noexcept override { jobs_[proof].end(); }

 private:
  /// A shape has no matrices: on a device only a walk of the circuit gives rows without them.
  static const R1csShape* fitting_shape(const R1csShape* shape, const EnginePolicy& policy) {
    if (DeviceBackend<B> && shape != nullptr &&
        policy.places.rows != pipeline::RowsPlace::host_walk) {
      throw InvalidArgument(
          "prover: the policy evaluates the constraints' matrices, and a shape has none");
    }
    return shape;
  }
  [[nodiscard]] pipeline::ProofGraph graph_of(const StageBytes& bytes) const {
    const bool given_blinding = options_.insecure_blinding != nullptr;
    return pipeline::make_groth16_graph(detail::shape_of(key_, bytes, given_blinding),
                                        policy_.places);
  }
  [[nodiscard]] std::size_t planned_bytes(const pipeline::ProofGraph& graph, std::size_t proofs,
                                          const pipeline::PipelineLimits& limits) const {
    const std::size_t of_one = policy_.plan(graph, 1, limits).peak_bytes;
    return of_one * std::min({proofs, most_in_flight(), policy_.places_on_device(limits, of_one)});
  }
  /// While the key is loaded nobody knows how much memory will be left: whoever takes what there is
  /// wants it for one proof at least.
  [[nodiscard]] std::size_t bytes(const StageBytes& of_one) const override {
    pipeline::PipelineLimits limits = options_.limits;
    if constexpr (DeviceBackend<B>) {
      limits.memory_bytes = std::min(limits.memory_bytes, backend_.free_bytes() / 2);
    }
    limits.memory_bytes = std::max<std::size_t>(1, limits.memory_bytes);
    return policy_.memory.footprint(planned_bytes(graph_of(of_one), most_in_flight(), limits));
  }

  /// In a frame of its own, which is wiped when it has returned.
  [[gnu::noinline]] void run_stage(StageId stage, Job& job) {
    if (stage == StageId::synthesize) return synthesize_as_told(job);
    if (stage == StageId::self_check) return self_check(job);
    if constexpr (DeviceBackend<B>) {
      if (stage == StageId::msm_b_g2 && g2_on_host()) {
        job.sums.b_g2 = stages_.sum_b_g2_on_host(*host_memory_, job.z);
        if (policy_.one_wait && stage == graph_.last_on_device()) wait_for_sums(job);
        return;
      }
      if (policy_.one_wait && stage != StageId::assemble) return enqueue_stage(stage, job);
    }
    typename pipeline::QueuePool<B>::Lease lease(queues_);
    StageContext<B> at{backend_, lease.queue(), *memory_};
    switch (stage) {
      case StageId::synthesize:
      case StageId::self_check: return;
      case StageId::upload: return upload(at, job);
      case StageId::evaluate: return evaluate(at, job);
      case StageId::quotient:
        job.h = stages_.template quotient<QuotientStage>(at, job.evaluations);
        if (!policy_.places.keeps_rows) job.evaluations = {};
        return;
      case StageId::msm_h:
        job.sums.h = stages_.sum_h(at, job.h);
        job.h = {};
        return;
      case StageId::msm_l: job.sums.l = stages_.sum_l(at, job.witness); return;
      case StageId::msm_a: job.sums.a = stages_.sum_a(at, job.witness); return;
      case StageId::msm_b_g1: job.sums.b_g1 = stages_.sum_b_g1(at, job.witness); return;
      case StageId::msm_b_g2: job.sums.b_g2 = stages_.sum_b_g2(at, job.witness); return;
      case StageId::assemble: return assemble(at, job);
    }
  }

  /// As `run_stage`, but the device's work is waited for once, in the last stage of the graph that
  /// is the device's. Until then everything stays as it is.
  void enqueue_stage(StageId stage, Job& job) {
    if (!job.enqueued) job.enqueued.emplace(backend_, queues_, results_, *memory_);
    detail::enqueue_stage<QuotientStage>(stage, job, stages_, rows_on_host());
    if (stage == graph_.last_on_device()) wait_for_sums(job);
  }
  void wait_for_sums(Job& job) const { job.enqueued->wait(job.sums, !g2_on_host()); }

  [[nodiscard]] bool rows_on_host() const noexcept {
    return policy_.places.rows != pipeline::RowsPlace::device;
  }
  [[nodiscard]] bool g2_on_host() const noexcept {
    return policy_.places.g2 != pipeline::G2Place::device;
  }

  void upload(StageContext<B>& at, Job& job) {
    job.witness = stages_.upload(at, job.z);
    if constexpr (DeviceBackend<B>) {
      if (host_reads_witness()) return;  // and has checked it
      const std::size_t told = stages_.first_not_canonical(at, job.witness);
      if (told == job.z.size()) return;
      check_canonical(job.z, first_not_canonical(job.z));
      throw SelfCheckFailed("prover: value " + std::to_string(told) +
                            " of the witness is below the order of the curve, but not as it came " +
                            "to the device: the machine made a mistake");
    }
  }
  void evaluate(StageContext<B>& at, Job& job) {
    if constexpr (DeviceBackend<B>) {
      if (rows_on_host()) {
        job.evaluations = stages_.upload_rows(at, job.host_rows);
        job.host_rows = {};
        return;
      }
    }
    if constexpr (!DeviceBackend<B>) {
      if (!key_.rows.has_matrices()) return take_rows(at, job);
    }
    job.evaluations = stages_.evaluate(at, job.witness);
  }
  /// From whoever made the witness; then those of the public values.
  void take_rows(StageContext<B>& at, Job& job) {
    const DomainRows<F>& rows = key_.rows;
    job.evaluations = {at.template scratch<F>(key_.key.domain_size()),
                       at.template scratch<F>(key_.key.domain_size())};
    const std::span<F> a = job.evaluations.a.span();
    const std::span<F> b = job.evaluations.b.span();
    const std::size_t made =
        job.source->make_rows(a.first(rows.constraints), b.first(rows.constraints));
    if (made != rows.constraints) {
      throw InvalidArgument("circuit: it has " + std::to_string(made) + " constraints, the shape " +
                            std::to_string(rows.constraints));
    }
    rows.append_inputs(job.z, a, b);
  }

  void synthesize_as_told(Job& job) {
    const auto make = [&] {
      if (policy_.places.rows == pipeline::RowsPlace::host_walk) return walk(job);
      job.z = job.source->make();
      check_form(job.z);
      if constexpr (DeviceBackend<B>) {
        if (rows_on_host()) job.host_rows = stages_.rows_on_host(*host_memory_, job.z);
      }
    };
    if (policy_.spreads_witness) return make();
    oneapi::tbb::task_arena alone(1);
    alone.execute(make);
  }
  /// The witness and the rows of its constraints from one walk; then those of the public values.
  void walk(Job& job) {
    if constexpr (DeviceBackend<B>) {
      const std::size_t size = key_.key.domain_size();
      job.host_rows = {Scratch<F, Cpu<>>(*host_memory_, size),
                       Scratch<F, Cpu<>>(*host_memory_, size)};
      const std::span<F> a = job.host_rows.a.span();
      const std::span<F> b = job.host_rows.b.span();
      const std::size_t inputs = key_.key.num_public() + 1;
      if (key_.rows.size() < inputs) {
        throw InvalidArgument("prover: the key has fewer rows than public values");
      }
      const std::size_t room = key_.rows.size() - inputs;
      const std::size_t constraints = job.source->make_with_rows(a.first(room), b.first(room));
      std::size_t expected = constraints;
      if (key_.r1cs != nullptr) expected = key_.r1cs->a.rows();
      if (!key_.rows.has_matrices()) expected = key_.rows.constraints;
      if (constraints > room || constraints != expected) {
        throw InvalidArgument("circuit: it has " + std::to_string(constraints) +
                              " constraints, the key's " +
                              std::to_string(std::min(room, expected)));
      }
      job.z = job.source->values();
      check_form(job.z);
      std::fill(a.begin() + static_cast<std::ptrdiff_t>(constraints), a.end(), F::zero());
      std::fill(b.begin() + static_cast<std::ptrdiff_t>(constraints), b.end(), F::zero());
      for (std::size_t wire = 0; wire < inputs; ++wire) {
        a[constraints + wire] = F::from_integer(job.z[wire]);
      }
    }
  }
  /// Does any stage that computes read it on the host, or nobody wait for what the device tells?
  [[nodiscard]] bool host_reads_witness() const noexcept {
    return !DeviceBackend<B> || policy_.one_wait || rows_on_host() || g2_on_host();
  }
  /// Length, the constant one, canonical values; the last where the device does not tell.
  void check_form(std::span<const typename F::Integer> z) const {
    if (z.size() != key_.key.num_wires) {
      throw InvalidArgument("witness: the key has " + std::to_string(key_.key.num_wires) +
                            " wires, the witness " + std::to_string(z.size()) + " values");
    }
    if (!(z[0] == F::Integer::from_uint64(1))) {
      throw InvalidArgument("witness: value 0 is not one");
    }
    if (host_reads_witness()) check_canonical(z, first_not_canonical(z));
  }
  /// @param bad  the place of the first value that is not canonical, or the number of values
  static void check_canonical(std::span<const typename F::Integer> z, std::size_t bad) {
    if (bad != z.size()) {
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

  /// Secret work that leaves nothing on the stack of whichever thread does it.
  template <class Work>
  static void without_trace(const Work& work) {
    const StackWipe wipe;
    [&]() __attribute__((noinline)) { work(); }
    ();
  }
  void assemble(StageContext<B>& at, Job& job) const {
    if (options_.insecure_blinding != nullptr) {
      job.proof = Assemble<C, B>{&key_.key, options_.insecure_blinding}(at, job.sums);
      return;
    }
    RealEnv env;
    EnvEntropy<RealEnv> kernel(env);
    EntropySource& source = options_.entropy != nullptr ? *options_.entropy : kernel;
    const auto masking = [&] {  // the caller's source is asked by one proof at a time
      const std::scoped_lock one_at_a_time(entropy_mutex_);
      return Masking<F>(source);
    }();
    job.proof = Mask<C, B>{&key_.key, &masking}(at, job.sums, [](const auto& f, const auto& g) {
      oneapi::tbb::parallel_invoke([&] { without_trace(f); }, [&] { without_trace(g); });
    });
  }

  /// @throws SelfCheckFailed, or WitnessUnsatisfied where the constraints tell that it is the
  ///   witness
  void self_check(Job& job) const {
    const auto publics = job.z.subspan(1, key_.key.num_public());
    bool points = false;
    bool equation = false;
    oneapi::tbb::parallel_invoke([&] { points = points_are_valid(job.proof); },
                                 [&] { equation = verify<C>(verifying_key_, publics, job.proof); });
    if (points && equation) return;
    if (key_.r1cs == nullptr) {
      throw SelfCheckFailed(
          "prover: the proof does not verify: the witness does not satisfy the circuit, or the key "
          "belongs to another one");
    }
    if (const auto violation = first_violation<F>(*key_.r1cs, job.z)) {
      throw WitnessUnsatisfied("witness: constraint " + std::to_string(violation->constraint) +
                               " is not satisfied");
    }
    throw SelfCheckFailed(
        "prover: the proof does not verify though the witness satisfies the constraints: the key "
        "belongs to another circuit, or the machine made a mistake");
  }

  B backend_;
  ProverOptions<C> options_;
  EnginePolicy policy_;
  PreparedProvingKey<C> key_;
  PreparedVerifyingKey<C> verifying_key_;
  Stages stages_;
  pipeline::ProofGraph graph_;
  pipeline::QueuePool<B> queues_;
  typename decltype(detail::results_of<C, B>())::type results_;
  BufferSource<B>* memory_ = nullptr;
  BufferSource<Cpu<>>* host_memory_ = nullptr;
  std::deque<Job> jobs_;
  mutable std::mutex entropy_mutex_;
};

}  // namespace zkgpu
