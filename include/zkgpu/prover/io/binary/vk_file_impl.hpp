// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <array>
#include <vector>

#include <zkgpu/batch/points.hpp>
#include <zkgpu/prover/io/binary/point_cursor_impl.hpp>
#include <zkgpu/prover/io/binary/vk_file.hpp>
#include <zkgpu/prover/io/key/key_rules_impl.hpp>
#include <zkgpu/prover/io/key/point_checks_impl.hpp>

namespace zkgpu::io {

namespace detail {

enum class PointForm { compressed, uncompressed };

template <CurveGroup G, PointForm form>
inline constexpr std::size_t point_bytes =
    form == PointForm::compressed ? compressed_bytes<typename G::Params>
                                  : uncompressed_bytes<typename G::Params>;

template <CurveGroup G, PointForm form>
typename G::Affine take_point(Cursor& at, const char* name, bool infinity_allowed) {
  if constexpr (form == PointForm::compressed)
    return take_compressed<G>(at, name, infinity_allowed);
  return take_uncompressed<G>(at, name, infinity_allowed);
}

/// `count` points of IC, decoded on all cores. @throws Malformed naming the first bad one
template <Curve C, PointForm form>
Array<typename C::G1::Affine> take_ic(Cursor& at, std::size_t count) {
  using G = typename C::G1;
  constexpr std::size_t size = point_bytes<G, form>;
  if (count == 0) at.fail("IC has no point: it has at least that of the constant one");
  Array<typename G::Affine> ic(count);
  const Cursor start = at;
  const auto bytes = at.take(count * size, "IC");
  std::size_t bad = count;
  if constexpr (form == PointForm::compressed) {
    std::vector<PointStatus> statuses(count);
    bad = first_bad_of_ranges(count, [&](std::size_t begin, std::size_t end) {
      const std::size_t n = end - begin;
      batch::decode_compressed_points<G>({bytes.subspan(begin * size, n * size), size},
                                         std::span(ic).subspan(begin, n),
                                         std::span(statuses).subspan(begin, n));
      std::size_t i = begin;
      while (i < end && statuses[i] == PointStatus::ok && !ic[i].is_infinity()) ++i;
      return i;
    });
  } else {
    bad = first_bad_index(count, 16, [&](std::size_t i) {
      return decode_uncompressed(bytes.subspan(i * size, size), ic[i]) != PointStatus::ok ||
             ic[i].is_infinity();
    });
  }
  if (bad != count) {
    Cursor there = start;
    there.take(bad * size, "IC");
    take_point<G, form>(there, ("IC point " + std::to_string(bad)).c_str(), false);
  }
  return ic;
}

/// alpha_g1 beta_g1 beta_g2 gamma_g2 delta_g1 delta_g2: bellman's and gnark's order. Infinity is
/// left to the rules for keys.
template <Curve C, PointForm form>
FullVerifyingKey<C> take_key_head(Cursor& at) {
  using G1 = typename C::G1;
  using G2 = typename C::G2;
  FullVerifyingKey<C> vk;
  vk.key.alpha_g1 = take_point<G1, form>(at, "alpha_g1", true);
  vk.beta_g1 = take_point<G1, form>(at, "beta_g1", true);
  vk.key.beta_g2 = take_point<G2, form>(at, "beta_g2", true);
  vk.key.gamma_g2 = take_point<G2, form>(at, "gamma_g2", true);
  vk.delta_g1 = take_point<G1, form>(at, "delta_g1", true);
  vk.key.delta_g2 = take_point<G2, form>(at, "delta_g2", true);
  return vk;
}

inline void write_u32_be(ByteSink& sink, std::uint32_t value) {
  std::array<std::byte, 4> raw;
  store_be(raw.data(), value);
  sink.write(raw);
}

}  // namespace detail

template <Curve C>
FullVerifyingKey<C> parse_bellman_vk(std::span<const std::byte> bytes, const std::string& file,
                                     bool allow_insecure) {
  constexpr auto form = detail::PointForm::uncompressed;
  Cursor at(bytes, file, "verifying key", 0);
  FullVerifyingKey<C> vk = detail::take_key_head<C, form>(at);
  const std::uint32_t count =
      at.count_be(detail::point_bytes<typename C::G1, form>, "number of points of IC");
  vk.key.ic = detail::take_ic<C, form>(at, count);
  at.expect_end("the last point of IC");
  if (!allow_insecure) check_key_rules(vk.key, vk.beta_g1, vk.delta_g1, file);
  return vk;
}

template <Curve C>
void write_bellman_vk(ByteSink& sink, const FullVerifyingKey<C>& vk) {
  sink.write(encode_uncompressed(vk.key.alpha_g1));
  sink.write(encode_uncompressed(vk.beta_g1));
  sink.write(encode_uncompressed(vk.key.beta_g2));
  sink.write(encode_uncompressed(vk.key.gamma_g2));
  sink.write(encode_uncompressed(vk.delta_g1));
  sink.write(encode_uncompressed(vk.key.delta_g2));
  detail::write_u32_be(sink, static_cast<std::uint32_t>(vk.key.ic.size()));
  for (const auto& point : vk.key.ic) sink.write(encode_uncompressed(point));
}

template <Curve C>
VerifyingKey<C> parse_waves_vk(std::span<const std::byte> bytes, const std::string& file,
                               bool allow_insecure) {
  constexpr auto form = detail::PointForm::compressed;
  constexpr std::size_t size = detail::point_bytes<typename C::G1, form>;
  Cursor at(bytes, file, "verifying key", 0);
  VerifyingKey<C> vk;
  vk.alpha_g1 = detail::take_point<typename C::G1, form>(at, "alpha_g1", true);
  vk.beta_g2 = detail::take_point<typename C::G2, form>(at, "beta_g2", true);
  vk.gamma_g2 = detail::take_point<typename C::G2, form>(at, "gamma_g2", true);
  vk.delta_g2 = detail::take_point<typename C::G2, form>(at, "delta_g2", true);
  if (at.left() % size != 0) {
    at.fail(std::to_string(at.left()) + " bytes of IC are no multiple of " + std::to_string(size));
  }
  vk.ic = detail::take_ic<C, form>(at, at.left() / size);
  if (!allow_insecure) check_key_rules(vk, file);
  return vk;
}

template <Curve C>
void write_waves_vk(ByteSink& sink, const VerifyingKey<C>& vk) {
  sink.write(encode_compressed(vk.alpha_g1));
  sink.write(encode_compressed(vk.beta_g2));
  sink.write(encode_compressed(vk.gamma_g2));
  sink.write(encode_compressed(vk.delta_g2));
  for (const auto& point : vk.ic) sink.write(encode_compressed(point));
}

template <Curve C>
FullVerifyingKey<C> parse_gnark_vk(std::span<const std::byte> bytes, const std::string& file,
                                   bool allow_insecure) {
  constexpr auto form = detail::PointForm::compressed;
  Cursor at(bytes, file, "gnark verifying key", 0);
  FullVerifyingKey<C> vk = detail::take_key_head<C, form>(at);
  const std::uint32_t count =
      at.count_be(detail::point_bytes<typename C::G1, form>, "number of points of K");
  vk.key.ic = detail::take_ic<C, form>(at, count);
  for (const char* list : {"public and commitment committed", "commitment keys"}) {
    if (at.u32_be(list) != 0) {
      at.fail("keys with commitments are not supported (Pedersen commitments of gnark)", 4);
    }
  }
  at.expect_end("the list of commitment keys");
  if (!allow_insecure) check_key_rules(vk.key, vk.beta_g1, vk.delta_g1, file);
  return vk;
}

}  // namespace zkgpu::io
