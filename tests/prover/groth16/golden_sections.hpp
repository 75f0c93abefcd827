// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <openssl/evp.h>
#include <catch2/catch.hpp>

#include <cstddef>
#include <map>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>

#include <zkgpu/curve/encoding.hpp>
#include <zkgpu/prover/groth16/keys.hpp>
#include <zkgpu/prover/io/bytes/byte_sink.hpp>

#include "golden_files.hpp"

/// The sections of a golden key, one by one, by the digests that stand beside it.
namespace zkgpu::test {

/// Size, SHA-256 and the first half of BLAKE2b-512 of what is written, which is not kept.
class GoldenDigest final : public io::ByteSink {
 public:
  void write(std::span<const std::byte> bytes) override {
    size_ += bytes.size();
    for (const auto& stream : {&sha256_, &blake2b_}) {
      if (EVP_DigestUpdate(stream->get(), bytes.data(), bytes.size()) != 1) fail();
    }
  }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] std::string sha256() { return finish(sha256_, 32); }
  [[nodiscard]] std::string blake2b128() { return finish(blake2b_, 16); }

 private:
  using Stream = std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)>;
  [[noreturn]] static void fail() { throw std::runtime_error("digest failed"); }
  static Stream start(const EVP_MD* kind) {
    Stream stream(EVP_MD_CTX_new(), &EVP_MD_CTX_free);
    if (!stream || EVP_DigestInit_ex(stream.get(), kind, nullptr) != 1) fail();
    return stream;
  }
  static std::string finish(Stream& stream, std::size_t keep) {
    unsigned char digest[EVP_MAX_MD_SIZE];
    if (EVP_DigestFinal_ex(stream.get(), digest, nullptr) != 1) fail();
    return hex(std::as_bytes(std::span(digest, keep)));
  }

  Stream sha256_ = start(EVP_sha256()), blake2b_ = start(EVP_blake2b512());
  std::size_t size_ = 0;
};

/// What a golden file says of a list of points: uncompressed, without the count.
template <class Points>
std::string section_text(const Points& points) {
  GoldenDigest digest;
  for (const auto& point : points) {
    const auto bytes = encode_uncompressed(point);
    digest.write(std::as_bytes(std::span(bytes)));
  }
  return "count " + std::to_string(points.size()) + " sha256 " + digest.sha256() + " blake2b128 " +
         digest.blake2b128();
}

/// Checks all sections; the one that differs is named.
/// @param text  the golden lines of this key
inline void check_golden_sections(const ProvingKey<Bls12_381>& key,
                                  const std::map<std::string, std::string>& text) {
  const auto check = [&](const std::string& name, const auto& points) {
    INFO("section " << name);
    CHECK(section_text(points) == text.at("section-" + name));
  };
  check("ic", key.vk.ic);
  check("h", key.h);
  check("l", key.l);
  check("a", key.a);
  check("b_g1", key.b_g1);
  check("b_g2", key.b_g2);
}

/// The same of a whole file: "params", "vk".
inline void check_golden_file(const std::string& name, GoldenDigest& digest,
                              const std::map<std::string, std::string>& text) {
  INFO("file ." << name);
  CHECK(std::to_string(digest.size()) == text.at(name + "-bytes"));
  CHECK(digest.sha256() == text.at(name + "-sha256"));
  CHECK(digest.blake2b128() == text.at(name + "-blake2b128"));
}

}  // namespace zkgpu::test
