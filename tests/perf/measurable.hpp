// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

namespace zkgpu::test {

/// Whether times of this build say anything: optimised, and without sanitizers.
inline constexpr bool measurable =
#if !defined(__OPTIMIZE__) || defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    false;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || \
    __has_feature(undefined_behavior_sanitizer)
    false;
#else
    true;
#endif
#else
    true;
#endif

}  // namespace zkgpu::test
