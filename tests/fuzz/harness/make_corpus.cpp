// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// make_corpus FOLDER: writes the seeds of tests/fuzz/corpus.
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

#include <zkgpu/curve/encoding.hpp>
#include "prover/io/key_cache/cache_fixtures.hpp"
#include "prover/io/toy_files.hpp"
#include "prover/porep/c1/toy_c1.hpp"

namespace {

using zkgpu::test::toy::Bytes;

std::filesystem::path root;

template <class Range>
void put(const char* target, const char* name, const Range& bytes) {
  std::filesystem::create_directories(root / target);
  std::ofstream out(root / target / name, std::ios::binary);
  out.write(reinterpret_cast<const char*>(bytes.data()),
            static_cast<std::streamsize>(bytes.size()));
}

template <zkgpu::CurveGroup G>
void put_points(const char* target) {
  using zkgpu::test::toy::multiple;
  put(target, "compressed", encode_compressed(multiple<G>(3)));
  put(target, "compressed-infinity", encode_compressed(G::Affine::infinity()));
  put(target, "uncompressed", encode_uncompressed(multiple<G>(5)));
  put(target, "uncompressed-infinity", encode_uncompressed(G::Affine::infinity()));
}

/// Outputs of commit phase 1 with short nodes: JSON has a third of its usual length.
void put_c1() {
  namespace c1 = zkgpu::test::c1;
  const auto& shape = zkgpu::porep::shape_of_name("2KiB");
  const auto output = c1::Maker(shape, c1::Maker::Nodes::small).output(shape.partitions);
  const std::string json = c1::JsonText(output, shape, "StackedDrg2KiBV1_1").text;
  put("c1_json", "seal", json);
  put("c1_json", "order", std::string(R"({"ticket":[],"seed":[1,2],"vanilla_proofs":{}})"));
  put("c1_bincode", "seal", c1::BincodeBytes(output, shape).text);
  put("c1_wrapper", "seal", c1::wrapper(json, shape.bytes()));
  put("c1_wrapper", "inside", json);
}

}  // namespace

int main(int argc, char** argv) {
  namespace toy = zkgpu::test::toy;
  if (argc != 2) {
    std::fprintf(stderr, "usage: %s FOLDER\n", argv[0]);
    return 2;
  }
  root = argv[1];
  put_points<zkgpu::Bls12_381::G1>("g1");
  put_points<zkgpu::Bls12_381::G2>("g2");
  put("scalar", "small", Bytes(32, std::byte{5}));
  put("scalar", "modulus",
      zkgpu::test::toy::bytes_of_text(
          std::string("\x73\xed\xa7\x53\x29\x9d\x7d\x48\x33\x39\xd8\x08\x09\xa1\xd8\x05"
                      "\x53\xbd\xa4\x02\xff\xfe\x5b\xfe\xff\xff\xff\xff\x00\x00\x00\x01",
                      32)));
  put("scalar", "decimal", toy::bytes_of_text("12345678901234567890123456789"));
  put("proof", "one", toy::proof());
  Bytes two = toy::proof();
  const Bytes one = toy::proof();
  two.insert(two.end(), one.begin(), one.end());
  put("proof", "two", two);
  put("vk", "bellman", toy::vk());
  put("vk", "waves", toy::waves_vk());
  put("vk", "gnark", toy::gnark_vk());
  put("params", "ceremony", toy::params());
  Bytes bare = toy::params();
  bare.resize(bare.size() - 64 - 4 - 544);
  put("params", "bare", bare);
  put("key_cache", "toy", zkgpu::test::decoded(zkgpu::test::params_of(bare)).bytes);
  put("key_cache", "snarkjs",
      zkgpu::test::decoded(zkgpu::test::params_of(zkgpu::test::snarkjs_params())).bytes);
  put("zkey", "ceremony", toy::zkey());
  put("wtns", "three", toy::wtns());
  put("r1cs", "two-rows", toy::r1cs());
  put_c1();
  put("json", "proof", toy::proof_json());
  put("json", "vk", toy::vk_json());
  put("json", "public", toy::public_json());
  put("json", "other",
      toy::bytes_of_text(R"({"a":[1,"\u00e9\n",null,true,[],{}],"b":12345678901234567890123})"));
  return 0;
}
