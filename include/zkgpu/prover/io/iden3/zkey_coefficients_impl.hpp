// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/parallel_for.h>

#include <cstdint>
#include <span>
#include <string>

#include <zkgpu/core/array.hpp>
#include <zkgpu/prover/groth16/keys.hpp>
#include <zkgpu/prover/io/bytes/cursor.hpp>
#include <zkgpu/prover/io/bytes/field_bytes.hpp>
#include <zkgpu/prover/io/iden3/container.hpp>

/// Section 4 of a .zkey: u32 count, then count × {u32 matrix, u32 row, u32 wire, coefficient · R²}.
namespace zkgpu::io::detail {

/// Bytes of one entry: 44 for BLS12-381.
template <PrimeField F>
inline constexpr std::size_t coefficient_bytes = 12 + integer_bytes<F>;

template <PrimeField F>
void expect_coefficient_section(const Section& section, const Container& container) {
  if (section.size >= 4 && (section.size - 4) % coefficient_bytes<F> == 0) return;
  throw Malformed({container.file, container.name_of(4), section.offset},
                  "the section has " + std::to_string(section.size) +
                      " bytes, which is not 4 and a multiple of " +
                      std::to_string(coefficient_bytes<F>));
}

/// coef · R² as the file has it → coef · R, the Montgomery form: one product by R^-1.
template <PrimeField F>
F coefficient_from_file(const typename F::Integer& stored) noexcept {
  return F::from_montgomery(F::from_montgomery(stored).to_integer());
}

/// Montgomery form → coef · R² as the file has it: one product by R.
template <PrimeField F>
typename F::Integer coefficient_to_file(const F& coefficient) noexcept {
  return F::from_integer(coefficient.montgomery()).montgomery();
}

/// First pass: every entry is checked, and each row of both matrices counted.
template <Curve C>
void count_rows(Cursor& at, const std::byte* first, std::uint32_t count, ProvingKey<C>& key) {
  using Fr = typename C::Fr;
  const std::uint64_t rows = key.domain_size();
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::byte* entry = first + i * coefficient_bytes<Fr>;
    const auto matrix = load_le<std::uint32_t>(entry);
    const auto row = load_le<std::uint32_t>(entry + 4);
    const auto wire = load_le<std::uint32_t>(entry + 8);
    const char* problem = nullptr;
    if (matrix > 1)
      problem = "matrix is neither 0 (A) nor 1 (B)";
    else if (row >= rows)
      problem = "row is not below domainSize";
    else if (wire >= key.num_wires)
      problem = "wire is not below nVars";
    else if (!Fr::is_canonical(load_integer_le<Fr>(entry + 12)))
      problem = "value is not below r";
    if (problem != nullptr) {
      at.take(i * coefficient_bytes<Fr>, "coefficients");
      at.fail("coefficient " + std::to_string(i) + ": " + problem);
    }
    ++(matrix == 0 ? key.a_matrix : key.b_matrix).row_start[row + 1];
  }
}

/// Fills both matrices of the key from the bytes of section 4.
/// @throws Malformed
template <Curve C>
void convert_zkey_coefficients(std::span<const std::byte> bytes, const Container& container,
                               ByteSource& source, ProvingKey<C>& key) {
  using Fr = typename C::Fr;
  Cursor at(bytes, container.file, container.name_of(4), container.require(4).offset);
  const std::uint32_t count = at.u32_le("number of coefficients");
  if (at.left() / coefficient_bytes<Fr> != count) {
    at.fail("number of coefficients is " + std::to_string(count) + ", but the section holds " +
                std::to_string(at.left() / coefficient_bytes<Fr>),
            4);
  }
  const std::byte* first = bytes.data() + 4;
  const std::size_t rows = key.domain_size();
  CsrMatrix<Fr>* const matrices[] = {&key.a_matrix, &key.b_matrix};
  for (CsrMatrix<Fr>* m : matrices) {
    m->row_start = allocate_array<std::uint64_t>(source, rows + 1);
    std::fill(m->row_start.begin(), m->row_start.end(), 0);
  }
  count_rows(at, first, count, key);
  Array<std::uint64_t> next[2];  // where the next entry of a row goes
  for (const std::size_t which : {std::size_t{0}, std::size_t{1}}) {
    CsrMatrix<Fr>& m = *matrices[which];
    for (std::size_t row = 0; row < rows; ++row) m.row_start[row + 1] += m.row_start[row];
    m.column = allocate_array<std::uint32_t>(source, m.row_start[rows]);
    m.value = allocate_array<Fr>(source, m.row_start[rows]);
    next[which] = m.row_start;
  }
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::byte* entry = first + i * coefficient_bytes<Fr>;
    const auto which = load_le<std::uint32_t>(entry);
    const std::uint64_t to = next[which][load_le<std::uint32_t>(entry + 4)]++;
    matrices[which]->column[to] = load_le<std::uint32_t>(entry + 8);
    matrices[which]->value[to] = Fr::from_montgomery(load_integer_le<Fr>(entry + 12));
  }
  for (CsrMatrix<Fr>* m : matrices) {
    oneapi::tbb::parallel_for(oneapi::tbb::blocked_range<std::size_t>(0, m->value.size(), 4096),
                              [&](const oneapi::tbb::blocked_range<std::size_t>& range) {
                                for (std::size_t i = range.begin(); i < range.end(); ++i) {
                                  m->value[i] = coefficient_from_file<Fr>(m->value[i].montgomery());
                                }
                              });
  }
}

/// Writes section 4 with its header: row by row, A before B.
template <Curve C>
void write_zkey_coefficients(ByteSink& sink, const ProvingKey<C>& key) {
  using Fr = typename C::Fr;
  const std::uint64_t count = key.a_matrix.entries() + key.b_matrix.entries();
  write_section_header(sink, 4, 4 + count * coefficient_bytes<Fr>);
  write_u32_le(sink, static_cast<std::uint32_t>(count));
  for (std::size_t row = 0; row < key.domain_size(); ++row) {
    for (const std::uint32_t which : {std::uint32_t{0}, std::uint32_t{1}}) {
      const CsrMatrix<Fr>& matrix = which == 0 ? key.a_matrix : key.b_matrix;
      const auto columns = matrix.columns_of(row);
      const auto values = matrix.values_of(row);
      for (std::size_t i = 0; i < columns.size(); ++i) {
        write_u32_le(sink, which);
        write_u32_le(sink, static_cast<std::uint32_t>(row));
        write_u32_le(sink, columns[i]);
        sink.write(integer_to_le<Fr>(coefficient_to_file(values[i])));
      }
    }
  }
}

}  // namespace zkgpu::io::detail
