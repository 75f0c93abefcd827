// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace zkgpu::pipeline {

/// The stages of one proof.
///
///     synthesize ─► upload ─┬─► evaluate ─► quotient ─► msm_h ──┐
///                           └─► msm_l  msm_a  msm_b_g1  msm_b_g2 ┴─► assemble ─► self_check
enum class StageId : std::uint8_t {
  synthesize,  ///< the witness: made by a circuit or given, and checked for form
  upload,      ///< the witness to where the device reads it; nothing where that is the CPU. Where
               ///< nothing has read it before, the device finds values that are not canonical
  evaluate,
  quotient,
  msm_h,
  msm_l,
  msm_a,
  msm_b_g1,  ///< nothing unless r and s are given
  msm_b_g2,
  assemble,
  self_check,  ///< no proof leaves that does not verify
};
inline constexpr std::size_t stage_count = 11;

[[nodiscard]] constexpr std::string_view to_string(StageId id) noexcept {
  constexpr std::array<std::string_view, stage_count> names = {
      "synthesize", "upload",   "evaluate", "quotient", "msm_h",     "msm_l",
      "msm_a",      "msm_b_g1", "msm_b_g2", "assemble", "self_check"};
  return names[static_cast<std::size_t>(id)];
}

/// A set of stages.
class StageSet {
 public:
  constexpr StageSet() = default;
  template <class... Ids>
  constexpr explicit StageSet(Ids... ids) noexcept : bits_((0U | ... | bit(ids))) {}
  [[nodiscard]] constexpr bool contains(StageId id) const noexcept {
    return (bits_ & bit(id)) != 0;
  }
  friend constexpr bool operator==(const StageSet&, const StageSet&) = default;

 private:
  static constexpr unsigned bit(StageId id) noexcept { return 1U << static_cast<unsigned>(id); }
  unsigned bits_ = 0;
};

/// Where a stage works: for host stages no device is held.
enum class Resource : std::uint8_t { host, device };

/// One stage with what a plan must know of it.
struct StageNode {
  StageId id;
  StageSet after;  ///< the stages whose results it reads
  Resource resource;
  std::size_t scratch_bytes;      ///< lent while it runs
  std::size_t output_bytes;       ///< lent until the last reader of its result is done
  double cost;                    ///< field products, roughly: compares stages, measures none
  bool computes_on_host = false;  ///< beside a device: takes the host's memory bandwidth

  // In the host's memory, where that is not the device's.
  std::size_t host_scratch_bytes = 0;  ///< lent while it runs
  std::size_t host_input_bytes = 0;    ///< lent from the making of the witness until it has run
  std::size_t host_output_bytes = 0;   ///< until the proof ends
  friend constexpr bool operator==(const StageNode&, const StageNode&) = default;
};

/// The stages of one proof, in an order that respects their dependencies.
struct ProofGraph {
  std::array<StageNode, stage_count> nodes;

  [[nodiscard]] constexpr const StageNode& operator[](StageId id) const noexcept {
    return nodes[static_cast<std::size_t>(id)];
  }
  /// In the order of the graph; `upload` if nothing is the device's.
  [[nodiscard]] constexpr StageId last_on_device() const noexcept {
    StageId last = StageId::upload;
    for (const StageNode& node : nodes) {
      if (node.resource == Resource::device) last = node.id;
    }
    return last;
  }
  friend constexpr bool operator==(const ProofGraph&, const ProofGraph&) = default;
};

/// Sizes of a circuit and its key, all that a graph depends on.
struct CircuitShape {
  std::size_t domain_size = 1;
  std::size_t entries = 0;  ///< non-zeros of A and B
  std::size_t num_wires = 1;
  std::size_t num_auxiliary = 0;
  std::size_t a_points = 0;
  std::size_t b_g1_points = 0;  ///< 0 unless r and s are given
  std::size_t b_g2_points = 0;
  std::size_t h_points = 0;
  bool filtered = false;          ///< the scalars of a and b are gathered first
  std::size_t field_bytes = 0;    ///< of one scalar
  std::size_t witness_bytes = 0;  ///< of the witness on a device
  std::size_t upload_workspace = 0;
  std::size_t quotient_workspace = 0;
  /// Workspace of the sums, from the plans of the backend.
  std::size_t h_workspace = 0, l_workspace = 0, a_workspace = 0;
  std::size_t b_g1_workspace = 0, b_g2_workspace = 0;
  /// Of the host, beside a device: rows that it makes, and its sum in G2.
  std::size_t host_rows_bytes = 0, host_b_g2_bytes = 0;
};

/// Where the rows a = A z and b = B z are made.
enum class RowsPlace : std::uint8_t {
  device,
  host_matrix,  ///< from the matrices, with the witness; uploaded
  host_walk,    ///< by the circuit that makes the witness, as it makes it; uploaded
};

/// Where the sum in G2 is computed, and when.
enum class G2Place : std::uint8_t {
  device,
  cpu_inline,        ///< on the host, while the proof holds the device
  cpu_after_unlock,  ///< on the host, when the device's last kernel is done
  cpu_detached,      ///< on the host, beside everything else
};

/// What a staging puts on the host instead of the device.
struct GraphPlaces {
  RowsPlace rows = RowsPlace::device;
  G2Place g2 = G2Place::device;
  bool keeps_rows = false;  ///< until the device's last kernel is done, instead of the quotient
  friend bool operator==(const GraphPlaces&, const GraphPlaces&) = default;
};

/// The graph of a Groth16 proof; pure.
[[nodiscard]] constexpr ProofGraph make_groth16_graph(const CircuitShape& shape,
                                                      const GraphPlaces& places = {}) noexcept {
  using enum StageId;
  const std::size_t n = shape.domain_size;
  const std::size_t column = n * shape.field_bytes;
  const auto gathered = [&](std::size_t points) {
    return shape.filtered ? points * shape.field_bytes : 0;
  };
  double log_n = 0;
  while ((std::size_t{1} << static_cast<unsigned>(log_n)) < n) ++log_n;
  // A term is one product of Fr; a point of a sum some 16 windows of 10 products of Fq (2.3 of Fr
  // each), three times that in G2.
  const auto sum_cost = [](std::size_t points) { return static_cast<double>(points) * 370; };
  const auto node = [](StageId id, StageSet after, Resource resource, std::size_t scratch,
                       std::size_t output, double cost) {
    return StageNode{id, after, resource, scratch, output, cost};
  };
  const auto device = Resource::device;
  const StageSet witness(upload);
  ProofGraph made{
      {node(synthesize, StageSet(), Resource::host, 0, 0, static_cast<double>(shape.num_wires)),
       node(upload, StageSet(synthesize), shape.witness_bytes != 0 ? device : Resource::host,
            shape.upload_workspace, shape.witness_bytes,
            static_cast<double>(shape.witness_bytes) / 64),
       node(evaluate, witness, device, 0, 2 * column, static_cast<double>(shape.entries + 2 * n)),
       node(quotient, StageSet(evaluate), device, column + shape.quotient_workspace,
            shape.h_points * shape.field_bytes, static_cast<double>(n) * (3 * log_n + 6)),
       node(msm_h, StageSet(quotient), device, shape.h_workspace, 0, sum_cost(shape.h_points)),
       node(msm_l, witness, device, shape.l_workspace, 0, sum_cost(shape.num_auxiliary)),
       node(msm_a, witness, device, shape.a_workspace + gathered(shape.a_points), 0,
            sum_cost(shape.a_points)),
       node(msm_b_g1, witness, device, shape.b_g1_workspace + gathered(shape.b_g1_points), 0,
            sum_cost(shape.b_g1_points)),
       node(msm_b_g2, witness, device, shape.b_g2_workspace + gathered(shape.b_g2_points), 0,
            3 * sum_cost(shape.b_g2_points)),
       node(assemble, StageSet(msm_h, msm_l, msm_a, msm_b_g1, msm_b_g2), Resource::host, 0, 0, 2e4),
       node(self_check, StageSet(assemble), Resource::host, 0, 0, 1e5)}};

  made.nodes[static_cast<std::size_t>(synthesize)].host_output_bytes =
      shape.num_wires * shape.field_bytes;
  StageNode& rows = made.nodes[static_cast<std::size_t>(evaluate)];
  if (places.rows != RowsPlace::device) {  // made with the witness, uploaded here
    made.nodes[static_cast<std::size_t>(synthesize)].cost += rows.cost;
    rows.cost = static_cast<double>(2 * column) / 64;
    rows.host_input_bytes = shape.host_rows_bytes;
  }
  if (places.keeps_rows) {
    made.nodes[static_cast<std::size_t>(assemble)].after =
        StageSet(evaluate, msm_h, msm_l, msm_a, msm_b_g1, msm_b_g2);
  }
  StageNode& g2 = made.nodes[static_cast<std::size_t>(msm_b_g2)];
  if (places.g2 != G2Place::device) {
    g2.scratch_bytes = 0;
    g2.host_scratch_bytes = shape.host_b_g2_bytes;
    g2.computes_on_host = true;
    if (places.g2 != G2Place::cpu_inline) g2.resource = Resource::host;
    if (places.g2 == G2Place::cpu_detached) g2.after = StageSet(synthesize);
    if (places.g2 == G2Place::cpu_after_unlock) {
      g2.after = StageSet(msm_h, msm_l, msm_a, msm_b_g1);
    }
  }
  return made;
}

}  // namespace zkgpu::pipeline
