// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <concepts>
#include <cstddef>
#include <span>
#include <string_view>
#include <utility>

#include <zkgpu/core/config.hpp>
#include <zkgpu/core/span.hpp>

namespace zkgpu {

/// What a plan may know of a machine. Plans are pure functions of sizes and of this value.
struct DeviceProperties {
  std::size_t compute_units = 1;       ///< CPU: threads that work; GPU: multiprocessors
  std::size_t unit_cache_bytes = 0;    ///< CPU: second-level cache of a core; GPU: shared memory
  std::size_t device_cache_bytes = 0;  ///< the last cache, shared by all units; 0: unknown
  std::size_t memory_bytes = 0;        ///< 0: unknown
  unsigned architecture = 0;           ///< GPU: compute capability as 90; CPU: 0

  friend bool operator==(const DeviceProperties&, const DeviceProperties&) = default;
};

/// Laws: a value is one device; a Queue runs work in the order enqueued; wait() throws what that
/// work failed with. `Span<T>` is memory that the device reads: `std::span` where that is host
/// memory. `upload` and `download` are enqueued like any other work.
template <class B>
concept Backend = requires(B& b, typename B::Queue& q, std::size_t n,
                           typename B::template Span<std::byte> on_device,
                           std::span<std::byte> on_host) {
  { B::name } -> std::convertible_to<std::string_view>;
  { b.make_queue() } -> std::same_as<typename B::Queue>;
  { b.template allocate<std::byte>(n) } -> std::same_as<typename B::template Buffer<std::byte>>;
  {
    b.template allocate<std::byte>(n).span()
    } -> std::same_as<typename B::template Span<std::byte>>;
  { b.properties() } -> std::same_as<DeviceProperties>;
  { q.wait() } -> std::same_as<void>;
  q.upload(std::span<const std::byte>{on_host}, on_device);
  q.download(typename B::template Span<const std::byte>{on_device}, on_host);
};

/// A backend with memory of its own, which the host does not read, and queues that run beside it.
///
/// Laws: what a queue works on is in use until it has drained; `register_host` page-locks the whole
/// pages of some memory, for several at a time too, until the last of them lets go; `wipe` has
/// written zeros over memory that no work uses when it returns, or throws DeviceError.
template <class B>
concept DeviceBackend = Backend<B> &&
    std::same_as<typename B::template Span<std::byte>, DeviceSpan<std::byte>> &&
    requires(const B& b, DeviceSpan<std::byte> memory, std::span<const std::byte> on_host) {
  b.register_host(on_host);  // PinnedPages
  { b.free_bytes() } -> std::same_as<std::size_t>;
  b.trim();  // of what no buffer uses
  b.wipe(memory);
};

}  // namespace zkgpu
