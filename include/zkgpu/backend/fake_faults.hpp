// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

namespace zkgpu {

/// What a FakeDevice is asked to do.
enum class FakeKind : int {
  allocate,
  allocate_pinned,
  make_queue,
  upload,
  download,
  copy_within,
  fill,
  launch,
  record,
  wait_for,
  register_host,
  wipe,
};
inline constexpr std::size_t fake_kinds = 12;

/// The name of a kind as messages write it.
constexpr std::string_view to_string(FakeKind kind) noexcept {
  switch (kind) {
    case FakeKind::allocate: return "allocate";
    case FakeKind::allocate_pinned: return "allocate_pinned";
    case FakeKind::make_queue: return "make_queue";
    case FakeKind::upload: return "upload";
    case FakeKind::download: return "download";
    case FakeKind::copy_within: return "copy_within";
    case FakeKind::fill: return "fill";
    case FakeKind::launch: return "launch";
    case FakeKind::record: return "record";
    case FakeKind::wait_for: return "wait_for";
    case FakeKind::register_host: return "register_host";
    case FakeKind::wipe: return "wipe";
  }
  return "unknown";
}

/// One operation of a FakeDevice. Operations are numbered when they are asked for, from 0, since
/// the faults of the device were set; those that do nothing (no elements) are none.
struct FakeOperation {
  FakeKind kind = FakeKind::allocate;
  std::string_view name;    ///< of a launch: what `submit` was told
  std::size_t bytes = 0;    ///< wanted, copied or filled
  std::uint64_t order = 0;  ///< among all operations
  std::uint64_t index = 0;  ///< among those of its kind
  std::uint64_t queue = 0;  ///< from 1 in the order they were made; 0: an operation of the device
};

/// How an operation goes wrong.
enum class FakeEffect : int {
  fail_call,   ///< the call throws, nothing is enqueued, and the queue is as good as before
  fail_queue,  ///< it fails when its turn comes, and so does all that follows: a sticky error
  corrupt,     ///< one bit of what it writes is wrong, and nobody is told
};

/// One planned fault. Allocations fail with ResourceExhausted, all others with DeviceError.
/// What has no turn in a queue (allocations, make_queue, wipe) fails in its call under `fail_queue`
/// too; what writes nothing that the device knows of is left alone by `corrupt`.
struct FakeFault {
  std::optional<FakeKind> kind;  ///< none: any, and `index` counts them all
  std::uint64_t index = 0;       ///< which one, from 0
  FakeEffect effect = FakeEffect::fail_queue;
};

/// What goes wrong on a FakeDevice. Sweep: run once without faults, take `counters().operations`,
/// then run with a fault at each.
struct FakeFaults {
  std::vector<FakeFault> planned;

  double probability = 0;               ///< that an operation fails besides, in [0, 1]
  std::optional<FakeKind> random_kind;  ///< that this concerns; none: all
  FakeEffect random_effect = FakeEffect::fail_queue;
  std::uint64_t seed = 0;  ///< with an operation's kind and index it decides: no race changes it

  /// Called before each operation is carried out: by the thread of its queue, in the queue's order,
  /// or by the caller's for operations of the device. It may block, which holds up that queue
  /// alone, and what it throws is what the operation fails with. Several threads call it at once.
  std::function<void(const FakeOperation&)> before;
};

}  // namespace zkgpu
