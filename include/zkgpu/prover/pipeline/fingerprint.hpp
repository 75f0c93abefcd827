// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <string>
#include <string_view>

#include <zkgpu/prover/pipeline/policy.hpp>

namespace zkgpu::pipeline {

namespace detail {

/// A type as its source names it, without this namespace.
template <class T>
[[nodiscard]] std::string type_name() {
  std::string text = __PRETTY_FUNCTION__;  // "... [with T = name; ...]" or "... [T = name]"
  text.erase(0, text.find("T = ") + 4);
  const std::size_t end = text.find(';');
  text.erase(end == std::string::npos ? text.rfind(']') : end);
  for (const std::string_view space : {"zkgpu::pipeline::", "zkgpu::"}) {
    for (std::size_t at = text.find(space); at != std::string::npos; at = text.find(space, at)) {
      text.erase(at, space.size());
    }
  }
  return text;
}

}  // namespace detail

/// What a policy is made of, its five parts in their order: "pools | locks | staging | memory |
/// flow". Two runs with equal fingerprints and equal limits were run alike.
template <PipelinePolicy P>
[[nodiscard]] std::string fingerprint() {
  return detail::type_name<typename P::ThreadPools>() + " | " +
         detail::type_name<typename P::LockModel>() + " | " +
         detail::type_name<typename P::Staging>() + " | " +
         detail::type_name<typename P::Memory>() + " | " + detail::type_name<typename P::Flow>();
}

}  // namespace zkgpu::pipeline
