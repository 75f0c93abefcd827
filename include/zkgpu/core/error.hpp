// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstdint>
#include <new>
#include <stdexcept>
#include <string>
#include <string_view>

namespace zkgpu {

/// Why an operation did not give a result. One enumeration for library, command line and daemon.
/// The value is the exit status of the command line.
enum class ErrorKind : int {
  invalid_argument = 2,     ///< a bad option, a wrong count, a size that disagrees with its plan
  malformed = 3,            ///< outside data breaks a rule of its format
  insecure_key = 4,         ///< a key anyone could forge proofs for, or whose halves disagree
  witness_unsatisfied = 5,  ///< the witness fits the file rules but not the constraints
  resource_exhausted = 6,   ///< memory, device memory, disk or a queue is full
  device_error = 7,         ///< a device failed and every fallback was used or forbidden
  self_check_failed = 8,    ///< a proof did not verify after retries; it is never returned
  io = 9,                   ///< a file is missing, unreadable, irregular, changed or truncated
  cancelled = 10,           ///< cancelled by the caller, or its deadline passed
  internal = 70,            ///< a bug
};

/// The name of a kind as logs and `--json` write it.
constexpr std::string_view to_string(ErrorKind kind) noexcept {
  switch (kind) {
    case ErrorKind::invalid_argument: return "InvalidArgument";
    case ErrorKind::malformed: return "Malformed";
    case ErrorKind::insecure_key: return "InsecureKey";
    case ErrorKind::witness_unsatisfied: return "WitnessUnsatisfied";
    case ErrorKind::resource_exhausted: return "ResourceExhausted";
    case ErrorKind::device_error: return "DeviceError";
    case ErrorKind::self_check_failed: return "SelfCheckFailed";
    case ErrorKind::io: return "Io";
    case ErrorKind::cancelled: return "Cancelled";
    case ErrorKind::internal: return "Internal";
  }
  return "Internal";
}

/// Base of everything the host API throws.
class Error : public std::runtime_error {
 public:
  Error(ErrorKind kind, const std::string& message) : std::runtime_error(message), kind_(kind) {}
  [[nodiscard]] ErrorKind kind() const noexcept { return kind_; }

 private:
  ErrorKind kind_;
};

/// One exception type per kind, so that a caller can catch what it can handle.
template <ErrorKind Kind>
class ErrorOf : public Error {
 public:
  explicit ErrorOf(const std::string& message) : Error(Kind, message) {}
};

using InvalidArgument = ErrorOf<ErrorKind::invalid_argument>;
using InsecureKey = ErrorOf<ErrorKind::insecure_key>;
using WitnessUnsatisfied = ErrorOf<ErrorKind::witness_unsatisfied>;
using ResourceExhausted = ErrorOf<ErrorKind::resource_exhausted>;
using DeviceError = ErrorOf<ErrorKind::device_error>;
using SelfCheckFailed = ErrorOf<ErrorKind::self_check_failed>;
using IoError = ErrorOf<ErrorKind::io>;
using Cancelled = ErrorOf<ErrorKind::cancelled>;
using InternalError = ErrorOf<ErrorKind::internal>;

/// Where in outside data something is wrong. Names places, never contents.
struct Location {
  std::string file;          ///< path, or what stands for one ("proof", "request")
  std::string section;       ///< section or object of the format, may be empty
  std::uint64_t offset = 0;  ///< bytes from the start of the file
};

/// Outside data breaks a rule of its format; the message names file, section, offset and field.
class Malformed : public Error {
 public:
  Malformed(const Location& at, const std::string& what)
      : Error(ErrorKind::malformed, describe(at, what)), at_(at) {}
  /// For data that has no place in a file: a point, a scalar, a string.
  explicit Malformed(const std::string& what) : Error(ErrorKind::malformed, what) {}
  [[nodiscard]] const Location& where() const noexcept { return at_; }

 private:
  static std::string describe(const Location& at, const std::string& what) {
    std::string text = at.file;
    if (!at.section.empty()) text += ": " + at.section;
    return text + " at byte " + std::to_string(at.offset) + ": " + what;
  }
  Location at_;
};

/// f(), where memory that cannot be had, or more than a container can hold, becomes a
/// ResourceExhausted.
/// @param what  who asks for it
template <class Function>
decltype(auto) with_typed_memory_errors(const char* what, Function&& f) {
  try {
    return f();
  } catch (const std::bad_alloc&) {
    throw ResourceExhausted(std::string(what) + ": out of memory");
  } catch (const std::length_error&) {
    throw ResourceExhausted(std::string(what) + ": more elements than memory has addresses");
  }
}

}  // namespace zkgpu
