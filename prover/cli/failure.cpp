// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "cli/failure.hpp"

#include <cstddef>
#include <cstdio>
#include <new>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <system_error>

namespace zkgpu::cli {

Failure describe(const std::exception_ptr& error) {
  try {
    std::rethrow_exception(error);
  } catch (const Malformed& e) {
    const bool placed = !e.where().file.empty();
    return {e.kind(), e.what(), placed ? std::optional<Location>(e.where()) : std::nullopt};
  } catch (const Error& e) {
    return {e.kind(), e.what(), {}};
  } catch (const std::bad_alloc&) {
    return {ErrorKind::resource_exhausted, "out of memory", {}};
  } catch (const std::system_error& e) {
    const bool exhausted = e.code() == std::errc::resource_unavailable_try_again ||
                           e.code() == std::errc::not_enough_memory;
    return {exhausted ? ErrorKind::resource_exhausted : ErrorKind::internal, e.what(), {}};
  } catch (const std::exception& e) {
    // oneTBB says so, as a plain runtime_error, when the system gives it no thread.
    const bool exhausted = std::string_view(e.what()).starts_with("pthread_create has failed");
    return {exhausted ? ErrorKind::resource_exhausted : ErrorKind::internal, e.what(), {}};
  } catch (...) {
    return {ErrorKind::internal, "an exception of unknown type", {}};
  }
}

std::string one_line(std::string text) {
  const auto code = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (code(i) < 0x20 || code(i) == 0x7f) text[i] = '?';
    // U+0080 to U+009F in UTF-8: some terminals obey these like escape sequences.
    const bool pair = code(i) == 0xc2 && i + 1 < text.size();
    if (pair && code(i + 1) >= 0x80 && code(i + 1) < 0xa0) text.replace(i, 2, "?");
  }
  return text;
}

nlohmann::ordered_json error_object(const Failure& failure) {
  nlohmann::ordered_json error{{"kind", to_string(failure.kind)},
                               {"exit", static_cast<int>(failure.kind)},
                               {"message", failure.message}};
  if (failure.at) {
    error["file"] = failure.at->file;
    error["section"] = failure.at->section;
    error["offset"] = failure.at->offset;
  }
  return error;
}

std::string format(const Failure& failure, bool json) {
  if (!json) {
    const std::string kind(to_string(failure.kind));
    return one_line("zkgpu: error: " + kind + ": " + failure.message) + "\n";
  }
  const nlohmann::ordered_json object{{"error", error_object(failure)}};
  return object.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

int report(const Failure& failure, bool json) {
  const std::string text = format(failure, json);
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::fflush(stderr);
  return static_cast<int>(failure.kind);
}

}  // namespace zkgpu::cli
