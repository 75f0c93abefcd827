// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <catch2/catch.hpp>

#include <functional>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include <zkgpu/prover/io/bytes/byte_sink.hpp>
#include <zkgpu/prover/io/bytes/byte_source.hpp>
#include <zkgpu/prover/io/bytes/cursor.hpp>
#include <zkgpu/prover/porep/c1/read.hpp>

#include "prover/porep/c1/toy_c1.hpp"

namespace {

using namespace zkgpu;
using namespace zkgpu::porep;
namespace c1 = zkgpu::test::c1;
using Json = nlohmann::ordered_json;

const SectorShape& shape = shape_of_name("2KiB");
constexpr auto twice = std::string_view("zkgpu-twice-");

const Phase1Output& output() {
  static const Phase1Output made = c1::Maker(shape).output(1);
  return made;
}
const std::string& json_text() {
  static const std::string text = c1::JsonText(output(), shape, "StackedDrg2KiBV1_1").text;
  return text;
}

/// What a reader says of a text that it must refuse. The location of one that it accepts is empty.
struct Refusal {
  std::string message;
  Location at;
};
Refusal refusal(std::string_view text) {
  io::SpanSource source(io::bytes_of(text), "some.c1");
  try {
    read_c1(source);
  } catch (const Malformed& error) {
    return {error.what(), error.where()};
  }
  return {"accepted", {}};
}

/// Where the mutation was made, and what the message must say of it.
struct Mutant {
  std::string text;
  std::string section, words;
};

/// Changes one thing at a time, all over the first challenge, and undoes it.
class Mutations {
 public:
  explicit Mutations(std::function<void(const Mutant&)> use)
      : root_(Json::parse(json_text())), use_(std::move(use)) {
    visit(root_, "");
  }

 private:
  void emit(const std::string& section, const std::string& words) {
    std::string text = root_.dump();
    if (const std::size_t at = text.find(twice); at != text.npos) text.erase(at, twice.size());
    use_({text, section, words});
  }
  /// The value replaced, for as long as it takes to use the mutant.
  void with(Json& at, const Json& value, const std::string& section, const std::string& words) {
    Json old = value;
    std::swap(at, old);
    emit(section, words);
    std::swap(at, old);
  }
  void visit(Json& at, const std::string& path) {
    const std::string words = path.empty() ? "neither JSON nor" : "not ";
    for (const Json& other : {Json(nullptr), Json(true), Json("x"), Json(-1), Json(1.5)}) {
      if (at.is_null() && other.is_null()) continue;
      if (at.is_string() && other.is_string()) continue;
      with(at, other, path, words);
    }
    if (!at.is_array()) with(at, Json::array(), path, words);
    if (!at.is_object()) with(at, Json::object(), path, "not ");
    if (at.is_object()) visit_object(at, path);
    if (at.is_array()) visit_array(at, path);
    if (at.is_number()) {
      with(at, 18446744073709551615u, path, "is above ");
      with(at, 18446744073709551616.0, path, "not a whole number");
    }
  }
  void visit_object(Json& at, const std::string& path) {
    const Json whole = at;
    const bool enumeration = whole.size() == 1 && path.ends_with(".data");
    const bool keys = path == "vanilla_proofs";
    for (const auto& [name, value] : whole.items()) {
      Json changed = whole;
      if (name != "_h") {
        changed.erase(name);
        with(at, changed, path,
             enumeration || keys ? "without its one field" : "'" + name + "' is missing");
      }
      changed = whole;
      changed[std::string(twice) + name] = value;
      with(at, changed, path,
           enumeration || keys ? "a second field" : "'" + name + "' is there tw");
      changed = Json::object();
      for (const auto& [other, kept] : whole.items()) {
        changed[other == name ? name + "s" : other] = kept;
      }
      with(at, changed, path, "unknown name '" + name + "s'");
    }
    for (const auto& [name, value] : whole.items()) {
      visit(at[name], path + (path.empty() ? "" : ".") + name);
    }
  }
  void visit_array(Json& at, const std::string& path) {
    const Json whole = at;
    Json changed = whole;
    changed.erase(changed.size() - 1);
    with(at, changed, path, std::to_string(changed.size()) + " of ");
    changed = whole;
    changed.push_back(whole.back());
    if (path != "vanilla_proofs.StackedDrg2KiBV1") with(at, changed, path, "more than ");
    if (path == "seed" || path == "ticket" || !whole[0].is_number()) {
      visit(at.front(), path + "[0]");
      return;
    }
    changed = Json::array();
    for (int i = 0; i < 32; ++i) changed.push_back(255);
    with(at, changed, path, "not below the modulus");
    with(at[31], 256, path + "[31]", "256 is above 255");
  }

  Json root_;
  std::function<void(const Mutant&)> use_;
};

}  // namespace

TEST_CASE("JSON with one thing wrong is refused, and the place is named", "[porep][c1]") {
  REQUIRE(refusal(json_text()).message == "accepted");
  std::set<std::string> places;
  std::size_t mutants = 0;
  const Mutations all([&](const Mutant& mutant) {
    ++mutants;
    places.insert(mutant.section);
    const Refusal said = refusal(mutant.text);
    CAPTURE(mutant.section, mutant.words, said.message);
    CHECK(said.at.file == "some.c1");
    CHECK(said.at.section == mutant.section);
    CHECK(said.message.find(mutant.words) != std::string::npos);
    CHECK(said.at.offset <= mutant.text.size());
  });
  CHECK(places.size() >= 100);
  CHECK(mutants >= 1000);
}

TEST_CASE("the same mistakes are found inside of base64", "[porep][c1]") {
  std::size_t mutants = 0;
  const Mutations all([&](const Mutant& mutant) {
    if (++mutants % 16 != 0) return;
    const Refusal said = refusal(c1::wrapper(mutant.text, shape.bytes()));
    CAPTURE(mutant.section, mutant.words, said.message);
    CHECK(said.at.section ==
          "Phase1Out" + std::string(mutant.section.empty() ? "" : ".") + mutant.section);
    CHECK(said.message.find(mutant.words) != std::string::npos);
  });
}

TEST_CASE("a C1 file that ends too early is refused where it ends", "[porep][c1]") {
  const std::string bincode = c1::BincodeBytes(output(), shape).text;
  for (const std::string& whole : {json_text(), bincode, c1::wrapper(json_text(), 2048)}) {
    REQUIRE(refusal(whole).message == "accepted");
    for (std::size_t i = 0; i < 200; ++i) {
      const std::size_t length = whole.size() * i / 200;
      const Refusal said = refusal(std::string_view(whole).substr(0, length));
      CAPTURE(length, said.message);
      CHECK(said.message != "accepted");
      CHECK(said.at.file == "some.c1");
      CHECK(said.at.offset <= length);
      CHECK(said.at.offset + 64 >= length);  // a node may have begun before
    }
    CHECK(refusal(std::string_view(whole).substr(0, whole.size() - 1)).message != "accepted");
    CHECK(refusal(whole + "x").message.find("more behind the end") != std::string::npos);
  }
}

TEST_CASE("wrong counts, forms, indices and nodes of bincode are refused", "[porep][c1]") {
  const c1::BincodeBytes good(output(), shape);
  const auto with = [&](std::size_t at, std::uint64_t value, std::size_t bytes) {
    std::string text = good.text;
    for (std::size_t i = 0; i < bytes; ++i) text[at + i] = static_cast<char>(value >> (8 * i));
    return refusal(text);
  };
  std::set<std::string> places;
  for (const std::size_t at : good.counts) {
    const auto count = io::load_le<std::uint64_t>(io::bytes_of(good.text).data() + at);
    for (const std::uint64_t other : {std::uint64_t{0}, count + 1, count - 1, ~std::uint64_t{0},
                                      std::uint64_t{1} << 63, (std::uint64_t{1} << 59) + count}) {
      if (at == 84) continue;  // of which the sector size is told
      const Refusal said = with(at, other, 8);
      CAPTURE(at, other, said.message);
      CHECK(said.at.offset <= at + 8);
      CHECK(said.message != "accepted");
      CHECK(said.message.find("vanilla_proofs") != std::string::npos);
      places.insert(said.at.section);
    }
  }
  CHECK(with(84, 5, 8).message.find("would have 5 levels") != std::string::npos);
  CHECK(with(84, 7, 8).message != "accepted");  // of another sector
  for (const std::size_t at : good.indices) {
    const Refusal said = with(at, 8, 8);
    CAPTURE(said.message);
    CHECK(said.at.offset == at);
    CHECK(said.at.section.ends_with(".index"));
  }
  for (const std::size_t at : good.forms) {
    for (const std::uint64_t form : {1u, 2u, 3u, 0xffffffffu}) {
      CHECK(with(at, form, 4).message.find("form " + std::to_string(form)) != std::string::npos);
    }
  }
  for (std::size_t i = 0; i + 2 < good.nodes_at.size(); ++i) {  // the last two are any bytes
    const Refusal said = with(good.nodes_at[i] + 24, ~std::uint64_t{0}, 8);
    CAPTURE(said.message);
    CHECK(said.at.offset == good.nodes_at[i]);
    CHECK(said.message.find("not below the modulus") != std::string::npos);
  }
  CHECK(places.size() >= 100);
}

TEST_CASE("the modulus itself is no node, the number below it is", "[porep][c1]") {
  const auto json_with = [&](const Fr::Integer& value) {
    Phase1Output changed = output();
    std::memcpy(changed.comm_d.data(), &value, 32);
    return refusal(c1::JsonText(changed, shape, "StackedDrg2KiBV1_1").text);
  };
  CHECK(json_with(Fr::modulus()).message.find("comm_d") != std::string::npos);
  CHECK(json_with((-Fr::one()).to_integer()).message == "accepted");
}

TEST_CASE("proof type, sector size and partitions must belong together", "[porep][c1]") {
  const auto refused = [&](std::string_view text, std::string_view words) {
    const Refusal said = refusal(text);
    CAPTURE(said.message);
    CHECK(said.message.find(words) != std::string::npos);
  };
  const auto named = [&](std::string_view name) {
    return c1::JsonText(output(), shape, name).text;
  };
  refused(named("StackedDrg8MiBV1_1"), "registered_proof is StackedDrg8MiBV1_1");
  refused(named("StackedDrg2KiBV1_2_Feat_NonInteractivePoRep"), "has 13");
  refused(named("StackedDrg2KiBV2"), "no registered seal proof is called 'StackedDrg2KiBV2'");
  refused(named("StackedDrg2KiB\\u00561"), "an escape or no ASCII");
  refused(named(std::string(200, 'S')), "too long");
  for (const unsigned partitions : {2u, 12u, 14u}) {
    Phase1Output changed = output();
    changed.partitions.resize(partitions, changed.partitions[0]);
    refused(c1::JsonText(changed, shape, "StackedDrg2KiBV1_1").text, "partitions");
    refused(c1::BincodeBytes(changed, shape).text, "partitions");
  }
  const std::string json = named("StackedDrg2KiBV1_1");
  refused(c1::wrapper(json, 34359738368u), "SectorSize is 34359738368");
  refused(c1::wrapper(json, 0), "SectorSize is 0");
}

TEST_CASE("base64 that stands for no bytes is refused", "[porep][c1]") {
  const auto refused = [&](const std::string& digits, std::string_view words) {
    const Refusal said = refusal(R"({"SectorNum":1,"Phase1Out":")" + digits + R"("})");
    CAPTURE(digits, said.message);
    CHECK(said.at.section == "Phase1Out");
    CHECK(said.message.find(words) != std::string::npos);
  };
  refused("", "ends where an object is expected");
  refused("e", "without the padding");
  refused("ew", "without the padding");
  refused("ew=", "padding where base64 has none");
  refused("e===", "padding where base64 has none");
  refused("====", "padding where base64 has none");
  refused("ex==", "bits behind the last byte");
  refused("ewp=", "bits behind the last byte");
  refused("ew==ew==", "behind the padding");
  refused("ew-_", "not a digit");
  refused("ew\\n", "not a digit");
  refused("e w=", "not a digit");
  refused("fQ==", "not an object");
}

TEST_CASE("numbers that JSON or integers do not have are refused", "[porep][c1]") {
  for (const std::string number : {"00", "01", "+1", "1e1", "1E1", "1.0", "0x1", "-0", "NaN", "",
                                   "99999999999999999999", "1 1", "\"1\"", "1f"}) {
    std::string text = json_text();
    const std::size_t at = text.find(R"("layer_index":1)");
    text.replace(at + 14, 1, number);
    const Refusal said = refusal(text);
    CAPTURE(number, said.message);
    CHECK(said.message != "accepted");
    CHECK(said.message.find("labeling_proofs[0]") != std::string::npos);
    CHECK(said.at.offset <= at + 14 + number.size() + 1);
  }
}

namespace {
/// A file of a thousand million opening brackets.
class Brackets final : public io::ByteSource {
 public:
  explicit Brackets(std::string start) : ByteSource("deep", 1000000000), start_(std::move(start)) {}
  void read(std::uint64_t offset, std::span<std::byte> out) override {
    for (std::size_t i = 0; i < out.size(); ++i) {
      const std::uint64_t at = offset + i;
      out[i] = static_cast<std::byte>(at < start_.size() ? start_[at] : '[');
    }
    bytes += out.size();
  }
  std::uint64_t bytes = 0;

 private:
  std::string start_;
};
}  // namespace

TEST_CASE("nesting of any depth costs no more than its first bytes", "[porep][c1]") {
  for (const std::string start :
       {"{", R"({"vanilla_proofs":)", R"({"vanilla_proofs":{"StackedDrg32GiBV1":)",
        R"({"SectorNum":)", R"({"comm_r":)", R"({"x":)", R"({"Phase1Out":"eyJ4Ijp7)"}) {
    Brackets source(start);
    CHECK_THROWS_AS(read_c1(source), Malformed);
    CHECK(source.bytes <= 4 * 65536);
  }
}

TEST_CASE("what is neither JSON nor bincode is refused", "[porep][c1]") {
  CHECK(refusal("").message.find("the file is empty") != std::string::npos);
  for (const std::string text : {" ", "[]", "null", "\xEF\xBB\xBF{}", "\"\"", "PK", "{", "{}",
                                 "{\"", "{\"SectorNum", "{\"SectorNum\"", "{,}"}) {
    const Refusal said = refusal(text);
    CAPTURE(text, said.message);
    CHECK(said.message != "accepted");
    CHECK(said.at.file == "some.c1");
  }
  CHECK(refusal(std::string(100000, '\xff')).message.find("neither JSON nor bincode") !=
        std::string::npos);
}
