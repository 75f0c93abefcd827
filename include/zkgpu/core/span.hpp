// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstddef>
#include <type_traits>

#include <zkgpu/core/config.hpp>

namespace zkgpu {

/// n elements of device memory. The host may pass it on, and must not read through it; that is why
/// it is no `std::span`.
template <class T>
class DeviceSpan {
 public:
  using element_type = T;

  DeviceSpan() = default;
  ZKGPU_HD constexpr DeviceSpan(T* data, std::size_t size) noexcept : data_(data), size_(size) {}
  /// T to const T.
  template <class U>
  requires std::is_same_v<const U, T> ZKGPU_HD constexpr DeviceSpan(
      const DeviceSpan<U>& other) noexcept
      : data_(other.data()), size_(other.size()) {}

  ZKGPU_HD constexpr T* data() const noexcept { return data_; }
  ZKGPU_HD constexpr std::size_t size() const noexcept { return size_; }
  ZKGPU_HD constexpr std::size_t size_bytes() const noexcept { return size_ * sizeof(T); }
  ZKGPU_HD constexpr bool empty() const noexcept { return size_ == 0; }
  ZKGPU_HD constexpr DeviceSpan first(std::size_t count) const noexcept { return {data_, count}; }
  ZKGPU_HD constexpr DeviceSpan subspan(std::size_t at, std::size_t count) const noexcept {
    return {data_ + at, count};
  }

 private:
  T* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace zkgpu
