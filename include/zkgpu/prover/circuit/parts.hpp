// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <zkgpu/prover/circuit/constraint_system.hpp>

namespace zkgpu {

/// Parts of a circuit that know nothing of each other, so that a system which can (`PartRunner`)
/// walks them at the same time: each has its place among the variables and constraints. To any
/// other system a part is what it contains.
///
/// ```cpp
/// Parts parts(cs);
/// const Variable left = parts.add([=](auto& part) { return heavy_gadget(part, x); });
/// const Variable right = parts.add([=](auto& part) { return heavy_gadget(part, y); });
/// parts.join();                         // from here the values of left and right are known
/// const Variable both = multiply(cs, left, right);
/// ```
///
/// Declared after everything that its parts refer to, so that they end before it does, however the
/// scope is left.
template <ConstraintSystem CS>
class Parts {
 public:
  explicit Parts(CS& cs) noexcept : cs_(cs) {}
  Parts(const Parts&) = delete;
  Parts& operator=(const Parts&) = delete;
  ~Parts() {
    if constexpr (requires { cs_.abandon_parts(); }) cs_.abandon_parts();
  }

  /// @param part  writes into the system that it is given, and into no other; gives back what it
  ///              made, a Variable or a vector of them, or nothing; not what others made. May run
  ///              on another thread until `join`: the values it reads are those allocated before
  ///              `add` outside of other parts, or before a `join`.
  template <class Part>
  auto add(const Part& part) {
    if constexpr (requires { cs_.add_part(part); }) {
      return cs_.add_part(part);
    } else {
      return part(cs_);
    }
  }

  /// All values are known after it. Must stand after the last part; more may follow it.
  /// @throws what a part threw
  void join() {
    if constexpr (requires { cs_.join_parts(); }) cs_.join_parts();
  }

 private:
  CS& cs_;
};

}  // namespace zkgpu
