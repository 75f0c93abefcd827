// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <openssl/evp.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <span>
#include <sstream>
#include <string>
#include <vector>

#include <shared.hpp>
#include <zkgpu/curve/bls12_381.hpp>
#include <zkgpu/prover/groth16/toxic_waste.hpp>
#include <zkgpu/prover/r1cs/builder.hpp>
#include <zkgpu/prover/witness/witness.hpp>

/// Small circuits, keys and proofs written by another implementation with a known secret; their
/// forms are described beside the files.
namespace zkgpu::test {

using Fr = Bls12_381::Fr;

inline std::filesystem::path golden_file(const std::string& name) {
  return shared_dir() / "golden" / "reference" / "groth16" / name;
}
inline bool golden_present() { return shared_present("golden/reference/groth16"); }

/// The secret and the blinding of all golden keys and proofs.
inline ToxicWaste<Fr> golden_waste() {
  return {Fr(3673), Fr(48577), Fr(22580), Fr(53332), Fr(5481)};  // tau, alpha, beta, gamma, delta
}
inline Blinding<Fr> golden_blinding() { return {Fr(27134), Fr(17146)}; }

/// Little-endian pieces of a byte string; throws where it ends.
class GoldenReader {
 public:
  explicit GoldenReader(std::vector<std::byte> bytes) : bytes_(std::move(bytes)) {}
  template <class T>
  T take() {
    T value;
    if (bytes_.size() - at_ < sizeof value) throw std::runtime_error("golden file ends early");
    std::memcpy(&value, bytes_.data() + at_, sizeof value);
    at_ += sizeof value;
    return value;
  }
  void expect_magic(const std::string& magic) {
    for (const char c : magic) {
      if (take<char>() != c) throw std::runtime_error("golden file is no " + magic);
    }
  }
  [[nodiscard]] bool at_end() const { return at_ == bytes_.size(); }

 private:
  std::vector<std::byte> bytes_;
  std::size_t at_ = 0;
};

inline R1cs<Fr> read_golden_r1cs(const std::string& name) {
  GoldenReader in(read_bytes(golden_file(name + ".r1cs")));
  in.expect_magic("ZR1CS001");
  const auto inputs = in.take<std::uint32_t>();
  const auto auxiliary = in.take<std::uint32_t>();
  const auto constraints = in.take<std::uint32_t>();
  R1csBuilder<Fr> builder;
  const auto no_value = [] { return Fr::zero(); };
  for (std::uint32_t i = 1; i < inputs; ++i) builder.allocate_public(no_value);
  for (std::uint32_t i = 0; i < auxiliary; ++i) builder.allocate(no_value);
  for (std::uint32_t row = 0; row < constraints; ++row) {
    LinearCombination<Fr> abc[3];
    for (auto& combination : abc) {
      for (auto terms = in.take<std::uint32_t>(); terms > 0; --terms) {
        const auto kind = in.take<std::uint8_t>();
        const auto index = in.take<std::uint32_t>();
        const auto coefficient = Fr::from_integer(in.take<Fr::Integer>());
        combination.add(
            coefficient,
            {kind == 0 ? Variable::Kind::public_input : Variable::Kind::auxiliary, index});
      }
    }
    builder.enforce(abc[0], abc[1], abc[2]);
  }
  if (!in.at_end()) throw std::runtime_error("golden r1cs has a rest");
  return std::move(builder).finish();
}

inline Witness<Fr> read_golden_witness(const std::string& name) {
  GoldenReader in(read_bytes(golden_file(name + ".wit")));
  in.expect_magic("ZWIT0001");
  const auto count = in.take<std::uint32_t>() + std::size_t{in.take<std::uint32_t>()};
  Witness<Fr> witness;
  for (std::size_t i = 0; i < count; ++i) witness.values.push_back(in.take<Fr::Integer>());
  if (!in.at_end()) throw std::runtime_error("golden witness has a rest");
  return witness;
}

/// The lines "name rest" of NAME.txt.
inline std::map<std::string, std::string> read_golden_text(const std::string& name) {
  std::istringstream lines(read_text(golden_file(name + ".txt")));
  std::map<std::string, std::string> values;
  for (std::string line; std::getline(lines, line);) {
    const std::size_t space = line.find(' ');
    values[line.substr(0, space)] = line.substr(space + 1);
  }
  return values;
}

inline std::string hex(std::span<const std::byte> bytes) {
  std::string text;
  for (const std::byte b : bytes) {
    text += "0123456789abcdef"[std::to_integer<unsigned>(b) >> 4];
    text += "0123456789abcdef"[std::to_integer<unsigned>(b) & 15];
  }
  return text;
}

inline std::string sha256_hex(std::span<const std::byte> bytes) {
  unsigned char digest[32];
  if (EVP_Digest(bytes.data(), bytes.size(), digest, nullptr, EVP_sha256(), nullptr) != 1) {
    throw std::runtime_error("digest failed");
  }
  return hex(std::as_bytes(std::span(digest)));
}

/// The stream of all constraints whose SHA-256 is the r1cs digest: per combination the number of
/// terms, per term kind, index within its kind, and coefficient.
inline std::vector<std::byte> r1cs_stream(const R1cs<Fr>& r1cs) {
  std::vector<std::byte> out;
  const auto put = [&out](const auto& value) {
    const auto bytes = std::as_bytes(std::span(&value, 1));
    out.insert(out.end(), bytes.begin(), bytes.end());
  };
  for (std::size_t row = 0; row < r1cs.num_constraints(); ++row) {
    for (const CsrMatrix<Fr>* matrix : {&r1cs.a, &r1cs.b, &r1cs.c}) {
      const auto columns = matrix->columns_of(row);
      put(static_cast<std::uint32_t>(columns.size()));
      for (std::size_t i = 0; i < columns.size(); ++i) {
        const bool is_public = columns[i] <= r1cs.num_public;
        put(static_cast<std::uint8_t>(is_public ? 0 : 1));
        put(is_public ? columns[i] : columns[i] - r1cs.num_public - 1);
        put(matrix->values_of(row)[i].to_integer());
      }
    }
  }
  return out;
}

}  // namespace zkgpu::test
