// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <array>
#include <string_view>

#include <zkgpu/prover/io/bytes/cursor.hpp>
#include <zkgpu/prover/io/bytes/field_bytes.hpp>
#include <zkgpu/prover/io/iden3/container.hpp>
#include <zkgpu/prover/io/iden3/wtns_file.hpp>

namespace zkgpu::io {

namespace detail {
inline constexpr std::array<std::string_view, 2> wtns_sections = {"header", "values"};
inline constexpr ContainerRules wtns_rules = {"wtns", 2, wtns_sections};
}  // namespace detail

template <PrimeField F>
Witness<F> read_wtns(ByteSource& source) {
  using Integer = typename F::Integer;
  const Container container = read_container(source, detail::wtns_rules);
  const Section& header = container.require(1);
  const auto bytes = read_section(source, container, header, 256);
  Cursor at(bytes, container.file, container.name_of(1), header.offset);
  expect_prime(at, modulus_bytes<F>(), "r");
  const std::uint32_t count = at.u32_le("number of values");
  if (count == 0) at.fail("number of values is 0: value 0 is always there", 4);
  at.expect_end("the header");

  const Section& section = container.require(2);
  container.expect_items(section, count, sizeof(Integer), "the number of values");
  Witness<F> witness;
  witness.values = allocate_array<Integer, true>(source, count);
  source.read(section.offset, std::as_writable_bytes(std::span(witness.values)));
  source.expect_unchanged();
  for (std::size_t i = 0; i < witness.values.size(); ++i) {
    if (!F::is_canonical(witness.values[i])) {
      throw Malformed({container.file, container.name_of(2), section.offset + i * sizeof(Integer)},
                      "value " + std::to_string(i) + " is not below r");
    }
  }
  if (!(witness.values[0] == Integer::from_uint64(1))) {
    throw Malformed({container.file, container.name_of(2), section.offset}, "value 0 is not 1");
  }
  return witness;
}

template <PrimeField F>
void write_wtns(ByteSink& sink, const Witness<F>& witness) {
  const auto values = std::as_bytes(std::span(witness.values));
  write_container_header(sink, "wtns", 2, 2);
  write_section_header(sink, 1, 4 + integer_bytes<F> + 4);
  write_u32_le(sink, static_cast<std::uint32_t>(integer_bytes<F>));
  sink.write(modulus_bytes<F>());
  write_u32_le(sink, static_cast<std::uint32_t>(witness.values.size()));
  write_section_header(sink, 2, values.size());
  sink.write(values);
}

}  // namespace zkgpu::io
