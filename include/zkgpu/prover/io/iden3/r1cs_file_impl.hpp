// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <oneapi/tbb/parallel_for.h>

#include <array>
#include <atomic>
#include <string_view>

#include <zkgpu/prover/io/bytes/cursor.hpp>
#include <zkgpu/prover/io/bytes/field_bytes.hpp>
#include <zkgpu/prover/io/bytes/ordered_read.hpp>
#include <zkgpu/prover/io/iden3/container.hpp>
#include <zkgpu/prover/io/iden3/r1cs_file.hpp>

namespace zkgpu::io {

namespace detail {

inline constexpr std::array<std::string_view, 5> r1cs_sections = {
    "header", "constraints", "wire map", "custom gates list", "custom gates application"};
inline constexpr ContainerRules r1cs_rules = {"r1cs", 1, r1cs_sections};

/// Reads section 1 and returns the number of constraints.
template <PrimeField F>
std::uint32_t read_r1cs_header(ByteSource& source, const Container& container, R1csFile<F>& file) {
  const Section& section = container.require(1);
  const auto bytes = read_section(source, container, section, 256);
  Cursor at(bytes, container.file, container.name_of(1), section.offset);
  expect_prime(at, modulus_bytes<F>(), "r");
  R1cs<F>& system = file.system;
  system.num_wires = at.u32_le("number of wires");
  if (system.num_wires == 0) at.fail("number of wires is 0: wire 0 is always there", 4);
  file.num_outputs = at.u32_le("number of public outputs");
  file.num_public_inputs = at.u32_le("number of public inputs");
  file.num_private_inputs = at.u32_le("number of private inputs");
  const std::uint64_t named =
      std::uint64_t{1} + file.num_outputs + file.num_public_inputs + file.num_private_inputs;
  if (named > system.num_wires) {
    at.fail("outputs and inputs make " + std::to_string(named) + " wires with the constant, " +
                "more than the " + std::to_string(system.num_wires) + " of the system",
            12);
  }
  system.num_public = file.num_outputs + file.num_public_inputs;
  file.num_labels = at.u64_le("number of labels");
  if (file.num_labels < system.num_wires) at.fail("number of labels is below that of wires", 8);
  const std::uint32_t constraints = at.u32_le("number of constraints");
  at.expect_end("the header");
  return constraints;
}

/// Bytes of one term: u32 wire, coefficient.
template <PrimeField F>
inline constexpr std::size_t term_bytes = 4 + integer_bytes<F>;

/// First pass: finds where each constraint starts and how many terms each row has.
template <PrimeField F>
Array<std::uint64_t> scan_constraints(std::span<const std::byte> bytes, const Container& container,
                                      ByteSource& source, std::uint32_t count, R1cs<F>& system) {
  const Section& section = container.require(2);
  if (count > bytes.size() / 12) {  // three empty combinations
    throw Malformed({container.file, container.name_of(2), section.offset},
                    "number of constraints " + std::to_string(count) + " does not fit the " +
                        std::to_string(bytes.size()) + " bytes of the section");
  }
  // The form first: nothing is allocated for a section that does not add up.
  Cursor form(bytes, container.file, container.name_of(2), section.offset);
  for (std::uint64_t combination = 0; combination < 3 * std::uint64_t{count}; ++combination) {
    form.take(form.count_le(term_bytes<F>, "number of terms") * term_bytes<F>, "terms");
  }
  form.expect_end("the last constraint");
  auto starts = allocate_array<std::uint64_t>(source, count);
  CsrMatrix<F>* const matrices[] = {&system.a, &system.b, &system.c};
  for (CsrMatrix<F>* m : matrices) {
    m->row_start = allocate_array<std::uint64_t>(source, std::size_t{count} + 1);
    m->row_start[0] = 0;
  }
  Cursor at(bytes, container.file, container.name_of(2), section.offset);
  for (std::uint32_t row = 0; row < count; ++row) {
    starts[row] = at.offset() - section.offset;
    for (CsrMatrix<F>* m : matrices) {
      const std::uint32_t terms = at.count_le(term_bytes<F>, "number of terms");
      at.take(terms * term_bytes<F>, "terms");
      m->row_start[row + 1] = m->row_start[row] + terms;
    }
  }
  at.expect_end("the last constraint");
  for (CsrMatrix<F>* m : matrices) {
    m->column = allocate_array<std::uint32_t>(source, m->row_start[count]);
    m->value = allocate_array<F>(source, m->row_start[count]);
  }
  return starts;
}

/// Second pass, one constraint. @return the offset of the first bad term in `bytes`, or `none`
template <PrimeField F>
std::uint64_t convert_constraint(std::span<const std::byte> bytes, std::uint64_t start,
                                 std::size_t row, R1cs<F>& system, std::uint64_t none) {
  const std::byte* at = bytes.data() + start;
  for (CsrMatrix<F>* m : {&system.a, &system.b, &system.c}) {
    at += 4;  // the count, known from the first pass
    for (std::uint64_t i = m->row_start[row]; i < m->row_start[row + 1]; ++i) {
      const auto wire = load_le<std::uint32_t>(at);
      const auto coefficient = load_integer_le<F>(at + 4);
      if (wire >= system.num_wires || !F::is_canonical(coefficient)) {
        return static_cast<std::uint64_t>(at - bytes.data());
      }
      m->column[i] = wire;
      m->value[i] = F::from_integer(coefficient);
      at += term_bytes<F>;
    }
  }
  return none;
}

template <PrimeField F>
void read_constraints(ByteSource& source, const Container& container, std::uint32_t count,
                      R1cs<F>& system) {
  const Section& section = container.require(2);
  const auto bytes = read_section(source, container, section, section.size);
  const auto starts = scan_constraints<F>(bytes, container, source, count, system);
  const std::uint64_t none = bytes.size();
  std::atomic<std::uint64_t> first_bad = none;
  oneapi::tbb::parallel_for(std::uint32_t{0}, count, [&](std::uint32_t row) {
    const std::uint64_t bad = convert_constraint<F>(bytes, starts[row], row, system, none);
    std::uint64_t known = first_bad.load();
    while (bad < known && !first_bad.compare_exchange_weak(known, bad)) {
    }
  });
  if (first_bad == none) return;
  const auto wire = load_le<std::uint32_t>(bytes.data() + first_bad);
  throw Malformed({container.file, container.name_of(2), section.offset + first_bad},
                  wire >= system.num_wires
                      ? "wire " + std::to_string(wire) + " of a term, but there are only " +
                            std::to_string(system.num_wires) + " wires"
                      : std::string("coefficient of a term is not below r"));
}

inline void refuse_custom_gates(ByteSource& source, const Container& container) {
  for (const std::uint32_t id : {std::uint32_t{4}, std::uint32_t{5}}) {
    const Section* section = container.find(id);
    if (section == nullptr) continue;
    std::array<std::byte, 4> count{};
    if (section->size == count.size()) source.read(section->offset, count);
    if (section->size != count.size() || load_le<std::uint32_t>(count.data()) != 0) {
      throw Malformed({container.file, container.name_of(id), section->offset},
                      "custom gates are not supported");
    }
  }
}

template <PrimeField F>
void write_combination(ByteSink& sink, const CsrMatrix<F>& matrix, std::size_t row) {
  const auto columns = matrix.columns_of(row);
  const auto values = matrix.values_of(row);
  write_u32_le(sink, static_cast<std::uint32_t>(columns.size()));
  for (std::size_t i = 0; i < columns.size(); ++i) {
    write_u32_le(sink, columns[i]);
    sink.write(integer_to_le<F>(values[i].to_integer()));
  }
}

}  // namespace detail

template <PrimeField F>
R1csFile<F> read_r1cs(ByteSource& source) {
  const Container container = read_container(source, detail::r1cs_rules);
  R1csFile<F> file;
  file.warnings = container.warnings;
  detail::refuse_custom_gates(source, container);
  const std::uint32_t constraints = detail::read_r1cs_header(source, container, file);
  const Section& map = container.require(3);
  container.expect_items(map, file.system.num_wires, 8, "the number of wires");
  detail::read_constraints<F>(source, container, constraints, file.system);
  file.wire_labels = allocate_array<std::uint64_t>(source, file.system.num_wires);
  source.read(map.offset, std::as_writable_bytes(std::span(file.wire_labels)));
  for (std::size_t wire = 0; wire < file.wire_labels.size(); ++wire) {
    if (file.wire_labels[wire] >= file.num_labels) {
      throw Malformed({container.file, container.name_of(3), map.offset + 8 * wire},
                      "label of wire " + std::to_string(wire) + " is not below their number");
    }
  }
  source.expect_unchanged();
  return file;
}

template <PrimeField F>
void write_r1cs(ByteSink& sink, const R1csFile<F>& file) {
  const R1cs<F>& system = file.system;
  const std::uint64_t rows = system.num_constraints();
  const std::uint64_t terms = system.a.entries() + system.b.entries() + system.c.entries();
  write_container_header(sink, "r1cs", 1, 3);
  write_section_header(sink, 2, 12 * rows + terms * detail::term_bytes<F>);
  for (std::size_t row = 0; row < rows; ++row) {
    for (const auto* matrix : {&system.a, &system.b, &system.c}) {
      detail::write_combination(sink, *matrix, row);
    }
  }
  write_section_header(sink, 1, 4 + integer_bytes<F> + 28);
  write_u32_le(sink, static_cast<std::uint32_t>(integer_bytes<F>));
  sink.write(modulus_bytes<F>());
  write_u32_le(sink, system.num_wires);
  write_u32_le(sink, file.num_outputs);
  write_u32_le(sink, file.num_public_inputs);
  write_u32_le(sink, file.num_private_inputs);
  write_u64_le(sink, file.num_labels);
  write_u32_le(sink, static_cast<std::uint32_t>(rows));
  write_section_header(sink, 3, 8 * std::uint64_t{system.num_wires});
  sink.write(std::as_bytes(std::span(file.wire_labels)));
}

}  // namespace zkgpu::io
