// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <zkgpu/prover/io/bytes/digest.hpp>

#include <openssl/evp.h>

#include <memory>

#include <zkgpu/core/error.hpp>

namespace zkgpu::io {

struct DigestStream::State {
  struct Free {
    void operator()(EVP_MD_CTX* context) const noexcept { EVP_MD_CTX_free(context); }
  };
  std::unique_ptr<EVP_MD_CTX, Free> context{EVP_MD_CTX_new()};
};

namespace {
void require(bool succeeded) {
  if (!succeeded) throw InternalError("SHA-256 is not available from OpenSSL");
}
}  // namespace

DigestStream::DigestStream() : state_(nullptr) {
  auto state = std::make_unique<State>();
  require(state->context != nullptr &&
          EVP_DigestInit_ex(state->context.get(), EVP_sha256(), nullptr) == 1);
  state_ = state.release();
}

DigestStream::~DigestStream() { delete state_; }

void DigestStream::update(std::span<const std::byte> bytes) {
  require(EVP_DigestUpdate(state_->context.get(), bytes.data(), bytes.size()) == 1);
}

namespace {
Digest close(EVP_MD_CTX* context) {
  Digest digest;
  unsigned length = 0;
  require(EVP_DigestFinal_ex(context, reinterpret_cast<unsigned char*>(digest.bytes.data()),
                             &length) == 1 &&
          length == digest.bytes.size());
  return digest;
}
}  // namespace

Digest DigestStream::so_far() const {
  State copy;
  require(copy.context != nullptr &&
          EVP_MD_CTX_copy_ex(copy.context.get(), state_->context.get()) == 1);
  return close(copy.context.get());
}

Digest DigestStream::finish() { return close(state_->context.get()); }

Digest digest_of(std::span<const std::byte> bytes) {
  DigestStream stream;
  stream.update(bytes);
  return stream.finish();
}

std::string to_hex(const Digest& digest) {
  std::string text;
  for (const std::byte b : digest.bytes) {
    text += "0123456789abcdef"[std::to_integer<unsigned>(b) >> 4];
    text += "0123456789abcdef"[std::to_integer<unsigned>(b) & 15];
  }
  return text;
}

bool parse_hex(std::string_view text, Digest& digest) {
  Digest parsed;
  if (text.size() != 2 * parsed.bytes.size()) return false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    unsigned nibble = 0;
    if (c >= '0' && c <= '9') {
      nibble = static_cast<unsigned>(c - '0');
    } else if (c >= 'a' && c <= 'f') {
      nibble = static_cast<unsigned>(c - 'a') + 10;
    } else {
      return false;
    }
    parsed.bytes[i / 2] = (parsed.bytes[i / 2] << 4) | static_cast<std::byte>(nibble);
  }
  digest = parsed;
  return true;
}

}  // namespace zkgpu::io
