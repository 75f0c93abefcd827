// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// A policy with a part of our own: two jobs of three proofs each take turns.
#include <cstdio>
#include <mutex>
#include <string>
#include <vector>

#include <zkgpu/core/env.hpp>
#include <zkgpu/prover/circuit/number.hpp>
#include <zkgpu/prover/groth16/generate.hpp>
#include <zkgpu/prover/pipeline/fingerprint.hpp>
#include <zkgpu/prover/prover_impl.hpp>
#include <zkgpu/prover/r1cs/builder.hpp>

#include "in_turns.hpp"

namespace example {

using Curve = zkgpu::Bls12_381;
using Fr = Curve::Fr;
namespace pipeline = zkgpu::pipeline;

/// Five parts; four are the library's, and of the flow five values of six.
struct fair {
  using ThreadPools = pipeline::shared_pool;
  using LockModel = pipeline::no_lock;
  using Staging = pipeline::overlapped;
  using Memory =
      pipeline::memory<pipeline::resident_host, pipeline::cached, pipeline::recycle, true>;
  using Flow = pipeline::flow<pipeline::unit::partition, in_turns, pipeline::admission::credits,
                              pipeline::batching::continuous, pipeline::throttle::none,
                              pipeline::grain::per_gadget>;
};
static_assert(pipeline::PipelinePolicy<fair>);

struct Square {
  Fr x;

  template <zkgpu::ConstraintSystem CS>
  void synthesize(CS& cs) const {
    const zkgpu::Variable secret = cs.allocate([&] { return x; });
    zkgpu::make_public(cs, zkgpu::LinearCombination<Fr>(zkgpu::multiply(cs, secret, secret)));
  }
};

/// In which order proofs are begun.
class Order final : public pipeline::ProofObserver {
 public:
  void stage_began(std::size_t proof, pipeline::StageId stage) noexcept override {
    if (stage != pipeline::StageId::synthesize) return;
    const std::scoped_lock lock(mutex_);
    text += std::to_string(proof);
  }
  void stage_ended(const pipeline::StageRecord&) noexcept override {}
  std::string text;

 private:
  std::mutex mutex_;
};

bool prove_in_turns() {
  zkgpu::RealEnv env;
  zkgpu::EnvEntropy<zkgpu::RealEnv> entropy(env);
  const auto r1cs = zkgpu::synthesize_r1cs<Fr>(Square{});
  const auto key = zkgpu::setup<Curve>(r1cs, entropy, zkgpu::KeyForm::snarkjs);

  const Square circuit{Fr(3)};
  zkgpu::CircuitWitness<Fr, Square> sources[6] = {
      zkgpu::CircuitWitness<Fr, Square>(circuit), zkgpu::CircuitWitness<Fr, Square>(circuit),
      zkgpu::CircuitWitness<Fr, Square>(circuit), zkgpu::CircuitWitness<Fr, Square>(circuit),
      zkgpu::CircuitWitness<Fr, Square>(circuit), zkgpu::CircuitWitness<Fr, Square>(circuit)};
  std::vector<zkgpu::ProofRequest<Fr>> requests;
  for (std::size_t i = 0; i < 6; ++i) requests.push_back({.source = &sources[i], .job = i / 3});

  zkgpu::Prover<Curve, zkgpu::Cpu<>, fair> prover(zkgpu::Cpu<>{}, key);
  Order order;
  for (const auto& result : prover.prove_each(requests, {.observer = &order})) {
    static_cast<void>(result.value());  // verified; throws what the proof failed with
  }
  std::printf("%s\nbegun in the order %s\n", pipeline::fingerprint<fair>().c_str(),
              order.text.c_str());
  return order.text == "031425";
}

}  // namespace example

int main() {
  try {
    return example::prove_in_turns() ? 0 : 1;
  } catch (const zkgpu::Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return static_cast<int>(error.kind());
  }
}
