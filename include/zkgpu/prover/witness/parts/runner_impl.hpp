// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <oneapi/tbb/task_group.h>

#include <cstddef>
#include <span>
#include <type_traits>
#include <vector>

#include <zkgpu/core/error.hpp>
#include <zkgpu/core/wipe.hpp>
#include <zkgpu/prover/witness/parts/counter.hpp>

namespace zkgpu {

namespace detail {

/// What a part gave back, in the form in which it does, `by` further on.
template <class Made>
Made made_again(const std::vector<Variable>& made, const CircuitOffset& by) {
  const auto moved = [&](Variable variable) {
    variable.index += variable.is_public() ? by.inputs : by.auxiliary;
    return variable;
  };
  if constexpr (std::is_same_v<Made, Variable>) {
    return moved(made.front());
  } else {
    static_assert(std::is_same_v<Made, std::vector<Variable>>,
                  "a part gives back a Variable, a std::vector of them, or nothing");
    std::vector<Variable> all;
    all.reserve(made.size());
    for (const Variable variable : made) all.push_back(moved(variable));
    return all;
  }
}

}  // namespace detail

/// Runs f in a frame of its own, on any thread, and wipes what it leaves on that thread's stack.
template <class Function>
void without_trace(const Function& f) {
  const StackWipe wipe;
  const auto apart = [&]() __attribute__((noinline)) { f(); };
  apart();
}

/// A slice (`WitnessSlice`, `RowSlice`) that walks the parts of a circuit on all threads of the
/// arena, each at the place where a `PartCounter` saw it; itself walks what is in no part.
///
/// @cost  a task a part; waits at each `join_parts`, and helps while it waits
template <class Slice>
class PartRunner : public Slice {
 public:
  /// @param begin  the slice at the circuit's begin
  /// @param parts  of the same circuit, counted; must outlive this
  /// @param moved  how far behind the counted walk this one is
  PartRunner(const Slice& begin, std::span<const CircuitPart> parts, const CircuitOffset& moved)
      : Slice(begin), parts_(parts), moved_(moved) {}
  PartRunner(const PartRunner&) = delete;
  PartRunner& operator=(const PartRunner&) = delete;

  /// @throws InternalError if the circuit's parts are not those counted
  template <class Part>
  std::invoke_result_t<const Part&, Slice&> add_part(const Part& part) {
    using Made = std::invoke_result_t<const Part&, Slice&>;
    if (next_ >= parts_.size() || !same_variables(parts_[next_].begin + moved_, this->offset())) {
      fail();
    }
    const CircuitPart& known = parts_[next_++];
    const CircuitOffset end = known.end + moved_;
    joined_ = false;
    tasks_.run([part, end, here = Slice(*this)] {
      without_trace([&] {
        Slice slice = here;
        part(slice);
        if (!same_variables(slice.offset(), end)) fail();
      });
    });
    this->move_to(end);
    if constexpr (!std::is_void_v<Made>) return detail::made_again<Made>(known.made, moved_);
  }
  void join_parts() {
    joined_ = true;
    if (tasks_.wait() == oneapi::tbb::canceled) {  // by an error in what runs beside this walk
      throw InternalError("PartRunner: parts were abandoned");
    }
  }
  /// For a walk that ends early: nobody wants any more what the parts do.
  void abandon_parts() noexcept {
    if (joined_) return;
    joined_ = true;
    tasks_.cancel();
    try {
      tasks_.wait();
    } catch (...) {  // the error that ended the walk is on its way
    }
  }

 private:
  /// Slices of values do not count constraints.
  static bool same_variables(const CircuitOffset& a, const CircuitOffset& b) noexcept {
    return a.inputs == b.inputs && a.auxiliary == b.auxiliary;
  }
  [[noreturn]] static void fail() {
    throw InternalError("PartRunner: another circuit than was counted");
  }

  std::span<const CircuitPart> parts_;
  CircuitOffset moved_;
  oneapi::tbb::task_group tasks_;
  std::size_t next_ = 0;
  bool joined_ = true;
};

}  // namespace zkgpu
