// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <array>
#include <string>
#include <string_view>

#include <zkgpu/prover/io/bytes/byte_sink.hpp>
#include <zkgpu/prover/porep/c1/write.hpp>

#include "merkle_variant.hpp"

namespace zkgpu::porep {

namespace {

/// Texts of all bytes as numbers: "0" … "255".
const std::array<std::string, 256>& byte_texts() {
  static const std::array<std::string, 256> texts = [] {
    std::array<std::string, 256> all;
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = std::to_string(i);
    return all;
  }();
  return texts;
}

/// Members in the order in which serde has them, nothing between the tokens.
class JsonWriter {
 public:
  explicit JsonWriter(io::ByteSink& sink, const SectorShape& shape) : sink_(sink), shape_(shape) {}

  void output(const Phase1Output& output, const RegisteredProof& proof) {
    text("{\"registered_proof\":\"").text(proof.name).text("\",\"vanilla_proofs\":{\"");
    text(proof.vanilla_key).text("\":");
    array(output.partitions, [this](const PartitionProof& partition) {
      array(partition, [this](const ChallengeProof& c) { challenge(c); });
    });
    text("},\"comm_r\":").node(output.comm_r);
    text(",\"comm_d\":").node(output.comm_d);
    text(",\"replica_id\":").node(output.replica_id);
    text(",\"seed\":").node(output.seed);
    text(",\"ticket\":").node(output.ticket).text("}");
    flush();
  }

 private:
  void challenge(const ChallengeProof& proof) {
    text("{\"comm_d_proofs\":");
    merkle(proof.comm_d, data_tree(shape_));
    text(",\"comm_r_last_proof\":");
    merkle(proof.comm_r_last, shape_.tree);
    text(",\"replica_column_proofs\":{\"c_x\":");
    column(proof.c_x);
    const auto each = [this](const ColumnProof& parent) { column(parent); };
    text(",\"drg_parents\":");
    array(proof.drg_parents, each);
    text(",\"exp_parents\":");
    array(proof.exp_parents, each);
    text("},\"labeling_proofs\":");
    array(proof.labeling, [this](const LabelingProof& label) { labeling(label); });
    text(",\"encoding_proof\":");
    labeling(proof.encoding);
    text("}");
  }
  void column(const ColumnProof& column) {
    text("{\"column\":{\"index\":").number(column.node).text(",\"rows\":");
    nodes(column.labels);
    text(",\"_h\":null},\"inclusion_proof\":");
    merkle(column.inclusion, shape_.tree);
    text("}");
  }
  void labeling(const LabelingProof& proof) {
    text("{\"parents\":");
    nodes(proof.parents);
    text(",\"layer_index\":").number(proof.layer);
    text(",\"node\":").number(proof.node).text("}");
  }
  void merkle(const MerkleProof& proof, const TreeShape& tree) {
    static constexpr std::array<std::string_view, 3> names{"Single", "Sub", "Top"};
    const PathParts parts = path_parts(proof, tree);
    const MerkleVariant variant = variant_of(tree);
    text("{\"data\":{\"").text(names[static_cast<std::size_t>(variant)]).text("\":{");
    if (variant == MerkleVariant::single) {
      text("\"root\":").node(proof.root).text(",\"leaf\":").node(proof.leaf).text(",\"path\":");
      path(parts.base);
    } else {
      text("\"base_proof\":");
      path(parts.base);
      text(",\"sub_proof\":");
      path(parts.sub);
      if (variant == MerkleVariant::top) {
        text(",\"top_proof\":");
        path(parts.top);
      }
      text(",\"root\":").node(proof.root).text(",\"leaf\":").node(proof.leaf);
    }
    text("}}}");
  }
  void path(std::span<const PathLevel> levels) {
    text("{\"path\":");
    array(levels, [this](const PathLevel& level) {
      text("{\"hashes\":");
      nodes(level.siblings);
      text(",\"index\":").number(level.index).text("}");
    });
    text("}");
  }
  void nodes(std::span<const Node> all) {
    array(all, [this](const Node& n) { node(n); });
  }
  JsonWriter& node(const Node& n) {
    array(n, [this](std::byte b) { text(byte_texts()[std::to_integer<std::size_t>(b)]); });
    return *this;
  }
  JsonWriter& number(std::uint64_t value) { return text(std::to_string(value)); }
  template <class Range, class Each>
  void array(const Range& range, const Each& each) {
    text("[");
    bool first = true;
    for (const auto& element : range) {
      if (!first) text(",");
      first = false;
      each(element);
    }
    text("]");
  }
  JsonWriter& text(std::string_view piece) {
    buffer_ += piece;
    if (buffer_.size() >= buffer_bytes) flush();
    return *this;
  }
  void flush() {
    sink_.write(io::bytes_of(buffer_));
    buffer_.clear();
  }

  static constexpr std::size_t buffer_bytes = std::size_t{1} << 16;
  io::ByteSink& sink_;
  const SectorShape& shape_;
  std::string buffer_;
};

/// Hands bytes on in base64 (RFC 4648, padded).
class Base64Sink final : public io::ByteSink {
 public:
  explicit Base64Sink(io::ByteSink& to) : to_(to) {}
  void write(std::span<const std::byte> bytes) override {
    std::string text;
    for (const std::byte b : bytes) {
      group_ = group_ << 8 | std::to_integer<std::uint32_t>(b);
      if (++held_ == 3) put_group(text);
    }
    to_.write(io::bytes_of(text));
  }
  /// The last bytes, if they are fewer than three.
  void finish() {
    if (held_ == 0) return;
    const std::size_t kept = held_ + 1;
    group_ <<= 8 * (3 - held_);
    std::string text;
    put_group(text);
    text.replace(kept, std::string::npos, 4 - kept, '=');
    to_.write(io::bytes_of(text));
  }

 private:
  void put_group(std::string& text) {
    static constexpr std::string_view digits =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (const int shift : {18, 12, 6, 0}) text += digits[group_ >> shift & 63];
    group_ = 0;
    held_ = 0;
  }

  io::ByteSink& to_;
  std::uint32_t group_ = 0;
  std::size_t held_ = 0;  // bytes of group_
};

}  // namespace

void write_c1_json(io::ByteSink& sink, const Phase1Output& output, const RegisteredProof& proof) {
  const SectorShape& shape = shape_of_name(proof.sector_name);
  JsonWriter(sink, shape).output(output, proof);
}

void write_c1_wrapper(io::ByteSink& sink, const Phase1Output& output, const RegisteredProof& proof,
                      std::uint64_t sector_number) {
  const std::uint64_t bytes = shape_of_name(proof.sector_name).bytes();
  const std::string head = "{\"SectorNum\":" + std::to_string(sector_number) + ",\"Phase1Out\":\"";
  sink.write(io::bytes_of(head));
  Base64Sink base64(sink);
  write_c1_json(base64, output, proof);
  base64.finish();
  const std::string tail = "\",\"SectorSize\":" + std::to_string(bytes) + "}";
  sink.write(io::bytes_of(tail));
}

}  // namespace zkgpu::porep
