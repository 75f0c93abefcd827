// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <exception>
#include <memory>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include <zkgpu/prover/pipeline/memory/over_time.hpp>
#include <zkgpu/prover/pipeline/stream.hpp>
#include <zkgpu/prover/proof_engine_impl.hpp>

namespace zkgpu {

template <Curve C, Backend B, pipeline::PipelinePolicy P>
struct Prover<C, B, P>::Engine {
  using QuotientStage = typename P::Staging::template QuotientStage<F, B>;
  using Core = ProofEngine<C, B, QuotientStage>;

  Engine(B backend, const ProvingKey<C>& key, const Options& options)
      : core(std::move(backend), key, options, EnginePolicy::of<B, P>()),
        memory(core.backend(), core.planned_bytes(core.most_in_flight())),
        host_memory(host, core.planned_host_bytes(core.most_in_flight())),
        pools(options.limits),
        locks(core.limits()) {}

  pipeline::StreamEnd run(std::span<const ProofRequest<F>> requests, const ProveOptions<C>& how,
                          bool stop_at_failure) {
    std::vector<pipeline::ProofTag> tags;
    std::vector<const pipeline::CancellationToken*> cancels;
    std::size_t job = 0;  // the older request's job is the older one, whatever its number
    for (const ProofRequest<F>& request : requests) {
      const std::size_t number = tags.size();
      const bool same_job = number != 0 && requests[number - 1].job == request.job;
      if (number != 0 && !same_job) ++job;
      tags.push_back({.number = number,
                      .job = job,
                      .partition = same_job ? tags.back().partition + 1 : 0,
                      .priority = request.priority,
                      .deadline = request.deadline});
      cancels.push_back(request.cancel);
    }
    core.begin(requests, memory, host_memory);
    const pipeline::RunControl control{how.cancel, how.observer};
    const pipeline::StreamPlan plan{.graph = core.graph(),
                                    .limits = core.limits(),
                                    .plan = &pipeline::plan_of<P>,
                                    .host_bytes_of_one = core.host_bytes_of_one(),
                                    .stop_at_failure = stop_at_failure};
    pipeline::StreamRun<typename P::ThreadPools, typename P::LockModel, typename P::Flow> stream(
        plan, tags, cancels, pools, locks, core, control);
    return with_secrets_gone(stream());
  }

  /// What proofs gave back is wiped when their call returns. If the device could not, nobody has
  /// asked for memory since to be told: that ends the last proof then.
  pipeline::StreamEnd with_secrets_gone(pipeline::StreamEnd end) {
    const std::exception_ptr failed = memory.settle();
    if (!failed) return end;
    if (!end.first) end.first = failed;
    if (!end.failures.empty() && !end.failures.back()) end.failures.back() = failed;
    return end;
  }

  Core core;
  typename P::Memory::template Source<B> memory;
  Cpu<> host;
  typename P::Memory::template Source<Cpu<>> host_memory;
  typename P::ThreadPools pools;
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
  return with_typed_memory_errors("prover", [&] {
    std::vector<ProofRequest<F>> requests;
    for (WitnessSource<F>* source : sources) {
      requests.push_back({.source = source, .job = requests.size()});
    }
    const pipeline::StreamEnd end = engine_->run(requests, options, true);
    if (end.first) std::rethrow_exception(end.first);
    std::vector<Proof<C>> proofs;
    for (std::size_t i = 0; i < requests.size(); ++i) proofs.push_back(engine_->core.proof(i));
    return proofs;
  });
}

template <Curve C, Backend B, pipeline::PipelinePolicy P>
std::vector<ProofResult<C>> Prover<C, B, P>::prove_each(std::span<const ProofRequest<F>> requests,
                                                        const ProveOptions<C>& options) {
  return with_typed_memory_errors("prover", [&] {
    const pipeline::StreamEnd end = engine_->run(requests, options, false);
    std::vector<ProofResult<C>> results;
    for (std::size_t i = 0; i < requests.size(); ++i) {
      if (end.failures[i]) {
        results.emplace_back(end.failures[i]);
      } else {
        results.emplace_back(engine_->core.proof(i));
      }
    }
    return results;
  });
}

template <Curve C, Backend B, pipeline::PipelinePolicy P>
pipeline::Schedule Prover<C, B, P>::plan(std::size_t proofs) const {
  const auto& core = engine_->core;
  pipeline::Schedule schedule = pipeline::plan_of<P>(core.graph(), proofs, core.limits());
  schedule.peak_bytes = core.planned_bytes(proofs);
  const std::size_t on_device =
      schedule.peak_bytes / std::max<std::size_t>(1, core.planned_bytes(1));
  schedule.bytes =
      pipeline::bytes_over_time(core.graph(), pipeline::plan_of<P>(core.graph(), 1, core.limits()),
                                schedule, std::max<std::size_t>(1, on_device),
                                std::max<std::size_t>(1, std::min(proofs, core.most_in_flight())));
  if constexpr (requires { requires P::Memory::one_block; }) {  // which is there from the first on
    for (pipeline::StepBytes& lent : schedule.bytes) lent.device = schedule.peak_bytes;
  }
  return schedule;
}

template <Curve C, Backend B, pipeline::PipelinePolicy P>
std::size_t Prover<C, B, P>::peak_scratch_bytes() const noexcept {
  return engine_->memory.account().peak_bytes();
}

template <Curve C, Backend B, pipeline::PipelinePolicy P>
std::size_t Prover<C, B, P>::scratch_bytes_in_use() const noexcept {
  return engine_->memory.account().in_use_bytes();
}

template <Curve C, Backend B, pipeline::PipelinePolicy P>
std::size_t Prover<C, B, P>::host_scratch_bytes_in_use() const noexcept {
  return engine_->host_memory.account().in_use_bytes();
}

}  // namespace zkgpu
