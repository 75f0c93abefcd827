// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <catch2/catch.hpp>

#include <thread>

#include <zkgpu/prover/porep/hash/chacha8.hpp>
#include <zkgpu/prover/porep/hash/digests.hpp>

#include "porep_values.hpp"

using namespace zkgpu::porep;
using zkgpu::test::porep::array_of_hex;
using zkgpu::test::porep::hex;
using zkgpu::test::porep::node;

TEST_CASE("SHA-256 of parts is SHA-256 of their concatenation", "[porep][hash]") {
  // FIPS 180-2, appendix B.1
  const char* abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
  CHECK(hex(sha256({text_bytes("abc")})) == abc);
  CHECK(hex(sha256({text_bytes("a"), {}, text_bytes("bc")})) == abc);
  CHECK(hex(sha256({})) == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
}

TEST_CASE("every thread has hashes of its own", "[porep][hash]") {
  const Node expected = sha256({text_bytes("abc")});
  Node elsewhere{};
  std::thread other([&] { elsewhere = sha256({text_bytes("abc")}); });
  other.join();
  CHECK(elsewhere == expected);
}

TEST_CASE("BLAKE2b gives the digests of its authors", "[porep][hash]") {
  // RFC 7693, appendix A
  CHECK(hex(blake2b_512(text_bytes("abc"))) ==
        "ba80a53f981c4d0d6a2797b69f12f6e94c212f14685ac4b74b12bb6fdbffa2d1"
        "7d87c5392aab792dc252d5de4533cc9518d38aa8dbf1925ab92386edd4009923");
  // Python's hashlib.blake2b(b"abc", digest_size=32, key=b"key")
  CHECK(hex(blake2b_256("key", {text_bytes("ab"), text_bytes("c")})) ==
        "0330531d097355a3f72e80d55c1245ccf79f1704431c6e3887938320442c23c0");
}

TEST_CASE("ChaCha20 gives the stream of RFC 8439 from any block", "[porep][hash]") {
  // RFC 8439, section 2.3.2: block 1
  const Node key = node("000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f");
  const Nonce nonce = array_of_hex<12>("000000090000004a00000000");
  std::array<std::byte, 64> block;
  chacha20_keystream(key, nonce, 1, block);
  CHECK(hex(block) ==
        "10f1e7e4d13b5915500fdd1fa32071c4c7d1f4c733c068030422aa9ac3d46c4e"
        "d2826446079faa0914c2d705d98b02a2b5129cd1de164eb9cbd083e8a2503c4e");
  std::array<std::byte, 128> two;
  chacha20_keystream(key, nonce, 0, two);
  CHECK(hex(std::span(two).last<64>()) == hex(block));
}

TEST_CASE("ChaCha8 draws the words of its stream in order", "[porep][hash]") {
  // draft-strombergson-chacha-test-vectors, TC1, 256-bit key, 8 rounds
  const std::string first =
      "3e00ef2f895f40d67f5bb8e81f09a5a12c840ec3ce9a7f3b181be188ef711a1e"
      "984ce172b9216f419f445367456d5619314a42a3da86b001387bfdb80e0cfe42";
  ChaCha8 words(Node{}), pairs(Node{});
  std::string drawn, drawn_in_pairs;
  for (int i = 0; i < 16; ++i) drawn += hex(little_endian<4>(words.next_u32()));
  for (int i = 0; i < 8; ++i) drawn_in_pairs += hex(little_endian<8>(pairs.next_u64()));
  CHECK(drawn == first);
  CHECK(drawn_in_pairs == first);
  CHECK(words.next_u32() != 0x2fef003e);  // the second block is another
}

TEST_CASE("integers have fixed widths in bytes", "[porep][hash]") {
  CHECK(hex(little_endian<4>(0x01020304)) == "04030201");
  CHECK(hex(big_endian<8>(0x01020304)) == "0000000001020304");
  const auto bytes = little_endian<8>(0x0102030405060708);
  CHECK(read_little_endian<8>(bytes.data()) == 0x0102030405060708);
  CHECK(read_little_endian<4>(bytes.data()) == 0x05060708);
}
