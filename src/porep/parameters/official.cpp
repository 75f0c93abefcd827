// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <zkgpu/prover/porep/parameters/official.hpp>

#include <openssl/evp.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include <zkgpu/prover/io/bytes/byte_source.hpp>

namespace zkgpu::porep {

namespace {

using Kind = CircuitName::Kind;

constexpr std::array<OfficialParameters, 10> known{{
    {{Kind::porep, "2KiB"}, "434fb1338ecfaf0f59256f30dde4968f", "dc1ade9929ade1708238f155343044ac"},
    {{Kind::porep, "8MiB"}, "09e612e4eeb7a0eb95679a88404f960c", "b687beb9adbd9dabe265a7e3620813e4"},
    {{Kind::porep, "512MiB"},
     "6c77597eb91ab936c1cef4cf19eba1b3",
     "065179da19fbe515507267677f02823e"},
    {{Kind::porep, "32GiB"},
     "6a388072a518cf46ebd661f5cc46900a",
     "0c7b4aac1c40fdb7eb82bc355b41addf"},
    {{Kind::porep, "64GiB"},
     "1801f8a6e1b00bceb00cc27314bb5ce3",
     "a89884252c04c298d0b3c81bfd884164"},
    {{Kind::winning_post, "32GiB"},
     "d84f79a16fe40e9e25a36e2107bb1ba0",
     "fc02943678dd119e69e7fab8420e8819"},
    {{Kind::window_post, "32GiB"},
     "2cf49eb26f1fee94c85781a390ddb4c8",
     "0f8ec542485568fa3468c066e9fed82b"},
    {{Kind::winning_post, "2KiB"},
     "82c88066be968bb550a05e30ff6c2413",
     "ffd79788d614d27919ae5bd2d94eacb6"},
    {{Kind::window_post, "2KiB"},
     "7610b9f82bfc88405b7a832b651ce2f6",
     "0e0958009936b9d5e515ec97b8cb792d"},
    {{Kind::sector_update, "32GiB"},
     "1b3cfd761a961543f9eb273e435a06a2",
     "3a6941983754737fde880d29c7094905"},
}};

class Blake2b {
 public:
  Blake2b() : context_(EVP_MD_CTX_new()) {
    require(context_ && EVP_DigestInit_ex(context_.get(), EVP_blake2b512(), nullptr) == 1);
  }
  void update(std::span<const std::byte> bytes) {
    require(EVP_DigestUpdate(context_.get(), bytes.data(), bytes.size()) == 1);
  }
  /// The first half, in hexadecimal.
  std::string finish() {
    std::array<unsigned char, 64> digest{};
    unsigned length = 0;
    require(EVP_DigestFinal_ex(context_.get(), digest.data(), &length) == 1 &&
            length == digest.size());
    std::string text;
    for (std::size_t i = 0; i < 16; ++i) {
      text += "0123456789abcdef"[digest[i] >> 4];
      text += "0123456789abcdef"[digest[i] & 15];
    }
    return text;
  }

 private:
  static void require(bool succeeded) {
    if (!succeeded) throw InternalError("BLAKE2b-512 is not available from OpenSSL");
  }
  struct Free {
    void operator()(EVP_MD_CTX* context) const noexcept { EVP_MD_CTX_free(context); }
  };
  std::unique_ptr<EVP_MD_CTX, Free> context_;
};

std::string_view digest_of(const OfficialParameters& official, ParameterFile file) {
  return file == ParameterFile::params ? official.params : official.vk;
}

}  // namespace

std::span<const OfficialParameters> official_parameters() noexcept { return known; }

std::string parameters_digest(std::span<const std::byte> bytes) {
  Blake2b hash;
  hash.update(bytes);
  return hash.finish();
}

std::string parameters_digest(io::ByteSource& source, ProgressObserver* observer) {
  constexpr std::size_t piece_bytes = std::size_t{1} << 20;
  source.admit_memory(piece_bytes);
  std::vector<std::byte> piece(piece_bytes);
  if (observer != nullptr) observer->begin("BLAKE2b of the parameters", source.size());
  Blake2b hash;
  for (std::uint64_t at = 0; at < source.size();) {
    const auto n =
        static_cast<std::size_t>(std::min<std::uint64_t>(piece_bytes, source.size() - at));
    const auto now = std::span(piece).first(n);
    source.read(at, now);
    hash.update(now);
    at += n;
    if (observer != nullptr) observer->advance(n);
  }
  source.expect_unchanged();
  return hash.finish();
}

Provenance provenance(const CircuitName& wanted, ParameterFile file, std::string digest) {
  const auto found = std::find_if(known.begin(), known.end(), [&](const OfficialParameters& one) {
    return digest_of(one, file) == digest;
  });
  if (found == known.end()) return {Provenance::Owner::unknown, std::nullopt, std::move(digest)};
  return {found->circuit == wanted ? Provenance::Owner::network : Provenance::Owner::other_circuit,
          found->circuit, std::move(digest)};
}

std::string Provenance::text() const {
  const std::string hash = " (BLAKE2b " + digest + ")";
  if (circuit) return "the network's " + to_string(*circuit) + hash;
  return "own parameters, not the network's" + hash;
}

void expect_official(const Provenance& provenance, const std::string& path) {
  if (provenance.owner == Provenance::Owner::network) return;
  throw InvalidArgument(path + ": " + provenance.text());
}

}  // namespace zkgpu::porep
