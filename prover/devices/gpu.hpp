// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include <zkgpu/prover/prover.hpp>

#include "files/keys.hpp"
#include "session/session.hpp"

/// Proofs on a GPU. A program built without CUDA has gpu_none.cpp instead of gpu_cuda.cpp.
namespace zkgpu::cli {

/// Proofs with one key, as the library is asked for them.
struct ProofJob {
  const ProvingKey<Curve>& key;
  std::span<const ProofRequest<Curve::Fr>> requests;
  const ProverOptions<Curve>& options;
  const zkgpu::ProveOptions<Curve>& call;
  std::function<void()> begin;  ///< called when the key is loaded and the proofs begin
};

/// Is there a GPU that a proof over a domain of that size is better made on? Loading a key there
/// takes longer than a small proof.
[[nodiscard]] bool gpu_is_worthwhile(std::size_t domain_size) noexcept;

/// Is a GPU called so? Asked before any work.
/// @param device  its number, name or UUID
/// @throws InvalidArgument if no GPU is called so; DeviceError if there is none
void expect_gpu(const std::string& device);

/// One result a request.
/// @param device  a GPU's number, name or UUID; "auto": the first one
/// @throws InvalidArgument if no GPU is called so; DeviceError if there is none or it fails;
///         ResourceExhausted if key and proofs do not fit its memory; as Prover::prove_each
[[nodiscard]] std::vector<ProofResult<Curve>> prove_on_gpu(Session& session,
                                                           const std::string& device,
                                                           const ProofJob& job);

}  // namespace zkgpu::cli
