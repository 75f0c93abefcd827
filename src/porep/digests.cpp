// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <zkgpu/prover/porep/hash/digests.hpp>

#include <openssl/core_names.h>
#include <openssl/evp.h>
#include <openssl/params.h>

#include <algorithm>
#include <memory>
#include <string>

#include <zkgpu/core/error.hpp>

namespace zkgpu::porep {

namespace {

struct Free {
  void operator()(EVP_MD* digest) const noexcept { EVP_MD_free(digest); }
  void operator()(EVP_MD_CTX* context) const noexcept { EVP_MD_CTX_free(context); }
  void operator()(EVP_MAC* mac) const noexcept { EVP_MAC_free(mac); }
  void operator()(EVP_MAC_CTX* context) const noexcept { EVP_MAC_CTX_free(context); }
  void operator()(EVP_CIPHER_CTX* context) const noexcept { EVP_CIPHER_CTX_free(context); }
};

void require(bool succeeded, const char* algorithm) {
  if (!succeeded) throw InternalError(std::string("OpenSSL cannot compute ") + algorithm);
}

/// A digest that is looked up once a thread: the look-up costs more than hashing a node.
class Hasher {
 public:
  Hasher(const char* name, unsigned bytes) : name_(name), bytes_(bytes) {
    require(digest_ != nullptr && context_ != nullptr &&
                EVP_DigestInit_ex2(context_.get(), digest_.get(), nullptr) == 1,
            name_);
  }
  void start() { require(EVP_DigestInit_ex2(context_.get(), nullptr, nullptr) == 1, name_); }
  void update(Bytes part) {
    require(EVP_DigestUpdate(context_.get(), part.data(), part.size()) == 1, name_);
  }
  void finish(std::byte* out) {
    unsigned written = 0;
    auto* to = reinterpret_cast<unsigned char*>(out);
    require(EVP_DigestFinal_ex(context_.get(), to, &written) == 1 && written == bytes_, name_);
  }

 private:
  const char* name_;
  unsigned bytes_;
  std::unique_ptr<EVP_MD, Free> digest_{EVP_MD_fetch(nullptr, name_, nullptr)};
  std::unique_ptr<EVP_MD_CTX, Free> context_{EVP_MD_CTX_new()};
};

}  // namespace

Node sha256(std::initializer_list<Bytes> parts) {
  thread_local Hasher hasher("SHA2-256", sizeof(Node));
  hasher.start();
  for (const Bytes part : parts) hasher.update(part);
  Node digest;
  hasher.finish(digest.data());
  return digest;
}

std::array<std::byte, 64> blake2b_512(Bytes message) {
  thread_local Hasher hasher("BLAKE2B-512", 64);
  hasher.start();
  hasher.update(message);
  std::array<std::byte, 64> digest;
  hasher.finish(digest.data());
  return digest;
}

Node blake2b_256(std::string_view key, std::initializer_list<Bytes> parts) {
  static constexpr const char* name = "BLAKE2BMAC";
  const std::unique_ptr<EVP_MAC, Free> mac{EVP_MAC_fetch(nullptr, name, nullptr)};
  require(mac != nullptr, name);
  const std::unique_ptr<EVP_MAC_CTX, Free> context{EVP_MAC_CTX_new(mac.get())};
  std::size_t bytes = sizeof(Node);
  const OSSL_PARAM parameters[] = {OSSL_PARAM_construct_size_t(OSSL_MAC_PARAM_SIZE, &bytes),
                                   OSSL_PARAM_construct_end()};
  require(context != nullptr &&
              EVP_MAC_init(context.get(), reinterpret_cast<const unsigned char*>(key.data()),
                           key.size(), parameters) == 1,
          name);
  for (const Bytes part : parts) {
    const auto* from = reinterpret_cast<const unsigned char*>(part.data());
    require(EVP_MAC_update(context.get(), from, part.size()) == 1, name);
  }
  Node digest;
  std::size_t written = 0;
  auto* to = reinterpret_cast<unsigned char*>(digest.data());
  require(
      EVP_MAC_final(context.get(), to, &written, sizeof digest) == 1 && written == sizeof digest,
      name);
  return digest;
}

void chacha20_keystream(const Node& key, const Nonce& nonce, std::uint32_t first_block,
                        std::span<std::byte> out) {
  static constexpr const char* name = "ChaCha20";
  std::array<std::byte, 16> start;  // OpenSSL's: block counter, then nonce
  const std::array<std::byte, 4> counter = little_endian<4>(first_block);
  std::ranges::copy(nonce, std::ranges::copy(counter, start.begin()).out);

  const std::unique_ptr<EVP_CIPHER_CTX, Free> context{EVP_CIPHER_CTX_new()};
  require(context != nullptr &&
              EVP_EncryptInit_ex(context.get(), EVP_chacha20(), nullptr,
                                 reinterpret_cast<const unsigned char*>(key.data()),
                                 reinterpret_cast<const unsigned char*>(start.data())) == 1,
          name);
  std::ranges::fill(out, std::byte{0});
  constexpr std::size_t most = std::size_t{1} << 30;  // lengths are of type int
  for (std::size_t at = 0; at < out.size(); at += most) {
    const int bytes = static_cast<int>(std::min(most, out.size() - at));
    auto* to = reinterpret_cast<unsigned char*>(out.data() + at);
    int written = 0;
    require(EVP_EncryptUpdate(context.get(), to, &written, to, bytes) == 1 && written == bytes,
            name);
  }
}

}  // namespace zkgpu::porep
