// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstddef>
#include <cstdint>

#include <zkgpu/prover/groth16/stages/key_place.hpp>

namespace zkgpu {

/// How a witness, or rows that the host made, go to a device.
enum class UploadWay : std::uint8_t {
  pageable,     ///< the driver copies them as they are, through memory of its own that nobody wipes
  registered,   ///< their pages are page-locked in place for the copy, and let go after it
  pinned_ring,  ///< through pieces of pinned memory that stay, filled and wiped by the prover
};

/// Where a stage works that both sides can do.
enum class StagePlace : std::uint8_t { device, host };

/// Scratch memory of one proof's stages that its key's sizes alone do not tell.
struct StageBytes {
  std::size_t witness = 0;  ///< until the proof is assembled
  std::size_t upload = 0;
  std::size_t quotient = 0;
  std::size_t h = 0, l = 0, a = 0, b_g1 = 0, b_g2 = 0;  ///< of the sums, and of points they load

  // In the host's memory, where a device's key is used so.
  std::size_t host_rows = 0;  ///< a and b, until they are uploaded
  std::size_t host_b_g2 = 0;  ///< while the sum runs
};

/// How much scratch memory all proofs in flight take together.
class ScratchPlan {
 public:
  ScratchPlan() = default;
  ScratchPlan(const ScratchPlan&) = delete;
  ScratchPlan& operator=(const ScratchPlan&) = delete;
  /// @param of_one  what the stages of one proof take
  [[nodiscard]] virtual std::size_t bytes(const StageBytes& of_one) const = 0;

 protected:
  ~ScratchPlan() = default;
};

/// What proofs will ask of a key's stages. What is said of a device, the CPU leaves alone.
struct KeyUse {
  bool b_g1 = false;  ///< the sum that only given r and s need
  /// On a device, most bytes for points and their multiples; 0: half of what is free, or less where
  /// proofs need more. The points alone are kept in any case.
  std::size_t table_bytes = 0;
  const ScratchPlan* scratch = nullptr;  ///< asked while the stages are made; not null

  UploadWay upload = UploadWay::pinned_ring;
  StagePlace rows = StagePlace::device;  ///< host: the device gets a and b, and no matrices
  StagePlace b_g2 = StagePlace::device;  ///< host: the device has no points of G2
  KeyPlace key = KeyPlace::resident_device;
  /// For `budgeted_lru` and `split_resident`, most bytes of the device for points with their
  /// multiples; 0: half of what is free, or less where proofs need more.
  std::size_t key_bytes = 0;
  /// Where points are brought for a sum, for so many proofs' sums if there is room; 1: each brings
  /// its own. For `load_per_proof`, `resident_host` and `split_resident`.
  std::size_t sharers = 1;
};

}  // namespace zkgpu
