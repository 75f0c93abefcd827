// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <zkgpu/core/error.hpp>
#include <zkgpu/prover/circuit/constraint_system.hpp>
#include <zkgpu/prover/io/bytes/digest.hpp>

namespace zkgpu::io {

/// What is known of a constraint system without keeping it.
struct R1csSummary {
  std::uint64_t inputs = 1;  ///< public variables, the constant one included
  std::uint64_t auxiliary = 0;
  std::uint64_t constraints = 0;
  std::array<std::uint64_t, 3> entries{};  ///< of A, B, C
  std::uint64_t a_auxiliary_density = 0;   ///< auxiliary variables that occur in A
  std::uint64_t b_input_density = 0;       ///< public variables that occur in B
  std::uint64_t b_auxiliary_density = 0;
  Digest digest;
  friend bool operator==(const R1csSummary&, const R1csSummary&) = default;
};

/// How far a circuit was after some of its constraints.
struct R1csCheckpoint {
  std::uint64_t inputs = 1, auxiliary = 0, constraints = 0;
  Digest digest;  ///< of the constraints so far
  friend bool operator==(const R1csCheckpoint&, const R1csCheckpoint&) = default;
};

/// The constraint system that keeps nothing but a digest: the fingerprint by which implementations
/// of one circuit are compared, at any size, in two bits a variable.
///
/// The digest is SHA-256 over all constraints in order; of each, A, then B, then C: the number of
/// terms (u32), and for each term its kind (u8: 0 public, 1 auxiliary), its index among its kind
/// (u32) and its coefficient (32 bytes), all little-endian. Terms are merged, none is zero, public
/// ones first, then by index.
template <PrimeField F>
class R1csDigest {
 public:
  using Scalar = F;
  static constexpr bool has_values = false;

  /// @param stops  numbers of constraints, ascending, after which to note a checkpoint
  explicit R1csDigest(std::vector<std::uint64_t> stops = {}) : stops_(std::move(stops)) {
    buffer_.reserve(buffer_bytes);
  }

  template <std::invocable Value>
  Variable allocate(const Value&) {
    return {Variable::Kind::auxiliary, next(summary_.auxiliary)};
  }
  template <std::invocable Value>
  Variable allocate_public(const Value&) {
    return {Variable::Kind::public_input, next(summary_.inputs)};
  }
  /// Never called: there are no values. @throws InternalError
  F value(Variable) const { throw InternalError("R1csDigest: a digest has no values"); }
  F value(const LinearCombination<F>&) const { return value(Variable::one()); }

  void enforce(const LinearCombination<F>& a, const LinearCombination<F>& b,
               const LinearCombination<F>& c) {
    take(a, 0);
    take(b, 1);
    take(c, 2);
    ++summary_.constraints;
    if (next_stop_ < stops_.size() && summary_.constraints == stops_[next_stop_]) {
      ++next_stop_;
      flush();
      checkpoints_.push_back(
          {summary_.inputs, summary_.auxiliary, summary_.constraints, stream_.so_far()});
    }
  }

  /// The rows that key generators append, one a public variable: x_i · 0 = 0.
  void append_input_rows() {
    const auto inputs = static_cast<std::uint32_t>(summary_.inputs);
    for (std::uint32_t i = 0; i < inputs; ++i) {
      enforce(Variable{Variable::Kind::public_input, i}, {}, {});
    }
  }

  /// Of everything so far.
  [[nodiscard]] R1csSummary summary() {
    flush();
    R1csSummary result = summary_;
    result.digest = stream_.so_far();
    result.a_auxiliary_density = a_.auxiliary;
    result.b_input_density = b_.inputs;
    result.b_auxiliary_density = b_.auxiliary;
    return result;
  }
  [[nodiscard]] std::span<const R1csCheckpoint> checkpoints() const noexcept {
    return checkpoints_;
  }

 private:
  static constexpr std::size_t buffer_bytes = std::size_t{1} << 16;

  /// Which variables have occurred in a matrix, and how many.
  struct Occurrences {
    std::vector<bool> seen[2];  ///< by kind
    std::uint64_t inputs = 0, auxiliary = 0;

    void insert(Variable variable) {
      std::vector<bool>& of_kind = seen[variable.is_public() ? 0 : 1];
      if (variable.index >= of_kind.size()) of_kind.resize(std::size_t{variable.index} * 2 + 64);
      if (of_kind[variable.index]) return;
      of_kind[variable.index] = true;
      ++(variable.is_public() ? inputs : auxiliary);
    }
  };

  static std::uint32_t next(std::uint64_t& count) {
    if (count >= (std::uint64_t{1} << 31)) {
      throw InvalidArgument("circuit: more than 2^31 variables");
    }
    return static_cast<std::uint32_t>(count++);
  }

  void take(LinearCombination<F> row, std::size_t matrix) {
    row.normalize();
    const std::span<const Term<F>> terms = row.terms();
    put(static_cast<std::uint32_t>(terms.size()));
    for (const Term<F>& term : terms) {
      put(static_cast<std::uint8_t>(term.variable.is_public() ? 0 : 1));
      put(term.variable.index);
      put(term.coefficient == F::one() ? one_ : term.coefficient.to_integer());
      if (matrix == 0) a_.insert(term.variable);
      if (matrix == 1) b_.insert(term.variable);
    }
    summary_.entries[matrix] += terms.size();
  }
  template <class T>
  void put(const T& value) {
    if (buffer_.size() + sizeof(T) > buffer_bytes) flush();
    const std::size_t at = buffer_.size();
    buffer_.resize(at + sizeof(T));
    std::memcpy(buffer_.data() + at, &value, sizeof(T));
  }
  void flush() {
    stream_.update(buffer_);
    buffer_.clear();
  }

  typename F::Integer one_ = F::Integer::from_uint64(1);
  DigestStream stream_;
  std::vector<std::byte> buffer_;
  R1csSummary summary_;
  Occurrences a_, b_;
  std::vector<std::uint64_t> stops_;
  std::size_t next_stop_ = 0;
  std::vector<R1csCheckpoint> checkpoints_;
};

}  // namespace zkgpu::io
