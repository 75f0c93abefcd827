// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <zkgpu/core/error.hpp>

namespace zkgpu::porep::c1 {

/// Where in the data a reader stands, by names and indices from the outside in:
/// "vanilla_proofs.StackedDrg32GiBV1[3][17].comm_d_proofs".
class Place {
 public:
  explicit Place(std::string file) : file_(std::move(file)) {}
  Place(const Place&) = delete;
  Place& operator=(const Place&) = delete;

  /// One step inwards, for as long as it lives.
  class Step {
   public:
    Step(Place& place, std::string_view name, std::size_t index) : place_(place) {
      place_.steps_.push_back({name, index});
    }
    ~Step() { place_.steps_.pop_back(); }
    Step(const Step&) = delete;
    Step& operator=(const Step&) = delete;

   private:
    Place& place_;
  };
  /// @param name  outlives the step
  [[nodiscard]] Step field(std::string_view name) { return {*this, name, 0}; }
  [[nodiscard]] Step item(std::size_t index) { return {*this, {}, index}; }

  [[nodiscard]] std::string path() const {
    std::string text;
    for (const auto& [name, index] : steps_) {
      if (name.empty()) {
        text += "[" + std::to_string(index) + "]";
      } else {
        text += (text.empty() ? "" : ".") + std::string(name);
      }
    }
    return text;
  }
  [[noreturn]] void fail(std::uint64_t offset, const std::string& what) const {
    throw Malformed({file_, path(), offset}, what);
  }

 private:
  struct Entry {
    std::string_view name;  // empty: an index
    std::size_t index;
  };
  std::string file_;
  std::vector<Entry> steps_;
};

/// A field of an object.
struct Field {
  std::string_view name;
  bool of_json = false;  ///< only JSON has it, always null, and it may be missing there
};

}  // namespace zkgpu::porep::c1
