// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/parallel_for.h>

#include <span>
#include <vector>

#include <zkgpu/batch/points.hpp>
#include <zkgpu/prover/io/binary/point_cursor_impl.hpp>
#include <zkgpu/prover/io/binary/proof_file.hpp>

namespace zkgpu::io {

namespace detail {

/// Decodes points of many proofs together, `take(i)` being where point i goes. A point that is
/// not ok, or infinity, clears its proof's flag in `good`.
template <CurveGroup G, class Take>
void decode_of_proofs(const batch::EncodedPoints& in, const Take& take, std::span<char> good) {
  const std::size_t n = good.size();
  std::vector<typename G::Affine> points(n);
  std::vector<PointStatus> statuses(n);
  batch::decode_compressed_points<G>(in, points, statuses);
  for (std::size_t i = 0; i < n; ++i) {
    if (statuses[i] != PointStatus::ok || points[i].is_infinity()) good[i] = 0;
    take(i) = points[i];
  }
}

/// All proofs of `bytes`, some hundred a task. The flags say which are good: of others the points
/// mean nothing.
template <Curve C>
std::vector<char> decode_proofs(std::span<const std::byte> bytes, std::span<Proof<C>> proofs) {
  using G1 = typename C::G1;
  using G2 = typename C::G2;
  constexpr std::size_t stride = proof_bytes<C>;
  constexpr std::size_t size1 = compressed_bytes<typename G1::Params>;
  constexpr std::size_t size2 = compressed_bytes<typename G2::Params>;
  std::vector<char> good(proofs.size(), 1);
  using Range = oneapi::tbb::blocked_range<std::size_t>;
  oneapi::tbb::parallel_for(Range(0, proofs.size(), 64), [&](const Range& range) {
    const auto from = bytes.subspan(range.begin() * stride, range.size() * stride);
    const auto to = proofs.subspan(range.begin(), range.size());
    const auto flags = std::span(good).subspan(range.begin(), range.size());
    decode_of_proofs<G1>(
        {from, stride}, [=](std::size_t i) -> auto& { return to[i].a; }, flags);
    decode_of_proofs<G2>(
        {from.subspan(size1), stride}, [=](std::size_t i) -> auto& { return to[i].b; }, flags);
    decode_of_proofs<G1>(
        {from.subspan(size1 + size2), stride}, [=](std::size_t i) -> auto& { return to[i].c; },
        flags);
  });
  return good;
}

}  // namespace detail

template <Curve C>
std::vector<Proof<C>> parse_proofs(std::span<const std::byte> bytes, const std::string& file) {
  if (bytes.empty() || bytes.size() % proof_bytes<C> != 0) {
    throw Malformed({file, "proof", bytes.size()},
                    "a binary proof has " + std::to_string(proof_bytes<C>) +
                        " bytes, or a multiple of it for several; here are " +
                        std::to_string(bytes.size()));
  }
  std::vector<Proof<C>> proofs(bytes.size() / proof_bytes<C>);
  const std::vector<char> good = detail::decode_proofs<C>(bytes, proofs);
  for (std::size_t i = 0; i < proofs.size(); ++i) {
    if (good[i] != 0) continue;  // else once more, for the message
    const std::string name = proofs.size() == 1 ? "proof" : "proof " + std::to_string(i);
    Cursor at(bytes.subspan(i * proof_bytes<C>, proof_bytes<C>), file, name, i * proof_bytes<C>);
    proofs[i].a = detail::take_compressed<typename C::G1>(at, "A", /*infinity_allowed=*/false);
    proofs[i].b = detail::take_compressed<typename C::G2>(at, "B", false);
    proofs[i].c = detail::take_compressed<typename C::G1>(at, "C", false);
  }
  return proofs;
}

template <Curve C>
Proof<C> parse_proof(std::span<const std::byte> bytes, const std::string& file) {
  if (bytes.size() != proof_bytes<C>) {
    throw Malformed({file, "proof", bytes.size()},
                    "a binary proof has " + std::to_string(proof_bytes<C>) + " bytes, here are " +
                        std::to_string(bytes.size()));
  }
  return parse_proofs<C>(bytes, file).front();
}

template <Curve C>
void write_proof(ByteSink& sink, const Proof<C>& proof) {
  sink.write(encode_compressed(proof.a));
  sink.write(encode_compressed(proof.b));
  sink.write(encode_compressed(proof.c));
}

}  // namespace zkgpu::io
