// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <exception>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include <zkgpu/core/error.hpp>

namespace zkgpu::cli {

/// Why the program ends without a result.
struct Failure {
  ErrorKind kind = ErrorKind::internal;
  std::string message;
  std::optional<Location> at;  ///< of malformed data, when it has a place in a file
};

/// Any exception as a failure: an `Error` keeps its kind, memory that cannot be had is
/// ResourceExhausted, everything else is a bug.
[[nodiscard]] Failure describe(const std::exception_ptr& error);

/// One line, with its newline: `zkgpu: error: <kind>: <message>`, or a JSON object
/// `{"error": {"kind", "exit", "message", "file", "section", "offset"}}`.
[[nodiscard]] std::string format(const Failure& failure, bool json);

/// That object's inside, as JSON: for a result that carries its failure.
[[nodiscard]] nlohmann::ordered_json error_object(const Failure& failure);

/// A line of text without control characters: file names and messages may hold any byte.
[[nodiscard]] std::string one_line(std::string text);

/// Writes the failure to standard error. @return the exit status
int report(const Failure& failure, bool json);

}  // namespace zkgpu::cli
