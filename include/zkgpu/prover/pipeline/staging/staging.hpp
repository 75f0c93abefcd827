// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <concepts>
#include <cstddef>
#include <string_view>

#include <zkgpu/prover/groth16/stages/key_use.hpp>
#include <zkgpu/prover/pipeline/staging/enqueued.hpp>
#include <zkgpu/prover/pipeline/staging/in_order.hpp>
#include <zkgpu/prover/pipeline/staging/overlapped.hpp>

namespace zkgpu::pipeline {

/// Where a proof's rows a = A z and b = B z are made.
namespace synthesis {

/// By the circuit, as it makes the witness: no matrix is read. Wants circuits, not witnesses that
/// are given. Phases 0 to 4.
struct circuit_walk {
  static constexpr std::string_view name = "circuit_walk";
  static constexpr RowsPlace rows = RowsPlace::host_walk;
};

/// On the host from matrices, with the witness. Phases 5 to 12.
struct matrix_cpu {
  static constexpr std::string_view name = "matrix_cpu";
  static constexpr RowsPlace rows = RowsPlace::host_matrix;
};

/// On the device, which holds the matrices: only the witness goes up.
struct matrix_device {
  static constexpr std::string_view name = "matrix_device";
  static constexpr RowsPlace rows = RowsPlace::device;
};

}  // namespace synthesis

/// How witnesses and rows go to the device.
namespace upload {

/// As they are: the driver copies them through memory of its own.
struct pageable {
  static constexpr std::string_view name = "pageable";
  static constexpr UploadWay way = UploadWay::pageable;
};

/// Page-locked in place for the copy.
struct registered {
  static constexpr std::string_view name = "registered";
  static constexpr UploadWay way = UploadWay::registered;
};

/// Through a ring of pinned pieces that stay.
struct pinned_ring {
  static constexpr std::string_view name = "pinned_ring";
  static constexpr UploadWay way = UploadWay::pinned_ring;
};

}  // namespace upload

/// Where the sum in G2 is computed, and when.
namespace g2_tail {

/// On the host, while the proof holds the device. Phases 0 to 7.
struct cpu_inline {
  static constexpr std::string_view name = "cpu_inline";
  static constexpr G2Place place = G2Place::cpu_inline;
};

/// On the host, when the proof's last kernel is done. Phases 8 to 11.
struct cpu_after_unlock {
  static constexpr std::string_view name = "cpu_after_unlock";
  static constexpr G2Place place = G2Place::cpu_after_unlock;
};

/// On the host, beside everything else, from the witness on, where stages run side by side
/// (sync::deferred). Phase 12.
struct cpu_detached {
  static constexpr std::string_view name = "cpu_detached";
  static constexpr G2Place place = G2Place::cpu_detached;
};

struct device {
  static constexpr std::string_view name = "device";
  static constexpr G2Place place = G2Place::device;
};

}  // namespace g2_tail

/// When the host waits for the device.
namespace sync {

/// After each stage, before the next of its proof is begun. Phases 0 to 8.
struct eager {
  static constexpr std::string_view name = "eager";
  using Plan = in_order;
};

/// Where a result is read: stages of a proof that do not read each other's run side by side, each
/// in a queue of its own. Phase 9 on.
struct deferred {
  static constexpr std::string_view name = "deferred";
  using Plan = overlapped;
};

/// Once a proof: its stages on the device are enqueued one after another to one queue, and the host
/// waits when all are. Memory stays until then. Only where nothing wants the host in between:
/// uploads from memory that is page-locked in place, a key that lives on the device. On CUDA a sum
/// of millions of digits still waits for their number.
struct graph {
  static constexpr std::string_view name = "graph";
  using Plan = enqueued;
};

}  // namespace sync

/// What a query's points that are brought to the device are brought for.
namespace key_stream {

/// For each sum anew.
struct per_circuit {
  static constexpr std::string_view name = "per_circuit";
  static constexpr std::size_t sharers = 1;
};

/// A query's points come as a whole, stay for the sums of the next k - 1 proofs that want them, and
/// leave after the last of them; or earlier, where nobody uses them and another query wants the
/// room. Where there is none, the sum streams them for itself.
template <std::size_t k>
struct shared_by {
  static_assert(k >= 2, "key_stream::shared_by<k>: one proof shares with nobody: take per_circuit");
  static constexpr std::string_view name = "shared_by";
  static constexpr std::size_t sharers = k;
};

}  // namespace key_stream

/// Staging policy, put together from its values.
template <class Synthesis, class Upload, class G2Tail, class Sync, class KeyStream>
struct staging {
  static_assert(!std::same_as<Sync, sync::graph> || Upload::way == UploadWay::registered,
                "sync::graph: the host waits for a ring's pieces, and the driver for pageable "
                "memory: take upload::registered");

  template <NttField F, Backend B>
  using QuotientStage = Quotient<F, B>;

  static constexpr GraphPlaces places{.rows = Synthesis::rows, .g2 = G2Tail::place};
  static constexpr UploadWay upload = Upload::way;
  static constexpr bool one_wait = std::same_as<Sync, sync::graph>;
  static constexpr std::size_t key_sharers = KeyStream::sharers;

  static Schedule plan(const ProofGraph& graph, std::size_t proofs, PipelineLimits limits) {
    return Sync::Plan::plan(graph, proofs, limits);
  }
  /// Most scratch memory of a proof.
  static constexpr std::size_t bytes_of_one(const ProofGraph& graph) noexcept {
    return Sync::Plan::bytes_of_one(graph);
  }
};

}  // namespace zkgpu::pipeline
