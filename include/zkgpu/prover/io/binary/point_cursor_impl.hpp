// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <string>

#include <zkgpu/curve/curve.hpp>
#include <zkgpu/curve/encoding.hpp>
#include <zkgpu/prover/io/bytes/cursor.hpp>

/// ZCash points taken from a cursor, all checks done.
namespace zkgpu::io::detail {

template <CurveGroup G>
typename G::Affine judge_point(const Cursor& at, PointStatus status,
                               const typename G::Affine& point, std::size_t size, const char* name,
                               bool infinity_allowed) {
  if (status != PointStatus::ok) {
    at.fail(std::string(name) + ": " + std::string(to_string(status)), size);
  }
  if (!infinity_allowed && point.is_infinity()) {
    at.fail(std::string(name) + ": the point at infinity is not allowed", size);
  }
  return point;
}

template <CurveGroup G>
typename G::Affine take_compressed(Cursor& at, const char* name, bool infinity_allowed) {
  constexpr std::size_t size = compressed_bytes<typename G::Params>;
  typename G::Affine point{};
  const PointStatus status = decode_compressed(at.take(size, name), point);
  return judge_point<G>(at, status, point, size, name, infinity_allowed);
}

template <CurveGroup G>
typename G::Affine take_uncompressed(Cursor& at, const char* name, bool infinity_allowed) {
  constexpr std::size_t size = uncompressed_bytes<typename G::Params>;
  typename G::Affine point{};
  const PointStatus status = decode_uncompressed(at.take(size, name), point);
  return judge_point<G>(at, status, point, size, name, infinity_allowed);
}

}  // namespace zkgpu::io::detail
