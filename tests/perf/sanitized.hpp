// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

namespace zkgpu::test {

/// Whether this build watches memory or threads: then its memory and time say nothing about the
/// program, and stacks cannot be looked at.
inline constexpr bool sanitized =
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
    true;
#else
    false;
#endif
#else
    false;
#endif

}  // namespace zkgpu::test
