// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstdint>
#include <string>

#include "files/keys.hpp"

namespace zkgpu::cli {

/// In which form a verifying key is written.
enum class VerifyingKeyForm : std::uint8_t { json, bellman };

/// JSON, unless the name ends in .vk.
[[nodiscard]] VerifyingKeyForm verifying_key_form_of(const std::string& path);

/// The text or bytes of a verifying key.
/// @param from  the file it came from, for the message
/// @throws InvalidArgument for bellman's form, when that file had no beta and delta in G1
[[nodiscard]] std::string format_verifying_key(const LoadedVerifyingKey& vk, VerifyingKeyForm form,
                                               const std::string& from);

}  // namespace zkgpu::cli
