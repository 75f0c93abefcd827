// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <zkgpu/prover/io/bytes/field_bytes.hpp>
#include <zkgpu/prover/io/iden3/container.hpp>
#include <zkgpu/prover/io/iden3/zkey_coefficients_impl.hpp>
#include <zkgpu/prover/io/iden3/zkey_file.hpp>

namespace zkgpu::io {

namespace detail {

template <class Points>
void write_point_section(ByteSink& sink, std::uint32_t id, const Points& points) {
  const auto bytes = std::as_bytes(std::span(points));
  write_section_header(sink, id, bytes.size());
  sink.write(bytes);
}

template <Curve C>
void write_zkey_header(ByteSink& sink, const ProvingKey<C>& key) {
  using Fq = typename C::Fq;
  using Fr = typename C::Fr;
  constexpr std::size_t g1 = sizeof(key.beta_g1);
  constexpr std::size_t g2 = sizeof(key.vk.beta_g2);
  write_section_header(sink, 2, 8 + integer_bytes<Fq> + integer_bytes<Fr> + 12 + 3 * g1 + 3 * g2);
  write_u32_le(sink, static_cast<std::uint32_t>(integer_bytes<Fq>));
  sink.write(modulus_bytes<Fq>());
  write_u32_le(sink, static_cast<std::uint32_t>(integer_bytes<Fr>));
  sink.write(modulus_bytes<Fr>());
  write_u32_le(sink, key.num_wires);
  write_u32_le(sink, static_cast<std::uint32_t>(key.num_public()));
  write_u32_le(sink, static_cast<std::uint32_t>(key.domain_size()));
  const auto point = [&](const auto& p) { sink.write(std::as_bytes(std::span(&p, 1))); };
  point(key.vk.alpha_g1);
  point(key.beta_g1);
  point(key.vk.beta_g2);
  point(key.vk.gamma_g2);
  point(key.delta_g1);
  point(key.vk.delta_g2);
}

template <Curve C>
void require_zkey_form(const ProvingKey<C>& key) {
  const std::size_t rows = key.domain_size();
  const bool fits = key.h_basis == HBasis::lagrange_odd_coset &&
                    key.layout == QueryLayout::per_wire && key.a.size() == key.num_wires &&
                    key.b_g1.size() == key.num_wires && key.b_g2.size() == key.num_wires &&
                    key.l.size() + key.vk.ic.size() == key.num_wires && key.h.size() == rows &&
                    key.a_matrix.rows() == rows && key.b_matrix.rows() == rows;
  if (!fits) {
    throw InvalidArgument(
        "write_zkey: a .zkey holds one point a wire, H in the Lagrange basis and both matrices");
  }
}

}  // namespace detail

template <Curve C>
void write_zkey(ByteSink& sink, const ProvingKey<C>& key, const ZkeyCeremony& ceremony) {
  detail::require_zkey_form(key);
  write_container_header(sink, "zkey", 1, ceremony.present ? 10 : 9);
  write_section_header(sink, 1, 4);
  write_u32_le(sink, 1);
  detail::write_zkey_header(sink, key);
  detail::write_point_section(sink, 3, key.vk.ic);
  detail::write_zkey_coefficients(sink, key);
  detail::write_point_section(sink, 5, key.a);
  detail::write_point_section(sink, 6, key.b_g1);
  detail::write_point_section(sink, 7, key.b_g2);
  detail::write_point_section(sink, 8, key.l);
  detail::write_point_section(sink, 9, key.h);
  if (ceremony.present) {
    write_section_header(sink, 10, ceremony.bytes.size());
    sink.write(ceremony.bytes);
  }
}

}  // namespace zkgpu::io
