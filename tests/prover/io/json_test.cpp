// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "io_fixtures.hpp"

#include <catch2/catch.hpp>

#include <chrono>
#include <random>

#include <boost/multiprecision/cpp_int.hpp>

#include <zkgpu/prover/io/json/decimal.hpp>
#include <zkgpu/prover/io/json/groth16_json.hpp>
#include <zkgpu/prover/io/json/json_value.hpp>

using namespace zkgpu;
using namespace zkgpu::test;

namespace {

io::JsonValue parse(std::string_view text) { return io::parse_json(io::bytes_of(text), "t.json"); }

/// The message that refusing `text` gives; empty when it is accepted.
std::string refusal(std::string_view text) {
  const Outcome outcome = outcome_of([&] { parse(text); });
  if (!outcome.message.empty()) CHECK(outcome.kind == ErrorKind::malformed);
  return outcome.message;
}

std::string text_of(std::string_view circuit, std::string_view file) {
  return read_text(snarkjs_file(circuit, file));
}

}  // namespace

TEST_CASE("decimal numbers agree with Boost in both directions", "[io][oracle]") {
  using boost::multiprecision::cpp_int;
  std::mt19937_64 random(20261129);
  for (int i = 0; i < 10000; ++i) {
    Limbs<6> n{};
    const std::size_t limbs = random() % 7;
    for (std::size_t k = 0; k < limbs; ++k)
      n.limb[k] = random() % 8 == 0 ? ~std::uint64_t{0} : random();
    if (limbs != 0) n.limb[limbs - 1] >>= random() % 64;
    cpp_int oracle = 0;
    for (std::size_t k = 6; k-- > 0;) oracle = (oracle << 64) | cpp_int(n.limb[k]);
    const std::string text = oracle.str();
    REQUIRE(io::to_decimal(n) == text);
    Limbs<6> back{};
    REQUIRE(io::parse_decimal(text, back));
    REQUIRE(back == n);
  }
}

TEST_CASE("decimal numbers are refused unless they are canonical and fit", "[io][edge]") {
  Limbs<4> n{};
  for (const char* bad : {"", "-1", "+1", " 1", "1 ", "01", "00", "0x1", "1e3", "1.0", "a", "1a",
                          "١", "--", "1_000"}) {
    INFO(bad);
    CHECK_FALSE(io::parse_decimal(bad, n));
  }
  CHECK(io::parse_decimal("0", n));
  CHECK(n.is_zero());
  // 2^256 - 1 and 2^256
  const std::string largest =
      "115792089237316195423570985008687907853269984665640564039457584007913129639935";
  CHECK(io::parse_decimal(largest, n));
  CHECK(io::to_decimal(n) == largest);
  CHECK_FALSE(io::parse_decimal(
      "115792089237316195423570985008687907853269984665640564039457584007913129639936", n));
  CHECK_FALSE(io::parse_decimal(std::string(100'000, '1'), n));
}

TEST_CASE("JSON is parsed strictly", "[io][edge]") {
  CHECK(refusal(R"({"a":[1,"2",null,true],"b":{}})").empty());
  CHECK(refusal(" [ ] \n").empty());
  for (const char* bad : {"",
                          " ",
                          "[",
                          "[1",
                          "[1,]",
                          "[1 2]",
                          "{\"a\"}",
                          "{\"a\":}",
                          "{\"a\":1,}",
                          "{a:1}",
                          "[01]",
                          "[1]x",
                          "[1][2]",
                          "nul",
                          "[\"\t\"]",
                          "['a']",
                          "[\"\\x\"]",
                          "[\"\\ud800\"]",
                          "\"unterminated",
                          "[//c\n1]",
                          "[NaN]",
                          "[Infinity]",
                          "{\"a\":1 \"b\":2}"}) {
    INFO(bad);
    CHECK_FALSE(refusal(bad).empty());
  }
  CHECK_FALSE(refusal(std::string_view("[1]\0", 4)).empty());
  CHECK(refusal("\xEF\xBB\xBF[]").find("byte order mark") != std::string::npos);
  for (const char* bad_utf8 : {"[\"\xff\"]", "[\"\xc0\x80\"]", "[\"\xed\xa0\x80\"]",
                               "[\"\xf4\x90\x80\x80\"]", "[\"\xe2\x82\"]", "\xe2\x82\xac"}) {
    CHECK_FALSE(refusal(bad_utf8).empty());
  }
  CHECK(refusal(R"({"a":1,"b":2,"a":3})").find("'a' occurs twice") != std::string::npos);
  CHECK(refusal(R"([{"x":{"k":1,"\u006b":1}}])").find("occurs twice") != std::string::npos);
}

TEST_CASE("JSON numbers are non-negative integers, of any length", "[io][edge]") {
  for (const char* bad : {"[-1]", "[-0]", "[1.0]", "[1e2]", "[1E2]", "[0.5]",
                          "[-99999999999999999999]", "[99999999999999999999.5]"}) {
    INFO(bad);
    CHECK_FALSE(refusal(bad).empty());
  }
  CHECK(parse("[18446744073709551615]").items[0].text == "18446744073709551615");
  CHECK(parse("[18446744073709551616]").items[0].text == "18446744073709551616");
  CHECK(parse("[0]").items[0].text == "0");
}

TEST_CASE("depth and number of JSON values are limited", "[io][edge]") {
  const auto nested = [](std::size_t depth) {
    return std::string(depth, '[') + std::string(depth, ']');
  };
  CHECK(refusal(nested(io::max_json_depth)).empty());
  CHECK(refusal(nested(io::max_json_depth + 1)).find("deeper") != std::string::npos);
  CHECK(refusal(std::string(1'000'000, '[')).find("deeper") != std::string::npos);
  std::string many = "[0";
  for (std::size_t i = 0; i < io::max_json_values; ++i) many += ",0";
  CHECK(refusal(many + "]").find("more than") != std::string::npos);
}

TEST_CASE("a number of 100,000 digits is refused at once", "[io][edge]") {
  const std::string digits(100'000, '1');
  for (const std::string& text : {"[\"" + digits + "\"]", "[" + digits + "]"}) {
    const auto begin = std::chrono::steady_clock::now();
    const Outcome outcome =
        outcome_of([&] { io::parse_public_json<Bls>(io::bytes_of(text), "public.json"); });
    const auto elapsed = std::chrono::steady_clock::now() - begin;
    CHECK(outcome.kind == ErrorKind::malformed);
    CHECK(outcome.message.size() < 200);  // never the contents
    CHECK(elapsed < std::chrono::milliseconds(200));
  }
}

TEST_CASE("proofs and public values of snarkjs are read and written back byte for byte",
          "[io][vec]") {
  if (!snarkjs_present()) return;
  for (const std::string_view circuit : circuits) {
    for (const char* name :
         {"proof.json", "proof-r0-s0.json", "proof-r5-s7.json", "proof-rmax-sbig.json"}) {
      INFO(circuit << "/" << name);
      const std::string text = text_of(circuit, name);
      const auto proof = io::parse_proof_json<Bls>(io::bytes_of(text), name);
      CHECK(io::proof_json<Bls>(proof) == text);
    }
    const std::string text = text_of(circuit, "public.json");
    const auto values = io::parse_public_json<Bls>(io::bytes_of(text), "public.json");
    CHECK(io::public_json<Bls>(values) == text);
  }
}

TEST_CASE("verification keys of snarkjs equal the key in the zkey", "[io][vec]") {
  if (!snarkjs_present()) return;
  for (const std::string_view circuit : circuits) {
    INFO(circuit);
    const bool insecure = is_insecure(circuit);
    const std::string text = text_of(circuit, "verification_key.json");
    const auto vk = io::parse_verification_key_json<Bls>(io::bytes_of(text), "vk.json", insecure);
    const Bytes zkey = read_bytes(snarkjs_file(circuit, "circuit.zkey"));
    CHECK(vk == read_zkey_bytes(zkey, "circuit.zkey", insecure).key.vk);
    CHECK(io::verification_key_json<Bls>(vk) == text);
    std::string shorter = text;
    const std::size_t from = shorter.find(" \"vk_alphabeta_12\"");
    shorter.erase(from, shorter.find(" \"IC\"") - from);
    CHECK(io::verification_key_json<Bls>(vk, false) == shorter);
  }
}

TEST_CASE("a proof without curve is read, one of another curve or protocol is not", "[io][edge]") {
  if (!snarkjs_present()) return;
  const std::string text = text_of("mult", "proof.json");
  const auto parse_proof = [](const std::string& changed) {
    return outcome_of([&] { io::parse_proof_json<Bls>(io::bytes_of(changed), "proof.json"); });
  };
  const auto replaced = [&](std::string_view from, std::string_view to) {
    std::string changed = text;
    const std::size_t at = changed.find(from);
    REQUIRE(at != std::string::npos);
    return changed.replace(at, from.size(), to);
  };
  CHECK(parse_proof(replaced(",\n \"curve\": \"bls12381\"", "")).message.empty());
  CHECK(parse_proof(replaced("\"bls12381\"", "\"bls12-381\"")).message.empty());
  const std::string other = parse_proof(replaced("\"bls12381\"", "\"bn128\"")).message;
  CHECK(other.find("unsupported curve 'bn128'") != std::string::npos);
  CHECK(parse_proof(replaced("groth16", "plonk")).message.find("'plonk'") != std::string::npos);
  CHECK(parse_proof(replaced("\"pi_c\"", "\"pi_d\"")).kind == ErrorKind::malformed);
  CHECK(parse_proof(replaced("\"curve\"", "\"extra\"")).message.find("'extra'") !=
        std::string::npos);
  const std::string nonsense = parse_proof(replaced("\"bls12381\"", "\"\\u001b[2J\"")).message;
  CHECK(nonsense.find('\x1b') == std::string::npos);
}

TEST_CASE("errors in JSON name file, path and offset", "[io]") {
  if (!snarkjs_present()) return;
  std::string text = text_of("mult", "proof.json");
  const std::size_t at = text.find("\"1666337700");
  text.replace(at, 3, "\"x6");
  const std::string message =
      outcome_of([&] { io::parse_proof_json<Bls>(io::bytes_of(text), "p.json"); }).message;
  CHECK(message.find("p.json: pi_b[0][0] at byte ") == 0);
  CHECK(message.find("not a canonical decimal number") != std::string::npos);
}

namespace {

/// Refused as malformed, with the file, and a byte in it.
template <class Parse>
void expect_malformed(const std::string& text, const Parse& parse) {
  INFO(text);
  try {
    parse(text);
    FAIL("accepted");
  } catch (const Malformed& error) {
    CHECK(error.where().file == "t.json");
    CHECK(error.where().offset <= text.size());
    CHECK(std::string(error.what()).size() < 300);
  }
}

/// Where the strings of a JSON text, keys and values, begin and end: the places of their quotes.
std::vector<std::pair<std::size_t, std::size_t>> strings_of(const std::string& text) {
  std::vector<std::pair<std::size_t, std::size_t>> found;
  for (std::size_t at = text.find('"'); at != std::string::npos;) {
    const std::size_t end = text.find('"', at + 1);
    found.emplace_back(at, end);
    at = text.find('"', end + 1);
  }
  return found;
}

/// Every string with blanks before, behind or in it, and every key by another name, is refused.
template <class Parse>
void expect_exact_strings(const std::string& text, const Parse& parse) {
  CHECK_NOTHROW(parse(text));
  const auto strings = strings_of(text);
  REQUIRE(!strings.empty());
  for (const auto& [begin, end] : strings) {
    for (const char* blank :
         {" ", "\\t", "\\n", "\\u00a0", "\\u0000", "\xe2\x80\x8b", "\xef\xbb\xbf"}) {
      for (const std::size_t at : {begin + 1, end, begin + (end - begin + 1) / 2}) {
        std::string changed = text;
        expect_malformed(changed.insert(at, blank), parse);
      }
    }
    const bool key = text.compare(end + 1, 1, ":") == 0;
    for (const char* name : {"", " ", "load key", "__proto__", "constructor", "\\ud83d\\ude00"}) {
      if (!key) break;
      std::string changed = text;
      expect_malformed(changed.replace(begin + 1, end - begin - 1, name), parse);
      // The same beside the true one.
      std::string more = text;
      expect_malformed(more.insert(begin, std::string("\"") + name + "\": \"1\", "), parse);
    }
    // Blanks between tokens are JSON's own affair.
    std::string spaced = text;
    CHECK_NOTHROW(parse(spaced.insert(end + 1, " \t\r\n ").insert(begin, " \n")));
  }
}

}  // namespace

TEST_CASE("strings of keys, proofs and public values are taken as they stand, blanks included",
          "[io][mutant]") {
  if (!snarkjs_present()) return;
  std::string vk = text_of("mult", "verification_key.json");
  const std::size_t from = vk.find(" \"vk_alphabeta_12\"");  // spares a pairing a text
  vk.erase(from, vk.find(" \"IC\"") - from);
  expect_exact_strings(vk, [](const std::string& text) {
    return io::parse_verification_key_json<Bls>(io::bytes_of(text), "t.json");
  });
  expect_exact_strings(text_of("mult", "proof.json"), [](const std::string& text) {
    return io::parse_proof_json<Bls>(io::bytes_of(text), "t.json");
  });
  expect_exact_strings(text_of("mult", "public.json"), [](const std::string& text) {
    return io::parse_public_json<Bls>(io::bytes_of(text), "t.json");
  });
}

TEST_CASE("a key with blanks around it is told beside the one that was meant", "[io]") {
  if (!snarkjs_present()) return;
  std::string text = text_of("mult", "proof.json");
  const std::size_t at = text.find("\"protocol\"");
  text.insert(at + 1, " ");
  const std::string message =
      outcome_of([&] { io::parse_proof_json<Bls>(io::bytes_of(text), "p.json"); }).message;
  CHECK(message.find("unknown key ' protocol', instead of 'protocol'") != std::string::npos);
  CHECK(message.find("p.json at byte ") == 0);
  CHECK(message.find("at byte " + std::to_string(text.find("groth16") + 8)) != std::string::npos);
}
