// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <zkgpu/prover/pipeline/lock_model/device_lock.hpp>

namespace zkgpu::pipeline {

/// Lock policy: as device_lock, but a proof makes room on the device when its last kernel is done
/// and not when it is assembled and checked. Phase 12: a start and a finalise.
class split_lock : public device_lock {
 public:
  static constexpr bool until_assembled = false;
  using device_lock::device_lock;
};

}  // namespace zkgpu::pipeline
