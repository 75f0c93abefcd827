// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstddef>
#include <memory>

#include <zkgpu/prover/porep/vanilla_proof.hpp>
#include <zkgpu/prover/prover.hpp>
#include <zkgpu/prover/r1cs/r1cs.hpp>

/// The circuit of a partition: as matrices, and as a source of witnesses and their rows.
namespace zkgpu::cli {

/// @cost 2 KiB: 15 million entries, 540 MB
[[nodiscard]] R1cs<porep::Fr> porep_r1cs(const porep::SectorShape& shape);

/// The witness of one partition, made when a proof asks for it.
/// @param shape, output  outlive it
[[nodiscard]] std::unique_ptr<WitnessSource<porep::Fr>> porep_witness(
    const porep::SectorShape& shape, const porep::Phase1Output& output, std::size_t partition);

}  // namespace zkgpu::cli
