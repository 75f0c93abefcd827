// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <string>
#include <vector>

#include <zkgpu/curve/encoding.hpp>
#include <zkgpu/prover/io/binary/params_file.hpp>
#include <zkgpu/prover/io/binary/vk_file_impl.hpp>
#include <zkgpu/prover/io/bytes/ordered_read.hpp>
#include <zkgpu/prover/io/key/checked_keys.hpp>
#include <zkgpu/prover/io/key/point_checks_impl.hpp>
#include <zkgpu/prover/io/key/snarkjs_domain_impl.hpp>

namespace zkgpu::io {

namespace detail {

/// Decodes chunks of uncompressed points into an array: form, flags and range only.
template <CurveGroup G>
class PointListDecoder final : public ChunkDecoder {
 public:
  using Affine = typename G::Affine;
  static constexpr std::size_t item_bytes = uncompressed_bytes<typename G::Params>;

  PointListDecoder(Array<Affine>& points, const char* name, std::uint64_t offset)
      : points_(points), name_(name), offset_(offset), first_bad_(points.size()) {}

  void decode(std::uint64_t at, std::span<const std::byte> chunk) override {
    std::size_t index = at / item_bytes;
    for (; !chunk.empty(); chunk = chunk.subspan(item_bytes), ++index) {
      const auto bytes = chunk.first(item_bytes);
      if (decode_uncompressed_unchecked(bytes, points_[index]) == PointStatus::ok) {
        if (!points_[index].is_infinity()) continue;
      } else if (std::all_of(bytes.begin(), bytes.end(),
                             [](std::byte b) { return b == std::byte{0}; })) {
        points_[index] = Affine::infinity();
        has_zero_points_ = true;
        continue;
      }
      remember_bad(index);
    }
  }

  /// @throws Malformed for the first point of bad form, or the first zero point unless allowed
  void judge(ByteSource& source, bool zero_points_allowed) const {
    std::size_t bad = first_bad_;
    if (has_zero_points_ && !zero_points_allowed) {
      const auto zero = std::find_if(points_.begin(), points_.begin() + static_cast<long>(bad),
                                     [](const Affine& p) { return p.is_infinity(); });
      bad = static_cast<std::size_t>(zero - points_.begin());
    }
    if (bad == points_.size()) return;
    std::array<std::byte, item_bytes> bytes;
    source.read(offset_ + bad * item_bytes, bytes);
    Cursor at(bytes, source.name(), name_, offset_ + bad * item_bytes);
    const std::string name = "point " + std::to_string(bad);
    take_uncompressed<G>(at, name.c_str(), false);
    throw IoError(source.name() + ": changed while being read");
  }
  [[nodiscard]] bool has_zero_points() const noexcept { return has_zero_points_; }
  [[nodiscard]] PointPlace place(const std::string& file, bool infinity_allowed) const {
    return {file, name_, offset_, item_bytes, infinity_allowed};
  }
  [[nodiscard]] ReadStretch stretch() {
    return {.offset = offset_,
            .size = points_.size() * item_bytes,
            .decoder = this,
            .item_bytes = item_bytes};
  }
  [[nodiscard]] const Array<Affine>& points() const noexcept { return points_; }

 private:
  void remember_bad(std::size_t index) {
    std::size_t known = first_bad_.load();
    while (index < known && !first_bad_.compare_exchange_weak(known, index)) {
    }
  }
  Array<Affine>& points_;
  const char* name_;
  std::uint64_t offset_;
  std::atomic<std::size_t> first_bad_;
  std::atomic<bool> has_zero_points_ = false;
};

/// Reads one file from front to back into the arrays of a key.
template <Curve C>
class ParamsReader {
 public:
  using G1 = typename C::G1;
  using G2 = typename C::G2;
  static constexpr std::size_t g1_bytes = uncompressed_bytes<typename G1::Params>;
  static constexpr std::size_t g2_bytes = uncompressed_bytes<typename G2::Params>;
  static constexpr std::size_t head_bytes = 3 * g1_bytes + 3 * g2_bytes;
  static constexpr std::size_t contribution_bytes = 3 * g1_bytes + g2_bytes + 64;

  ParamsReader(ByteSource& source, const KeyReading& reading)
      : source_(source), reading_(reading) {}

  ParamsFile<C> read() {
    read_head();
    // Counts first: nothing is allocated before its count has been compared with the file's size.
    auto ic = next_list<G1>(file_.key.vk.ic, "IC");
    auto h = next_list<G1>(file_.key.h, "h");
    auto l = next_list<G1>(file_.key.l, "l");
    auto a = next_list<G1>(file_.key.a, "a");
    auto b_g1 = next_list<G1>(file_.key.b_g1, "b_g1");
    auto b_g2 = next_list<G2>(file_.key.b_g2, "b_g2");
    check_counts();
    prepare_tail();
    for (auto* list : {&ic, &h, &l, &a, &b_g1}) add_list(*list);
    add_list(b_g2);
    stretches_.push_back(
        {.offset = at_, .size = file_.ceremony.bytes.size(), .to = file_.ceremony.bytes.data()});
    read_everything();

    const bool snarkjs = l.has_zero_points() || a.has_zero_points() || b_g1.has_zero_points() ||
                         b_g2.has_zero_points();
    for (auto* list : {&ic, &h}) list->judge(source_, false);
    for (auto* list : {&l, &a, &b_g1}) list->judge(source_, snarkjs);
    b_g2.judge(source_, snarkjs);
    set_domain(snarkjs);
    parse_tail();
    file_.report.was_listed =
        reading_.checked != nullptr && reading_.checked->contains(file_.report.digest);
    if (!file_.report.was_listed) {
      begin_checks();
      for (auto* list : {&ic, &h}) check<G1>(*list, false);
      for (auto* list : {&l, &a, &b_g1}) check<G1>(*list, snarkjs);
      check<G2>(b_g2, snarkjs);
    }
    if (!reading_.allow_insecure) check_key_rules(file_.key, source_.name());
    return std::move(file_);
  }

 private:
  void read_head() {
    if (source_.size() < head_bytes) {
      throw Malformed({source_.name(), "head", source_.size()},
                      "the file has " + std::to_string(source_.size()) + " bytes, the head alone " +
                          std::to_string(head_bytes));
    }
    first_look_.resize(head_bytes);
    source_.read(0, first_look_);
    Cursor at(first_look_, source_.name(), "head", 0);
    const auto head = take_key_head<C, PointForm::uncompressed>(at);
    file_.key.vk = head.key;
    file_.key.beta_g1 = head.beta_g1;
    file_.key.delta_g1 = head.delta_g1;
    at_ = head_bytes;
  }

  /// Reads the count of the next list and skips its points.
  template <CurveGroup G>
  PointListDecoder<G> next_list(Array<typename G::Affine>& points, const char* name) {
    constexpr std::size_t item = uncompressed_bytes<typename G::Params>;
    const std::uint64_t left = source_.size() - at_;
    if (left < 4) throw Malformed({source_.name(), name, at_}, "the count of points is missing");
    std::array<std::byte, 4> raw;
    source_.read(at_, raw);
    const auto count = load_be<std::uint32_t>(raw.data());
    if (count > (left - 4) / item) {
      throw Malformed({source_.name(), name, at_},
                      "a count of " + std::to_string(count) + " points of " + std::to_string(item) +
                          " bytes does not fit the " + std::to_string(left - 4) + " bytes left");
    }
    first_look_.insert(first_look_.end(), raw.begin(), raw.end());
    points = allocate_array<typename G::Affine>(source_, count);
    const std::uint64_t offset = at_ + 4;
    at_ = offset + std::uint64_t{count} * item;
    return PointListDecoder<G>(points, name, offset);
  }

  void check_counts() {
    ProvingKey<C>& key = file_.key;
    const auto refuse = [&](const std::string& what) {
      throw Malformed({source_.name(), "counts of points", at_}, what);
    };
    const std::uint64_t wires = std::uint64_t{key.vk.ic.size()} + key.l.size();
    if (key.vk.ic.empty()) refuse("IC has no point: it has at least that of the constant one");
    if (wires > 0xffffffffu) refuse("more than 2^32 - 1 wires");
    if (!std::has_single_bit(key.h.size() + 1) || key.h.size() + 1 > (std::uint64_t{1} << 31)) {
      refuse("h has " + std::to_string(key.h.size()) +
             " points, which is not one less than a power of two up to 2^31");
    }
    if (key.a.size() > wires) refuse("a has more points than there are wires");
    if (key.b_g1.size() > wires) refuse("b_g1 has more points than there are wires");
    if (key.b_g1.size() != key.b_g2.size()) refuse("b_g1 and b_g2 have different counts");
    key.num_wires = static_cast<std::uint32_t>(wires);
    key.log_domain = static_cast<unsigned>(std::countr_zero(key.h.size() + 1));
  }

  void prepare_tail() {
    const std::uint64_t left = source_.size() - at_;
    if (left == 0) return;
    std::array<std::byte, 68> start;
    if (left >= start.size()) {
      source_.read(at_, start);
      const auto count = load_be<std::uint32_t>(start.data() + 64);
      if (left - start.size() == std::uint64_t{count} * contribution_bytes) {
        file_.ceremony.present = true;
        file_.ceremony.bytes = allocate_array<std::byte>(source_, left);
        return;
      }
    }
    throw Malformed({source_.name(), "end", at_},
                    std::to_string(left) +
                        " bytes after b_g2 are not the tail of a ceremony: a hash "
                        "of 64 bytes, a count, and " +
                        std::to_string(contribution_bytes) + " bytes a contribution");
  }

  template <CurveGroup G>
  void add_list(PointListDecoder<G>& list) {
    if (stretches_.empty()) {
      second_look_.resize(first_look_.size());
      stretches_.push_back({.offset = 0, .size = head_bytes, .to = second_look_.data()});
      next_count_ = second_look_.data() + head_bytes;
    }
    const ReadStretch points = list.stretch();
    stretches_.push_back({.offset = points.offset - 4, .size = 4, .to = next_count_});
    next_count_ += 4;
    stretches_.push_back(points);
  }

  /// What the first look at head and counts saw must come again, so that the digest is that of the
  /// bytes in use.
  void read_everything() {
    if (reading_.observer != nullptr) reading_.observer->begin("read key", source_.size());
    file_.report.digest = read_stretches(source_, stretches_, reading_.observer);
    source_.expect_unchanged();
    if (second_look_ != first_look_) throw IoError(source_.name() + ": changed while being read");
  }

  void set_domain(bool snarkjs) {
    ProvingKey<C>& key = file_.key;
    using Fr = typename C::Fr;
    key.h_basis = HBasis::tau_powers;
    key.layout = snarkjs ? QueryLayout::per_wire : QueryLayout::filtered;
    key.domain_generator =
        snarkjs ? snarkjs_root_of_unity<Fr>(key.log_domain) : Fr::root_of_unity(key.log_domain);
    key.coset_shift = Fr::generator();
    if (!snarkjs) return;
    if (key.a.size() != key.num_wires || key.b_g1.size() != key.num_wires) {
      throw Malformed(
          {source_.name(), "counts of points", head_bytes},
          "points at infinity as zero bytes, as snarkjs exports them, but not one point "
          "a wire");
    }
    file_.report.warnings.push_back(
        source_.name() +
        ": exported by snarkjs: points at infinity are kept, and the domain is "
        "snarkjs's; bellman-type provers cannot use this file");
  }

  void parse_tail() {
    ParamsCeremony& ceremony = file_.ceremony;
    if (!ceremony.present) return;
    std::memcpy(ceremony.circuit_hash.data(), ceremony.bytes.data(), 64);
    ceremony.contributions = load_be<std::uint32_t>(ceremony.bytes.data() + 64);
    if ((ceremony.bytes.size() - 68) / contribution_bytes != ceremony.contributions) {
      throw IoError(source_.name() + ": changed while being read");
    }
  }

  void begin_checks() {
    if (reading_.observer == nullptr) return;
    const ProvingKey<C>& key = file_.key;
    std::uint64_t units = check_units<G2>(reading_.random, key.b_g2.size());
    for (const auto* points : {&key.vk.ic, &key.h, &key.l, &key.a, &key.b_g1}) {
      units += check_units<G1>(reading_.random, points->size());
    }
    reading_.observer->begin("check points", units);
  }

  template <CurveGroup G>
  void check(const PointListDecoder<G>& list, bool infinity_allowed) {
    check_points<G>(reading_.random, list.points(), list.place(source_.name(), infinity_allowed),
                    reading_.observer);
  }

  ByteSource& source_;
  const KeyReading& reading_;
  ParamsFile<C> file_;
  std::uint64_t at_ = 0;
  std::vector<std::byte> first_look_, second_look_;  // head, then each count
  std::byte* next_count_ = nullptr;
  std::vector<ReadStretch> stretches_;
};

template <class Points>
void write_point_list(ByteSink& sink, const Points& points) {
  write_u32_be(sink, static_cast<std::uint32_t>(points.size()));
  for (const auto& point : points) {
    auto bytes = encode_uncompressed(point);
    if (point.is_infinity()) bytes[0] = std::byte{0};
    sink.write(bytes);
  }
}

}  // namespace detail

template <Curve C>
ParamsFile<C> read_params(ByteSource& source, const KeyReading& reading) {
  if (reading.random == nullptr) throw InvalidArgument("read_params: no random source");
  return detail::ParamsReader<C>(source, reading).read();
}

template <Curve C>
void write_params(ByteSink& sink, const ProvingKey<C>& key, const ParamsCeremony& ceremony) {
  if (key.h_basis != HBasis::tau_powers || key.h.size() + 1 != key.domain_size()) {
    throw InvalidArgument("write_params: a .params file holds h in powers of tau, n - 1 of them");
  }
  write_bellman_vk<C>(sink, {key.vk, key.beta_g1, key.delta_g1});
  detail::write_point_list(sink, key.h);
  detail::write_point_list(sink, key.l);
  detail::write_point_list(sink, key.a);
  detail::write_point_list(sink, key.b_g1);
  detail::write_point_list(sink, key.b_g2);
  if (ceremony.present) sink.write(ceremony.bytes);
}

}  // namespace zkgpu::io
