// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "harness/fuzz_target.hpp"

#include <zkgpu/prover/io/json/groth16_json.hpp>
#include <zkgpu/prover/io/json/json_value.hpp>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace zkgpu;
  using Curve = Bls12_381;
  const fuzz::Input bytes = fuzz::input(data, size);
  const bool is_json = fuzz::accepts([&] { io::parse_json(bytes, "json"); });

  std::vector<Curve::Fr::Integer> values;
  if (fuzz::accepts([&] { values = io::parse_public_json<Curve>(bytes, "json"); })) {
    fuzz::require(is_json, "public values are JSON");
    const std::string text = io::public_json<Curve>(values);
    fuzz::require(io::parse_public_json<Curve>(io::bytes_of(text), "again") == values,
                  "written public values are read as the same");
  }
  Proof<Curve> proof;
  if (fuzz::accepts([&] { proof = io::parse_proof_json<Curve>(bytes, "json"); })) {
    const std::string text = io::proof_json<Curve>(proof);
    fuzz::require(io::parse_proof_json<Curve>(io::bytes_of(text), "again") == proof,
                  "a written proof is read as the same");
  }
  VerifyingKey<Curve> vk;
  if (fuzz::accepts([&] { vk = io::parse_verification_key_json<Curve>(bytes, "json"); })) {
    const std::string text = io::verification_key_json<Curve>(vk);
    fuzz::require(io::parse_verification_key_json<Curve>(io::bytes_of(text), "again") == vk,
                  "a written key is read as the same");
  }
  return 0;
}
