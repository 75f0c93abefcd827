// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <array>
#include <bit>
#include <string_view>

#include <zkgpu/prover/io/bytes/cursor.hpp>
#include <zkgpu/prover/io/bytes/field_bytes.hpp>
#include <zkgpu/prover/io/bytes/ordered_read.hpp>
#include <zkgpu/prover/io/iden3/container.hpp>
#include <zkgpu/prover/io/iden3/zkey_coefficients_impl.hpp>
#include <zkgpu/prover/io/iden3/zkey_file.hpp>
#include <zkgpu/prover/io/key/checked_keys.hpp>
#include <zkgpu/prover/io/key/key_rules_impl.hpp>
#include <zkgpu/prover/io/key/point_checks_impl.hpp>
#include <zkgpu/prover/io/key/snarkjs_domain_impl.hpp>

namespace zkgpu::io {

namespace detail {

inline constexpr std::array<std::string_view, 10> zkey_sections = {
    "protocol", "Groth16 header", "IC", "coefficients", "A", "B in G1", "B in G2", "C",
    "H",        "contributions"};
inline constexpr ContainerRules zkey_rules = {"zkey", 1, zkey_sections};

inline constexpr unsigned max_log_domain = 31;  // the coset needs a root of twice the order

/// Reads one file from front to back into the arrays of a key.
template <Curve C>
class ZkeyReader {
 public:
  using Fr = typename C::Fr;
  using Fq = typename C::Fq;
  using G1 = typename C::G1::Affine;
  using G2 = typename C::G2::Affine;
  static constexpr std::uint64_t g1_bytes = 2 * integer_bytes<Fq>;
  static constexpr std::uint64_t g2_bytes = 4 * integer_bytes<Fq>;
  static constexpr std::uint64_t header_bytes =
      8 + integer_bytes<Fq> + integer_bytes<Fr> + 12 + 3 * g1_bytes + 3 * g2_bytes;
  static_assert(sizeof(G1) == g1_bytes && sizeof(G2) == g2_bytes, "points are read into place");

  ZkeyReader(ByteSource& source, const KeyReading& reading)
      : source_(source), reading_(reading), container_(read_container(source, zkey_rules)) {}

  ZkeyFile<C> read() {
    file_.report.warnings = container_.warnings;
    read_protocol();
    read_header();
    allocate();
    read_everything();
    convert_zkey_coefficients(coefficients_, container_, source_, file_.key);
    coefficients_ = {};
    if (file_.ceremony.present) parse_ceremony();
    check_queries();
    if (!reading_.allow_insecure) check_key_rules(file_.key, container_.file);
    return std::move(file_);
  }

 private:
  void read_protocol() {
    const Section& section = container_.require(1);
    protocol_bytes_ = read_section(source_, container_, section, 64);
    Cursor at(protocol_bytes_, container_.file, container_.name_of(1), section.offset);
    const std::uint32_t protocol = at.u32_le("protocol");
    if (protocol != 1) {
      const char* name = protocol == 2 ? " (PLONK)" : protocol == 10 ? " (FFLONK)" : "";
      at.fail("protocol " + std::to_string(protocol) + name + " is not supported, only 1 (Groth16)",
              4);
    }
    at.expect_end("the protocol");
  }

  void read_header() {
    const Section& section = container_.require(2);
    header_bytes_ = read_section(source_, container_, section, 2 * header_bytes);
    Cursor at(header_bytes_, container_.file, container_.name_of(2), section.offset);
    expect_prime(at, modulus_bytes<Fq>(), "q");
    expect_prime(at, modulus_bytes<Fr>(), "r");
    ProvingKey<C>& key = file_.key;
    key.num_wires = at.u32_le("nVars");
    if (key.num_wires == 0) at.fail("nVars is 0: wire 0 is always there", 4);
    num_public_ = at.u32_le("nPublic");
    if (num_public_ >= key.num_wires) {
      at.fail("nPublic " + std::to_string(num_public_) + " is not below nVars " +
                  std::to_string(key.num_wires),
              4);
    }
    const std::uint32_t domain = at.u32_le("domainSize");
    if (!std::has_single_bit(domain) || domain > (std::uint32_t{1} << max_log_domain)) {
      at.fail("domainSize " + std::to_string(domain) + " is not a power of two up to 2^31", 4);
    }
    key.log_domain = static_cast<unsigned>(std::countr_zero(domain));
    key.domain_generator = snarkjs_root_of_unity<Fr>(key.log_domain);
    key.coset_shift = snarkjs_root_of_unity<Fr>(key.log_domain + 1);
    key.h_basis = HBasis::lagrange_odd_coset;
    key.layout = QueryLayout::per_wire;
    read_point(at, key.vk.alpha_g1, "alpha1");
    read_point(at, key.beta_g1, "beta1");
    read_point(at, key.vk.beta_g2, "beta2");
    read_point(at, key.vk.gamma_g2, "gamma2");
    read_point(at, key.delta_g1, "delta1");
    read_point(at, key.vk.delta_g2, "delta2");
    at.expect_end("delta2");
  }

  /// Six points are always checked, listed or not.
  template <CurveParams P>
  void read_point(Cursor& at, Affine<P>& point, const char* name) {
    const std::uint64_t offset = at.offset();
    std::memcpy(&point, at.take(sizeof point, name).data(), sizeof point);
    const std::string problem = point_problem<Group<P>>(point, /*infinity_allowed=*/true);
    if (!problem.empty()) {
      throw Malformed({container_.file, container_.name_of(2), offset},
                      std::string(name) + ": " + problem);
    }
  }

  /// Compares all counts with the sections, then makes the arrays.
  void allocate() {
    ProvingKey<C>& key = file_.key;
    const std::uint64_t wires = key.num_wires;
    const std::uint64_t pub = num_public_;
    container_.expect_items(container_.require(3), pub + 1, g1_bytes, "nPublic + 1");
    container_.expect_items(container_.require(5), wires, g1_bytes, "nVars");
    container_.expect_items(container_.require(6), wires, g1_bytes, "nVars");
    container_.expect_items(container_.require(7), wires, g2_bytes, "nVars");
    container_.expect_items(container_.require(8), wires - pub - 1, g1_bytes,
                            "nVars - nPublic - 1");
    container_.expect_items(container_.require(9), key.domain_size(), g1_bytes, "domainSize");
    const Section& coefficients = container_.require(4);
    expect_coefficient_section<Fr>(coefficients, container_);
    key.vk.ic = allocate_array<G1>(source_, pub + 1);
    key.a = allocate_array<G1>(source_, wires);
    key.b_g1 = allocate_array<G1>(source_, wires);
    key.b_g2 = allocate_array<G2>(source_, wires);
    key.l = allocate_array<G1>(source_, wires - pub - 1);
    key.h = allocate_array<G1>(source_, key.domain_size());
    coefficients_ = allocate_array<std::byte>(source_, coefficients.size);
    if (const Section* section = container_.find(10)) {
      constexpr std::uint64_t sensible = std::uint64_t{64} << 20;
      if (section->size > sensible) {
        throw Malformed({container_.file, container_.name_of(10), section->offset},
                        "the section has more than 64 MiB");
      }
      file_.ceremony.present = true;
      file_.ceremony.bytes = allocate_array<std::byte>(source_, section->size);
    }
  }

  [[nodiscard]] std::byte* destination(std::uint32_t id) {
    ProvingKey<C>& key = file_.key;
    const auto of = [](auto& array) { return std::as_writable_bytes(std::span(array)).data(); };
    switch (id) {
      case 1: return second_protocol_.data();
      case 2: return second_header_.data();
      case 3: return of(key.vk.ic);
      case 4: return coefficients_.data();
      case 5: return of(key.a);
      case 6: return of(key.b_g1);
      case 7: return of(key.b_g2);
      case 8: return of(key.l);
      case 9: return of(key.h);
      case 10: return file_.ceremony.bytes.data();
      default: return nullptr;
    }
  }

  /// One pass over every byte. What the first look at the headers saw must come again, so that the
  /// digest is that of the bytes in use.
  void read_everything() {
    second_protocol_.resize(protocol_bytes_.size());
    second_header_.resize(header_bytes_.size());
    Array<std::byte> second_table(container_.header_bytes.size());
    std::vector<ReadStretch> stretches;
    stretches.push_back({.offset = 0, .size = container_header_bytes, .to = second_table.data()});
    std::byte* next_header = second_table.data() + container_header_bytes;
    Discard discard;
    for (const Section& section : container_.sections) {
      stretches.push_back({.offset = section.offset - section_header_bytes,
                           .size = section_header_bytes,
                           .to = next_header});
      next_header += section_header_bytes;
      ReadStretch payload{.offset = section.offset, .size = section.size};
      payload.to = destination(section.id);
      if (payload.to == nullptr) payload.decoder = &discard;
      stretches.push_back(payload);
    }
    if (reading_.observer != nullptr) reading_.observer->begin("read key", source_.size());
    file_.report.digest = read_stretches(source_, stretches, reading_.observer);
    source_.expect_unchanged();
    if (!std::ranges::equal(second_table, container_.header_bytes) ||
        second_protocol_ != protocol_bytes_ || second_header_ != header_bytes_) {
      throw IoError(container_.file + ": changed while being read");
    }
  }

  /// Takes sections of unknown id, which only the digest sees.
  struct Discard final : ChunkDecoder {
    void decode(std::uint64_t, std::span<const std::byte>) override {}
  };

  void parse_ceremony() {
    const Section& section = container_.require(10);
    ZkeyCeremony& ceremony = file_.ceremony;
    Cursor at(ceremony.bytes, container_.file, container_.name_of(10), section.offset);
    copy_hash(at.take(64, "circuit hash"), ceremony.circuit_hash);
    const std::uint64_t points = 3 * g1_bytes + g2_bytes;
    const std::uint32_t count = at.count_le(points + 64 + 8, "number of contributions");
    for (std::uint32_t i = 0; i < count; ++i) {
      ZkeyContribution contribution;
      at.take(points, "points of a contribution");
      copy_hash(at.take(64, "transcript hash"), contribution.transcript);
      contribution.type = at.u32_le("type of a contribution");
      const std::uint32_t length = at.count_le(1, "length of a contribution's parameters");
      const std::uint64_t offset = at.offset();
      Cursor parameters(at.take(length, "parameters"), container_.file, container_.name_of(10),
                        offset);
      parse_parameters(parameters, contribution);
      ceremony.contributions.push_back(std::move(contribution));
    }
    at.expect_end("the last contribution");
  }

  static void parse_parameters(Cursor& at, ZkeyContribution& contribution) {
    while (at.left() != 0) {
      const auto tag = std::to_integer<unsigned>(at.take(1, "tag of a parameter")[0]);
      const auto value = std::to_integer<unsigned>(at.take(1, "a parameter")[0]);
      if (tag == 1) {
        const auto name = at.take(value, "contributor's name");
        contribution.name.assign(reinterpret_cast<const char*>(name.data()), name.size());
      } else if (tag == 2) {
        contribution.log_iterations = value;
      } else if (tag == 3) {
        const auto beacon = at.take(value, "beacon");
        contribution.beacon.assign(beacon.begin(), beacon.end());
      } else {
        at.fail("unknown parameter " + std::to_string(tag) + " of a contribution", 2);
      }
    }
  }

  static void copy_hash(std::span<const std::byte> from, std::array<std::byte, 64>& to) {
    std::memcpy(to.data(), from.data(), to.size());
  }

  void check_queries() {
    file_.report.was_listed =
        reading_.checked != nullptr && reading_.checked->contains(file_.report.digest);
    if (file_.report.was_listed) return;
    const ProvingKey<C>& key = file_.key;
    if (reading_.observer != nullptr) {
      std::uint64_t units = check_units<typename C::G2>(reading_.random, key.b_g2.size());
      for (const auto* points : {&key.vk.ic, &key.a, &key.b_g1, &key.l, &key.h}) {
        units += check_units<typename C::G1>(reading_.random, points->size());
      }
      reading_.observer->begin("check points", units);
    }
    check_section<typename C::G1>(3, key.vk.ic, /*infinity_allowed=*/false);
    check_section<typename C::G1>(5, key.a, true);
    check_section<typename C::G1>(6, key.b_g1, true);
    check_section<typename C::G2>(7, key.b_g2, true);
    check_section<typename C::G1>(8, key.l, true);
    check_section<typename C::G1>(9, key.h, true);
  }

  template <CurveGroup G>
  void check_section(std::uint32_t id, std::span<const typename G::Affine> points,
                     bool infinity_allowed) {
    const Section& section = container_.require(id);
    check_points<G>(reading_.random, points,
                    {container_.file, container_.name_of(id), section.offset,
                     sizeof(typename G::Affine), infinity_allowed},
                    reading_.observer);
  }

  ByteSource& source_;
  const KeyReading& reading_;
  Container container_;
  ZkeyFile<C> file_;
  std::uint32_t num_public_ = 0;
  Array<std::byte> protocol_bytes_, header_bytes_;    // seen first
  Array<std::byte> second_protocol_, second_header_;  // seen by the digest
  Array<std::byte> coefficients_;
};

}  // namespace detail

template <Curve C>
ZkeyFile<C> read_zkey(ByteSource& source, const KeyReading& reading) {
  if (reading.random == nullptr) throw InvalidArgument("read_zkey: no random source");
  return detail::ZkeyReader<C>(source, reading).read();
}

}  // namespace zkgpu::io
