// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// key_stream::shared_by<k>: points that one proof has brought serve up to k proofs.
#include <catch2/catch.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include <zkgpu/prover/groth16/stages/fake.hpp>
#include <zkgpu/prover/prover_impl.hpp>

#include "policies.hpp"
#include "prover/pipeline/device_instance.hpp"

using namespace zkgpu;  // NOLINT
using Bls = Bls12_381;
using Fr = Bls::Fr;
using Instance = test::ProverInstance;
namespace p = pipeline;

namespace {

std::size_t point_bytes(const ProvingKey<Bls>& key) {
  const std::size_t in_g1 = key.a.size() + key.l.size() + key.h.size() + key.b_g1.size();
  return in_g1 * sizeof(Bls::G1::Affine) + key.b_g2.size() * sizeof(Bls::G2::Affine);
}

/// What so many proofs, four at a time, upload.
template <class Policy>
std::size_t uploads(const Instance& instance, std::size_t proofs,
                    const FakeDeviceOptions& described = {}) {
  const FakeDevice device(described);
  std::uint64_t uploaded = 0;
  {
    ProverOptions<Bls> made = instance.options();
    made.limits.proofs_in_flight = 4;
    Prover<Bls, FakeDevice, Policy> prover(device, instance.key, made);
    GivenWitness<Fr> given(instance.witness);
    const std::vector<ProofRequest<Fr>> requests(proofs, {.source = &given});
    uploaded = device.counters().upload_bytes;
    for (const auto& result : prover.prove_each(requests)) {
      CHECK(result.value() == instance.expected);
    }
    uploaded = device.counters().upload_bytes - uploaded;
    CHECK(prover.peak_scratch_bytes() <= prover.plan(proofs).peak_bytes);
    CHECK(prover.scratch_bytes_in_use() == 0);
  }
  CHECK(device.counters().bytes_in_use == 0);
  CHECK(device.counters().misuses == 0);
  return uploaded;
}

template <std::size_t k>
using shared_by = p::key_stream::shared_by<k>;

}  // namespace

TEMPLATE_TEST_CASE("a key that k proofs share goes up once for k of them", "[pipeline]",
                   p::load_per_proof, p::resident_host) {
  using Alone = test::bringing<p::key_stream::per_circuit, TestType>;
  for (const KeyForm form : {KeyForm::snarkjs, KeyForm::bellman}) {
    const Instance instance(40, form);
    const std::size_t key = point_bytes(instance.key);
    for (const std::size_t proofs : {4U, 8U}) {
      INFO(proofs << " proofs");
      const std::size_t alone = uploads<Alone>(instance, proofs);
      const std::size_t witnesses = proofs * instance.key.num_wires * sizeof(Fr);
      CHECK(alone == witnesses + proofs * key);
      CHECK(uploads<test::bringing<shared_by<4>, TestType>>(instance, proofs) ==
            witnesses + proofs / 4 * key);
      CHECK(uploads<test::bringing<shared_by<2>, TestType>>(instance, proofs) ==
            witnesses + proofs / 2 * key);
    }
  }
}

TEMPLATE_TEST_CASE("proofs side by side share no more than there is room for, and are good",
                   "[pipeline][edge][thread]", p::load_per_proof, p::resident_host,
                   p::split_resident) {
  const Instance instance(300);
  using Shared = test::bringing<shared_by<3>, TestType, p::shared_pool, p::sync::deferred>;
  using Alone =
      test::bringing<p::key_stream::per_circuit, TestType, p::shared_pool, p::sync::deferred>;
  CHECK(uploads<Shared>(instance, 6) <= uploads<Alone>(instance, 6));
  // From what is too little up: at first nothing can be shared, then something.
  std::size_t refused = 0, made = 0;
  for (std::size_t bytes = 50000; made < 5; bytes += bytes / 3) {
    INFO("device of " << bytes);
    FakeDeviceOptions described;
    described.memory_bytes = bytes;
    std::size_t alone = 0;
    try {
      alone = uploads<Alone>(instance, 6, described);
    } catch (const ResourceExhausted&) {
      CHECK(made == 0);
    }
    std::size_t shared = 0;
    try {
      shared = uploads<Shared>(instance, 6, described);
    } catch (const ResourceExhausted&) {
      CHECK(alone == 0);  // it never takes more than those that share nothing
      ++refused;
    }
    if (alone == 0) continue;
    CHECK(shared <= alone);
    ++made;
  }
  CHECK(refused > 0);
}
