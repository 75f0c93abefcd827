// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <concepts>
#include <string_view>

#include <zkgpu/prover/groth16/stages/key_place.hpp>

/// The first value of the memory policy: where the key's points are. Tags only: stages act on it.
namespace zkgpu::pipeline {

struct load_per_proof {
  static constexpr std::string_view name = "load_per_proof";
  static constexpr KeyPlace place = KeyPlace::load_per_proof;
};
struct resident_host {
  static constexpr std::string_view name = "resident_host";
  static constexpr KeyPlace place = KeyPlace::resident_host;
};
struct budgeted_lru {
  static constexpr std::string_view name = "budgeted_lru";
  static constexpr KeyPlace place = KeyPlace::budgeted_lru;
};
struct resident_device {
  static constexpr std::string_view name = "resident_device";
  static constexpr KeyPlace place = KeyPlace::resident_device;
};
struct split_resident {
  static constexpr std::string_view name = "split_resident";
  static constexpr KeyPlace place = KeyPlace::split_resident;
};

template <class K>
concept KeyPart = requires {
  { K::place } -> std::convertible_to<KeyPlace>;
};

}  // namespace zkgpu::pipeline
