// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <zkgpu/core/array.hpp>
#include <zkgpu/prover/io/binary/vk_file.hpp>
#include <zkgpu/prover/io/key/checked_keys.hpp>
#include <zkgpu/prover/io/key/key_rules_impl.hpp>
#include <zkgpu/prover/io/key/snarkjs_domain_impl.hpp>
#include <zkgpu/prover/io/key_cache/key_cache.hpp>
#include <zkgpu/prover/io/key_cache/key_cache_header_impl.hpp>

namespace zkgpu::io {

namespace detail {

/// Chunks have digests of their own, and the digest of a section is that of its chunks' digests.
inline constexpr std::size_t key_cache_chunk = std::size_t{1} << 20;  // within a core's cache

/// The points of a key as bytes, section by section.
template <class Key>
auto key_cache_bytes(Key& key) {
  const auto bytes = [](auto& points) {
    if constexpr (std::is_const_v<Key>) {
      return std::as_bytes(std::span(points));
    } else {
      return std::as_writable_bytes(std::span(points));
    }
  };
  return std::array{bytes(key.vk.ic), bytes(key.h),    bytes(key.l),
                    bytes(key.a),     bytes(key.b_g1), bytes(key.b_g2)};
}

/// Takes all sections chunk by chunk, in file order, on all cores.
///
/// @param take  take(section, offset in it, chunk): makes the chunk's bytes what they should be
/// @return  the digests of the sections
template <class Sections, class Take>
std::array<Digest, key_cache_sections.size()> digest_key_cache(const Sections& sections,
                                                               const Take& take) {
  std::array<std::size_t, key_cache_sections.size() + 1> first{};  // chunk of each section
  for (std::size_t k = 0; k < sections.size(); ++k) {
    first[k + 1] = first[k] + (sections[k].size() + key_cache_chunk - 1) / key_cache_chunk;
  }
  std::vector<Digest> digests(first.back());
  std::atomic<std::size_t> next = 0;  // not ranges: the disk is read front to back
  const auto work = [&](int) {
    for (std::size_t i = next++; i < digests.size(); i = next++) {
      const auto k = static_cast<std::size_t>(std::upper_bound(first.begin(), first.end(), i) -
                                              first.begin() - 1);
      const std::size_t at = (i - first[k]) * key_cache_chunk;
      const auto chunk =
          sections[k].subspan(at, std::min(key_cache_chunk, sections[k].size() - at));
      try {
        take(k, at, chunk);
      } catch (...) {
        next = digests.size();  // the others stop, too
        throw;
      }
      digests[i] = digest_of(chunk);
    }
  };
  oneapi::tbb::parallel_for(0, oneapi::tbb::this_task_arena::max_concurrency(), work);
  std::array<Digest, key_cache_sections.size()> result;
  for (std::size_t k = 0; k < sections.size(); ++k) {
    result[k] =
        digest_of(std::as_bytes(std::span(digests).subspan(first[k], first[k + 1] - first[k])));
  }
  return result;
}

template <Curve C>
KeyCacheSource key_cache_source_of(const ParamsFile<C>& file) {
  constexpr std::uint64_t g1 = uncompressed_bytes<typename C::G1::Params>;
  constexpr std::uint64_t g2 = uncompressed_bytes<typename C::G2::Params>;
  const ProvingKey<C>& key = file.key;
  MemorySink vk;
  write_bellman_vk<C>(vk, {key.vk, key.beta_g1, key.delta_g1});
  KeyCacheSource of;
  of.verifying_key = digest_of(vk.bytes());
  of.bytes = vk.bytes().size() + file.ceremony.bytes.size() + 5 * 4 + key.b_g2.size() * g2 +
             (key.h.size() + key.l.size() + key.a.size() + key.b_g1.size()) * g1;
  return of;
}

template <Curve C>
class KeyCacheReader {
 public:
  using H = KeyCacheHeader<C>;

  KeyCacheReader(ByteSource& source, const KeyReading& reading)
      : source_(source), reading_(reading), header_(KeyCacheHeaderReader<C>(source).read()) {}

  ParamsFile<C> read(const KeyCacheSource& of) {
    expect_source(of);
    expect_listed();
    allocate();
    if (reading_.observer != nullptr) reading_.observer->begin("read key", header_.file_bytes);
    read_sections();
    read_padding();
    source_.expect_unchanged();
    if (!reading_.allow_insecure) check_key_rules(file_.key, source_.name());
    return std::move(file_);
  }

 private:
  void expect_source(const KeyCacheSource& of) const {
    const auto refuse = [this](const std::string& what) {
      throw InvalidArgument(source_.name() + ": a decoded key of another file: " + what);
    };
    if (header_.source.verifying_key != of.verifying_key) {
      refuse("its verifying key has digest " + to_hex(header_.source.verifying_key) + ", not " +
             to_hex(of.verifying_key));
    }
    if (header_.source.bytes != of.bytes) {
      refuse("that had " + std::to_string(header_.source.bytes) + " bytes, not " +
             std::to_string(of.bytes));
    }
  }

  void expect_listed() const {
    if (reading_.checked->contains(header_.digest)) return;
    throw InsecureKey(source_.name() + ": decoded key of digest " + to_hex(header_.digest) +
                      ", which is not in the list of checked keys");
  }

  void allocate() {
    ProvingKey<C>& key = file_.key;
    key.vk = header_.head.key;
    key.beta_g1 = header_.head.beta_g1;
    key.delta_g1 = header_.head.delta_g1;
    // The header's rules hold: all sections together are no longer than the file.
    const auto make = [this]<class Point>(Array<Point>& points, std::size_t kind) {
      points = allocate_array<Point>(source_, header_.sections[kind].count);
    };
    make(key.vk.ic, kind_ic);
    make(key.h, kind_h);
    make(key.l, kind_l);
    make(key.a, kind_a);
    make(key.b_g1, kind_b_g1);
    make(key.b_g2, kind_b_g2);
    using Fr = typename C::Fr;
    const bool snarkjs = header_.layout == QueryLayout::per_wire;
    key.h_basis = HBasis::tau_powers;
    key.layout = header_.layout;
    key.num_wires = header_.num_wires;
    key.log_domain = header_.log_domain;
    key.domain_generator =
        snarkjs ? snarkjs_root_of_unity<Fr>(key.log_domain) : Fr::root_of_unity(key.log_domain);
    key.coset_shift = Fr::generator();
    file_.report.digest = header_.source_digest;
    file_.report.was_listed = true;
  }

  void read_sections() {
    const auto digests =
        digest_key_cache(key_cache_bytes(file_.key),
                         [this](std::size_t k, std::size_t at, std::span<std::byte> chunk) {
                           source_.read(header_.sections[k].offset + at, chunk);
                           if (reading_.observer != nullptr) {
                             reading_.observer->advance(chunk.size());
                           }
                         });
    for (std::size_t k = 0; k < digests.size(); ++k) {
      if (digests[k] == header_.sections[k].digest) continue;
      throw Malformed({source_.name(), key_cache_sections[k], header_.sections[k].offset},
                      "digest: its " + std::to_string(header_.sections[k].bytes) +
                          " bytes are not those that were written");
    }
  }

  void read_padding() {
    std::uint64_t at = H::bytes;
    for (std::size_t k = 0; k < header_.sections.size(); ++k) {
      std::array<std::byte, H::alignment> buffer;
      const auto padding = std::span<std::byte>(buffer).first(header_.sections[k].offset - at);
      source_.read(at, padding);
      if (std::any_of(padding.begin(), padding.end(),
                      [](std::byte b) { return b != std::byte{}; })) {
        throw Malformed({source_.name(), key_cache_sections[k], at},
                        "the bytes before it are not zero");
      }
      at = header_.sections[k].end();
    }
  }

  ByteSource& source_;
  const KeyReading& reading_;
  H header_;
  ParamsFile<C> file_;
};

}  // namespace detail

template <Curve C>
Digest write_key_cache(ByteSink& sink, const ParamsFile<C>& file, ProgressObserver* observer) {
  using H = detail::KeyCacheHeader<C>;
  const ProvingKey<C>& key = file.key;
  if (key.h_basis != HBasis::tau_powers || key.h.size() + 1 != key.domain_size() ||
      key.has_matrices()) {
    throw InvalidArgument("write_key_cache: not a key of a .params file");
  }
  const auto sections = detail::key_cache_bytes(key);
  const auto digests = detail::digest_key_cache(sections, [](auto...) {});
  H header;
  header.source = detail::key_cache_source_of(file);
  header.source_digest = file.report.digest;
  header.layout = key.layout;
  header.num_wires = key.num_wires;
  header.log_domain = key.log_domain;
  header.head = {key.vk, key.beta_g1, key.delta_g1};
  for (std::size_t k = 0; k < sections.size(); ++k) {
    header.sections[k].count = sections[k].size() / H::item_bytes(k);
    header.sections[k].digest = digests[k];
  }
  header.place_sections();
  if (observer != nullptr) observer->begin("write key cache", header.file_bytes);
  sink.write(detail::format_key_cache_header(header));
  std::uint64_t at = H::bytes;
  for (std::size_t k = 0; k < sections.size(); ++k) {
    constexpr std::array<std::byte, H::alignment> zeros{};
    sink.write(std::span(zeros).first(header.sections[k].offset - at));
    constexpr std::size_t piece_bytes = std::size_t{1} << 24;  // so that a bar moves
    for (std::size_t done = 0; done < sections[k].size(); done += piece_bytes) {
      const auto piece =
          sections[k].subspan(done, std::min(piece_bytes, sections[k].size() - done));
      sink.write(piece);
      if (observer != nullptr) observer->advance(piece.size());
    }
    at = header.sections[k].end();
  }
  return header.digest;
}

template <Curve C>
Digest key_cache_digest(ByteSource& source) {
  return detail::KeyCacheHeaderReader<C>(source).read().digest;
}

template <Curve C>
ParamsFile<C> read_key_cache(ByteSource& source, const KeyCacheSource& of,
                             const KeyReading& reading) {
  if (reading.checked == nullptr) {
    throw InvalidArgument("read_key_cache: no list of checked keys");
  }
  return detail::KeyCacheReader<C>(source, reading).read(of);
}

}  // namespace zkgpu::io
