// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstdint>
#include <type_traits>
#include <vector>

#include <zkgpu/core/error.hpp>
#include <zkgpu/prover/circuit/parts.hpp>
#include <zkgpu/prover/witness/slice.hpp>

namespace zkgpu {

/// A part of a circuit as it was counted: where it begins and ends, and what it gave back.
struct CircuitPart {
  CircuitOffset begin, end;
  std::vector<Variable> made;
};

namespace detail {

inline void flatten_made(Variable made, std::vector<Variable>& to) { to.assign(1, made); }
inline void flatten_made(const std::vector<Variable>& made, std::vector<Variable>& to) {
  to = made;
}

}  // namespace detail

/// Counts a circuit, and where its parts are.
template <PrimeField F>
class PartCounter : public OffsetCounter<F> {
 public:
  using OffsetCounter<F>::OffsetCounter;

  template <class Part>
  std::invoke_result_t<const Part&, OffsetCounter<F>&> add_part(const Part& part) {
    OffsetCounter<F>& inside = *this;
    CircuitPart& known = parts_.emplace_back(CircuitPart{this->offset(), {}, {}});
    if constexpr (std::is_void_v<std::invoke_result_t<const Part&, OffsetCounter<F>&>>) {
      part(inside);
      known.end = this->offset();
    } else {
      auto made = part(inside);
      known.end = this->offset();
      detail::flatten_made(made, known.made);
      for (const Variable variable : known.made) expect_own(variable, known);
      return made;
    }
  }

  /// In the order of the walk. A part within a part is of it.
  [[nodiscard]] const std::vector<CircuitPart>& parts() const noexcept { return parts_; }

 private:
  static void expect_own(Variable variable, const CircuitPart& part) {
    const bool open = variable.is_public();
    const std::uint32_t first = open ? part.begin.inputs : part.begin.auxiliary;
    const std::uint32_t end = open ? part.end.inputs : part.end.auxiliary;
    if (variable.index < first || variable.index >= end) {
      throw InternalError("PartCounter: a part gives back a variable that it did not make");
    }
  }

  std::vector<CircuitPart> parts_;
};

}  // namespace zkgpu
