// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include <zkgpu/backend/backend.hpp>
#include <zkgpu/backend/pinned.hpp>
#include <zkgpu/backend/stage.hpp>
#include <zkgpu/core/config.hpp>
#include <zkgpu/core/error.hpp>
#include <zkgpu/core/span.hpp>
#include <zkgpu/curve/curve.hpp>

namespace zkgpu {

/// Bytes of a device for the points of a query with their multiples, and for a sum over them.
struct QuerySizes {
  std::size_t bases = 0;
  std::size_t workspace = 0;
};

/// What a device brings to the stages of a proof; a backend specialises it.
///
/// `Bases<G>` are points of the group `Group` on the device: made from (backend, queue, points,
/// most bytes for them and their multiples), `size()`, `workspace_bytes()`, `enqueue(queue,
/// scalars, workspace, result)`; `sizes<G>(points, most bytes, machine)` tells before what they
/// will take. Or they are made from (backend, number, memory) in `lent_bytes(number)` of the
/// device, without multiples: then `points()` is where to copy them, and `complete(queue)` follows.
///
/// `Stream<G>` is a sum whose points come from the host while it runs: made from (points, most
/// bytes for its workspace, machine), `workspace_bytes()`, `enqueue(feed, queue, points, scalars,
/// workspace, result)`. `Feed`, made from the backend, is what brings them, for several threads.
///
/// `Tables` are what `Quotient<F, B>` reads: made from (backend, queue, QuotientDomain<F>);
/// `quotient_workspace(log_n, machine)` is what it takes beside its arrays.
///
/// `Uploads`, made from (backend, way), are called with (queue, host span, device span), by several
/// threads; done when they return, and then no copy of what was uploaded is left in the host's
/// memory, but the driver's own of pageable memory.
template <Curve C, DeviceBackend B>
struct DeviceProofParts {
  static_assert(always_false<C, B>,
                "no proofs on this device: specialise zkgpu::DeviceProofParts in "
                "prover/groth16/stages/");
};

/// A copy to the device for which the pages of the host's memory are page-locked in place. What
/// stands before the first whole page and behind the last goes as it is. Returns at once.
/// @return what must stay until the queue drains
/// @throws InvalidArgument if the sizes differ; ResourceExhausted, DeviceError, also where the
///         system does not lock the pages
template <class T, DeviceBackend B>
[[nodiscard]] PinnedPages enqueue_registered(const B& backend, const typename B::Queue& queue,
                                             std::span<const T> from, DeviceSpan<T> to) {
  const auto bytes = std::as_bytes(from);
  const DeviceSpan<std::byte> out(reinterpret_cast<std::byte*>(to.data()), to.size_bytes());
  if (bytes.size() != out.size()) throw InvalidArgument("upload: sizes differ");
  PinnedPages pinned = backend.register_host(bytes);
  const std::size_t head = pinned.span().empty()
                               ? bytes.size()
                               : static_cast<std::size_t>(pinned.span().data() - bytes.data());
  const std::size_t tail = head + pinned.span().size();
  const DrainOnFailure<B> drain(queue);
  const auto copy = [&](std::size_t begin, std::size_t end) {
    queue.upload(bytes.subspan(begin, end - begin), out.subspan(begin, end - begin));
  };
  copy(head, tail);
  copy(0, head);
  copy(tail, bytes.size());
  return pinned;
}
/// The same, done when it returns.
template <class T, DeviceBackend B>
void upload_registered(const B& backend, const typename B::Queue& queue, std::span<const T> from,
                       DeviceSpan<T> to) {
  const PinnedPages pinned = enqueue_registered(backend, queue, from, to);
  const DrainOnFailure<B> drain(queue);
  queue.wait();
}

/// Memory that another one owns, as buffers have theirs.
template <class T>
std::shared_ptr<std::byte> lent_memory(DeviceSpan<T> memory) noexcept {
  return {std::shared_ptr<std::byte>(), reinterpret_cast<std::byte*>(memory.data())};
}

/// The next offset at which arrays of a device begin.
[[nodiscard]] constexpr std::size_t device_aligned(std::size_t bytes) noexcept {
  return (bytes + 255) / 256 * 256;
}

}  // namespace zkgpu
