// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include <zkgpu/backend/backend.hpp>
#include <zkgpu/backend/stage.hpp>
#include <zkgpu/core/error.hpp>
#include <zkgpu/core/span.hpp>
#include <zkgpu/prover/r1cs/row_product.hpp>
#include <zkgpu/prover/witness/compact_matrix.hpp>
#include <zkgpu/prover/witness/evaluate.hpp>

namespace zkgpu {

/// The place of a value that is not canonical, where there is none.
inline constexpr std::uint64_t all_canonical = static_cast<std::uint64_t>(-1);

/// A compact matrix as kernels read it.
template <PrimeField F>
struct CompactMatrixView {
  const std::uint64_t* row_start = nullptr;
  const std::uint32_t* column = nullptr;
  const std::uint32_t* coefficient = nullptr;
  const F* values = nullptr;
  const std::uint32_t* long_rows = nullptr;
  std::size_t rows = 0;
  std::size_t num_long_rows = 0;
};

/// What a device does with rows and wires; a backend specialises it.
///
/// `evaluate(queue, matrix, input_rows, radix, z, out)` enqueues out = M z on the domain: the rows,
/// `input_rows` rows with z_0, z_1, …, zeros. `gather(queue, z, wires, out)` enqueues out[i] =
/// z[wires[i]]. `first_not_canonical(queue, z, place)` enqueues place[0] = the least i of which z_i
/// is not below the order, or `all_canonical`.
template <PrimeField F, DeviceBackend B>
struct RowKernels {
  static_assert(always_false<F, B>,
                "no rows for this device: specialise zkgpu::RowKernels in prover/witness/");
};

/// The matrices of a key's domain on a device.
template <PrimeField F, DeviceBackend B>
class DeviceRows {
 public:
  /// Done when it returns.
  /// @throws InvalidArgument if there are more rows than domain elements; ResourceExhausted
  /// @cost   8 bytes an entry, 8 bytes a row, and an element for each coefficient but ±1 that
  ///   occurs
  DeviceRows(const B& backend, const typename B::Queue& queue, const DomainRows<F>& rows,
             std::size_t domain_size, std::size_t num_wires)
      : a_(backend, queue, CompactMatrix<F>::of(*rows.a)),
        b_(backend, queue, CompactMatrix<F>::of(*rows.b)),
        input_rows_(rows.input_rows),
        domain_size_(domain_size),
        num_wires_(num_wires) {
    if (rows.size() > domain_size || input_rows_ > num_wires) {
      throw InvalidArgument("evaluate: " + std::to_string(rows.size()) + " rows, domain of " +
                            std::to_string(domain_size) + ", " + std::to_string(num_wires) +
                            " wires");
    }
  }

  [[nodiscard]] CompactMatrixView<F> a() const noexcept { return a_.view(); }
  [[nodiscard]] CompactMatrixView<F> b() const noexcept { return b_.view(); }
  [[nodiscard]] std::size_t input_rows() const noexcept { return input_rows_; }
  [[nodiscard]] std::size_t domain_size() const noexcept { return domain_size_; }
  [[nodiscard]] std::size_t num_wires() const noexcept { return num_wires_; }

 private:
  template <class T>
  using Buffer = typename B::template Buffer<T>;

  class Matrix {
   public:
    /// Waits for the copies, also if one fails: the host's arrays end with the call.
    Matrix(const B& backend, const typename B::Queue& queue, const CompactMatrix<F>& from)
        : row_start_(backend.template allocate<std::uint64_t>(from.row_start.size())),
          column_(backend.template allocate<std::uint32_t>(from.column.size())),
          coefficient_(backend.template allocate<std::uint32_t>(from.coefficient.size())),
          values_(backend.template allocate<F>(from.values.size())),
          long_rows_(backend.template allocate<std::uint32_t>(from.long_rows.size())),
          rows_(from.rows()) {
      const DrainOnFailure<B> drain(queue);
      queue.upload(std::span<const std::uint64_t>(from.row_start), row_start_.span());
      queue.upload(std::span<const std::uint32_t>(from.column), column_.span());
      queue.upload(std::span<const std::uint32_t>(from.coefficient), coefficient_.span());
      queue.upload(std::span<const F>(from.values), values_.span());
      queue.upload(std::span<const std::uint32_t>(from.long_rows), long_rows_.span());
      queue.wait();
    }
    [[nodiscard]] CompactMatrixView<F> view() const noexcept {
      return {row_start_.span().data(), column_.span().data(),    coefficient_.span().data(),
              values_.span().data(),    long_rows_.span().data(), rows_,
              long_rows_.span().size()};
    }

   private:
    Buffer<std::uint64_t> row_start_;
    Buffer<std::uint32_t> column_, coefficient_;
    Buffer<F> values_;
    Buffer<std::uint32_t> long_rows_;
    std::size_t rows_;
  };

  Matrix a_, b_;
  std::size_t input_rows_, domain_size_, num_wires_;
};

/// A z and B z on a device.
template <PrimeField F, DeviceBackend B>
struct Evaluate<F, B> {
  static constexpr std::string_view name = "evaluate";
  using Input = DeviceSpan<const typename F::Integer>;  ///< z, canonical, one value a wire
  using Output = Evaluations<F, B>;

  const DeviceRows<F, B>* rows = nullptr;  ///< must outlive the stage

  /// Returns at once; `z` stays as it is until the queue drains.
  /// @throws InvalidArgument if there is not a value for each wire; DeviceError
  /// @cost   a product for each entry that is not ±1, and one a row; 40 bytes an entry
  Output operator()(StageContext<B>& at, const Input& z) const {
    if (z.size() != rows->num_wires()) {
      throw InvalidArgument("evaluate: " + std::to_string(z.size()) + " values for " +
                            std::to_string(rows->num_wires()) + " wires");
    }
    const std::size_t n = rows->domain_size();
    Output out{at.template scratch<F>(n), at.template scratch<F>(n)};
    const DrainOnFailure<B> drain(at.queue);
    const F radix = montgomery_radix<F>();
    RowKernels<F, B>::evaluate(at.queue, rows->a(), rows->input_rows(), radix, z, out.a.span());
    RowKernels<F, B>::evaluate(at.queue, rows->b(), 0, radix, z, out.b.span());
    return out;
  }
};

}  // namespace zkgpu
