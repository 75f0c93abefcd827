// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <catch2/catch.hpp>

#include <set>
#include <string>
#include <vector>

#include <zkgpu/prover/io/bytes/byte_sink.hpp>
#include <zkgpu/prover/io/bytes/byte_source.hpp>
#include <zkgpu/prover/porep/parameters/official.hpp>

namespace {

using namespace zkgpu;
using namespace zkgpu::porep;
using Kind = CircuitName::Kind;

constexpr std::string_view porep_tree = "stacked-proof-of-replication-merkletree-poseidon_hasher-";
constexpr std::string_view post_tree = "proof-of-spacetime-fallback-merkletree-poseidon_hasher-";

}  // namespace

TEST_CASE("the names of the network's parameter files are derived", "[porep][parameters]") {
  const auto name = [](Kind kind, std::string_view sector) { return cache_id({kind, sector}); };
  const std::string porep(porep_tree), post(post_tree);
  // filecoin-proofs/parameters.json
  CHECK(name(Kind::porep, "2KiB") ==
        porep +
            "8-0-0-sha256_hasher-"
            "032d3138d22506ec0082ed72b2dcba18df18477904e35bafee82b3793b06832f");
  CHECK(name(Kind::porep, "8MiB") ==
        porep +
            "8-0-0-sha256_hasher-"
            "ecd683648512ab1765faa2a5f14bab48f676e633467f0aa8aad4b55dcb0652bb");
  CHECK(name(Kind::porep, "512MiB") ==
        porep +
            "8-0-0-sha256_hasher-"
            "6babf46ce344ae495d558e7770a585b2382d54f225af8ed0397b8be7c3fcd472");
  CHECK(name(Kind::porep, "32GiB") ==
        porep +
            "8-8-0-sha256_hasher-"
            "82a357d2f2ca81dc61bb45f4a762807aedee1b0a53fd6c4e77b46a01bfef7820");
  CHECK(name(Kind::porep, "64GiB") ==
        porep +
            "8-8-2-sha256_hasher-"
            "96f1b4a04c5c51e4759bbf224bbc2ef5a42c7100f16ec0637123f16a845ddfb2");
  CHECK(name(Kind::winning_post, "32GiB") ==
        post + "8-8-0-559e581f022bb4e4ec6e719e563bf0e026ad6de42e56c18714a2c692b1b88d7e");
  CHECK(name(Kind::window_post, "32GiB") ==
        post + "8-8-0-0377ded656c6f524f1618760bffe4e0a1c51d5a70c4509eedae8a27555733edc");
  CHECK(name(Kind::winning_post, "2KiB") ==
        post + "8-0-0-3ea05428c9d11689f23529cde32fd30aabd50f7d2c93657c1d3650bca3e8ea9e");
  CHECK(name(Kind::window_post, "2KiB") ==
        post + "8-0-0-0170db1f394b35d995252228ee359194b13199d259380541dc529fb0099096b0");
  CHECK(name(Kind::sector_update, "32GiB") ==
        "empty-sector-update-merkletree-poseidon_hasher-8-8-0-"
        "3b7f44a9362e3985369454947bc94022e118211e49fd672d52bec1cbfd599d18");
}

TEST_CASE("parameter files have a version before their name and say their sector size",
          "[porep][parameters]") {
  const CircuitName circuit{Kind::porep, "32GiB"};
  CHECK(file_name(circuit, ParameterFile::params) == "v28-" + cache_id(circuit) + ".params");
  CHECK(file_name(circuit, ParameterFile::vk) == "v28-" + cache_id(circuit) + ".vk");
  CHECK(file_name(circuit, ParameterFile::metadata) == "v28-" + cache_id(circuit) + ".meta");
  CHECK(metadata_text(circuit) == "{\"sector_size\":34359738368}");
  CHECK_THROWS_AS(cache_id({Kind::porep, "3KiB"}), InvalidArgument);
}

TEST_CASE("every circuit of every sector size has a name of its own", "[porep][parameters]") {
  std::set<std::string> names;
  for (const Kind kind :
       {Kind::porep, Kind::winning_post, Kind::window_post, Kind::sector_update}) {
    for (const SectorShape& shape : sector_shapes) names.insert(cache_id({kind, shape.name}));
  }
  CHECK(names.size() == 4 * sector_shapes.size());
}

TEST_CASE("a digest tells whose parameters a file holds", "[porep][parameters]") {
  REQUIRE(official_parameters().size() == 10);
  for (const OfficialParameters& official : official_parameters()) {
    const Provenance own =
        provenance(official.circuit, ParameterFile::params, std::string(official.params));
    CHECK(own.owner == Provenance::Owner::network);
    CHECK(own.circuit == official.circuit);
    CHECK_NOTHROW(expect_official(own, "p"));
    CHECK(provenance(official.circuit, ParameterFile::vk, std::string(official.vk)).owner ==
          Provenance::Owner::network);
    // The digest of a verifying key is none of a proving key.
    CHECK(provenance(official.circuit, ParameterFile::params, std::string(official.vk)).owner ==
          Provenance::Owner::unknown);
  }
  const Provenance other =
      provenance({Kind::porep, "64GiB"}, ParameterFile::params, "6a388072a518cf46ebd661f5cc46900a");
  CHECK(other.owner == Provenance::Owner::other_circuit);
  CHECK(other.text().find("the network's PoRep 32GiB") == 0);
  CHECK_THROWS_WITH(expect_official(other, "my.params"),
                    Catch::Contains("my.params: the network's PoRep 32GiB"));
  const Provenance unknown =
      provenance({Kind::porep, "64GiB"}, ParameterFile::params, "6a388072a518cf46ebd661f5cc46900b");
  CHECK(unknown.owner == Provenance::Owner::unknown);
  CHECK_THROWS_WITH(expect_official(unknown, "my.params"),
                    Catch::Contains("own parameters, not the network's"));
}

TEST_CASE("the digest of a parameter file is half of BLAKE2b-512", "[porep][parameters]") {
  // RFC 7693, appendix A.
  CHECK(parameters_digest(io::bytes_of("abc")) == "ba80a53f981c4d0d6a2797b69f12f6e9");
  for (const std::size_t size : {std::size_t{0}, std::size_t{1}, (std::size_t{1} << 20) - 1,
                                 std::size_t{1} << 20, (std::size_t{3} << 20) + 5}) {
    std::vector<std::byte> bytes(size);
    for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<std::byte>(i * i >> 3);
    io::SpanSource source(bytes, "p");
    const std::string digest = parameters_digest(source);
    CHECK(digest == parameters_digest(bytes));
    if (size == 0) continue;
    bytes[size / 2] ^= std::byte{1};  // one bit of a file
    CHECK(parameters_digest(bytes) != digest);
  }
}
