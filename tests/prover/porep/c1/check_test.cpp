// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <catch2/catch.hpp>

#include <functional>
#include <random>
#include <utility>

#include <zkgpu/prover/io/bytes/byte_sink.hpp>
#include <zkgpu/prover/io/bytes/byte_source.hpp>
#include <zkgpu/prover/porep/c1/check.hpp>
#include <zkgpu/prover/porep/c1/read.hpp>
#include <zkgpu/prover/porep/c1/write.hpp>
#include <zkgpu/prover/porep/seal/invent.hpp>
#include <zkgpu/prover/porep/seal/seal.hpp>

#include "../porep_values.hpp"

using namespace zkgpu::porep;
using Catch::Matchers::Contains;
using zkgpu::Malformed;
using zkgpu::test::porep::filled;

namespace {

const SectorId sector{prover_id_of_miner(1000), 1, filled(1)};

std::vector<std::byte> some_data(std::uint64_t bytes) {
  std::mt19937 random(7);
  std::vector<std::byte> data(bytes);
  for (std::size_t i = 0; i < data.size(); ++i) {
    data[i] = static_cast<std::byte>(random() & (i % 32 == 31 ? 0x3f : 0xff));
  }
  return data;
}

SealConfig config_of(const char* size, Challenges challenges = Challenges::interactive) {
  return {shape_of_name(size), filled(3), ApiVersion::v1_2_0, challenges};
}

Phase1Output sealed(const SealConfig& config) {
  return seal(config, sector, some_data(config.shape.bytes()), filled(2));
}

/// A sound output of 2 KiB, made once.
const Phase1Output& sound() {
  static const Phase1Output output = sealed(config_of("2KiB"));
  return output;
}

using Mistake = std::function<void(Phase1Output&)>;

void check_mistake(const Mistake& make, const std::string& what) {
  Phase1Output output = sound();
  make(output);
  CAPTURE(what);
  CHECK_THROWS_AS(check(output, config_of("2KiB")), Malformed);
  CHECK_THROWS_WITH(check(output, config_of("2KiB")), "C1 output, " + what);
}

void flip(Node& node) { node[3] ^= std::byte{4}; }

const Node too_large = filled(0xff);

}  // namespace

TEST_CASE("what sealing gives is sound: every tree shape, version and kind of challenges",
          "[porep][check]") {
  for (const char* size : {"2KiB", "4KiB", "16KiB", "32KiB"}) {
    for (const Challenges kind :
         {Challenges::interactive, Challenges::synthetic, Challenges::non_interactive}) {
      const SealConfig config = config_of(size, kind);
      const Phase1Output output = sealed(config);
      CHECK(output.partitions.size() == config.partitions());
      CHECK_NOTHROW(check(output, config));
      CHECK_NOTHROW(check_sector(output, config, sector));
    }
  }
  for (const std::uint64_t number : {0U, 5U, 10U, 15U}) {
    const SealConfig config = registered_proof(number).config();
    CHECK_NOTHROW(check(sealed(config), config));
  }
}

TEST_CASE("an 8 MiB sector is sealed and sound", "[porep][check][slow]") {
  const SealConfig config = registered_proof(6).config();
  const SealedSector whole = seal_sector(config, sector, some_data(config.shape.bytes()));
  const Phase1Output output = commit_phase1(whole, filled(2));
  CHECK_NOTHROW(check(output, config));
  const auto inputs = seal_public_inputs(config, whole.statement(filled(2)));
  CHECK(inputs[0][3].to_integer().limb[0] == output.partitions[0][0].c_x.node);
}

TEST_CASE("invented outputs are sound, also where parents are challenges", "[porep][check]") {
  for (const char* size : {"2KiB", "8MiB", "32KiB", "512MiB"}) {
    const SealConfig config = config_of(size);
    const Phase1Output output = invent_phase1(config, sector, filled(2));
    CHECK_NOTHROW(check(output, config));
    CHECK_NOTHROW(check_sector(output, config, sector));
  }
  // 26 challenges in 64 nodes: most have parents that are challenges.
  const SealConfig config = config_of("2KiB");
  CHECK_NOTHROW(check(invent_phase1(config, sector, filled(2), 13), config.shape));
}

TEST_CASE("an invented output of 32 GiB is sound", "[porep][check]") {
  const SealConfig config = registered_proof(8).config();
  CHECK_NOTHROW(check(invent_phase1(config, sector, filled(2), 1), config.shape));
}

TEST_CASE("mistakes in tree paths are named by challenge and path", "[porep][check]") {
  check_mistake([](auto& o) { flip(o.partitions[0][1].comm_d.path[2].siblings[0]); },
                "partition 0, challenge 1, path in tree D: leaf and siblings lead to another root");
  check_mistake([](auto& o) { flip(o.partitions[0][1].comm_d.root); },
                "partition 0, challenge 1, path in tree D: its root is not comm_d");
  check_mistake([](auto& o) { flip(o.partitions[0][1].comm_r_last.root); },
                "partition 0, challenge 1, path in tree R: its root is not comm_r_last, which the "
                "first challenge names");
  check_mistake([](auto& o) { flip(o.partitions[0][1].exp_parents[7].inclusion.root); },
                "partition 0, challenge 1, expander parent 7, path in tree C: its root is not "
                "comm_c, which the first challenge names");
  check_mistake(
      [](auto& o) { flip(o.partitions[0][0].drg_parents[3].inclusion.path[1].siblings[6]); },
      "partition 0, challenge 0, DRG parent 3, path in tree C: leaf and siblings lead to "
      "another root");
  check_mistake([](auto& o) { o.partitions[0][0].comm_r_last.path[1].siblings[4] = too_large; },
                "partition 0, challenge 0, path in tree R, level 1: sibling 4 is not below the "
                "modulus of Fr");
  check_mistake(
      [](auto& o) { o.partitions[0][1].comm_d.leaf = too_large; },
      "partition 0, challenge 1, path in tree D: its leaf is not below the modulus of Fr");
  check_mistake([](auto& o) { o.partitions[0][1].comm_d.path.pop_back(); },
                "partition 0, challenge 1, path in tree D: its levels are 5, expected 6");
  check_mistake(
      [](auto& o) { o.partitions[0][1].comm_r_last.path[0].siblings.pop_back(); },
      "partition 0, challenge 1, path in tree R, level 0: its siblings are 6, expected 7");
  check_mistake([](auto& o) { o.partitions[0][1].comm_r_last.path[0].index = 8; },
                "partition 0, challenge 1, path in tree R, level 0: its index is 8 of 8");
  Phase1Output output = sound();
  output.partitions[0][1].comm_d.path[0].index ^= 1;
  CHECK_THROWS_WITH(check(output, config_of("2KiB")),
                    Contains("challenge 1, path in tree D: it starts at leaf "));
}

TEST_CASE("mistakes in columns and labels are named by layer and parent", "[porep][check]") {
  check_mistake([](auto& o) { flip(o.partitions[0][0].c_x.labels[1]); },
                "partition 0, challenge 0, own column: the leaf of tree C is not the hash of its "
                "labels");
  check_mistake([](auto& o) { o.partitions[0][0].exp_parents[2].labels[1] = too_large; },
                "partition 0, challenge 0, expander parent 2: the label of layer 2 is not below "
                "the modulus");
  check_mistake([](auto& o) { o.partitions[0][0].drg_parents[0].labels.pop_back(); },
                "partition 0, challenge 0, DRG parent 0: its labels are 1, expected 2");
  check_mistake([](auto& o) { flip(o.partitions[0][1].labeling[0].parents[36]); },
                "partition 0, challenge 1, labeling proof of layer 1: parent 36 is not the label "
                "in that parent's column");
  check_mistake([](auto& o) { o.partitions[0][1].labeling[1].parents.pop_back(); },
                "partition 0, challenge 1, labeling proof of layer 2: its parents are 36, expected "
                "37");
  check_mistake(
      [](auto& o) { o.partitions[0][1].labeling[1].layer = 1; },
      "partition 0, challenge 1, labeling proof of layer 2: it names layer 1, expected 2");
  check_mistake([](auto& o) { o.partitions[0][1].labeling.pop_back(); },
                "partition 0, challenge 1: labeling proofs are 1, expected 2");
  check_mistake([](auto& o) { flip(o.partitions[0][1].encoding.parents[0]); },
                "partition 0, challenge 1: the encoding proof is not the last labeling proof");
  check_mistake([](auto& o) { flip(o.replica_id); },
                "partition 0, challenge 0, labeling proof of layer 1: replica id and parents do "
                "not hash to the label in the own column");
  const std::string node = std::to_string(sound().partitions[0][0].c_x.node);
  check_mistake(
      [](auto& o) { o.partitions[0][0].labeling[1].node = 99; },
      "partition 0, challenge 0, labeling proof of layer 2: it names node 99, expected " + node);
  check_mistake([](auto& o) { o.partitions[0][1].c_x.node = 0; },
                "partition 0, challenge 1: node 0 is never challenged");
}

TEST_CASE("mistakes in commitments and counts are named", "[porep][check]") {
  check_mistake([](auto& o) { flip(o.comm_r); },
                "comm_r: it is not the hash of the roots of trees C and R");
  check_mistake([](auto& o) { o.comm_r = {}; }, "comm_r: it is zero");
  check_mistake([](auto& o) { o.comm_d = {}; }, "comm_d: it is zero");
  check_mistake([](auto& o) { o.comm_d = too_large; }, "comm_d: it is not below the modulus of Fr");
  check_mistake([](auto& o) { o.replica_id = too_large; },
                "replica_id: it is not below the modulus of Fr");
  check_mistake([](auto& o) { o.seed = {}; }, "seed: it is zero");
  check_mistake([](auto& o) { o.partitions.clear(); }, "partitions: there are 0, expected 1");
  check_mistake([](auto& o) { o.partitions.push_back(o.partitions[0]); },
                "partitions: there are 2, expected 1");
  check_mistake([](auto& o) { o.partitions[0].pop_back(); },
                "partition 0: its challenges are 1, expected 2");
  CHECK_THROWS_WITH(check(Phase1Output{}, shape_of_name("2KiB")),
                    "C1 output, partitions: there are none");
}

TEST_CASE("a whole subset that fits together is held to its own place", "[porep][check]") {
  // Each of these is sound by the circuit; only a verifier's derivation finds it.
  Phase1Output output = sound();
  std::swap(output.partitions[0][0], output.partitions[0][1]);
  CHECK_NOTHROW(check(output, shape_of_name("2KiB")));
  CHECK_THROWS_WITH(check(output, config_of("2KiB")),
                    Contains("partition 0, challenge 0: the challenged node is "));
  output = sound();
  output.seed = filled(4);
  CHECK_NOTHROW(check(output, shape_of_name("2KiB")));
  CHECK_THROWS_WITH(check(output, config_of("2KiB")), Contains("the challenged node is "));
  SealConfig older = config_of("2KiB");
  older.api = ApiVersion::v1_0_0;
  CHECK_THROWS_WITH(check(sound(), older), Contains("DRG parent 0: it is node "));
  SealConfig other_graph = config_of("2KiB");
  other_graph.porep_id = filled(4);
  CHECK_THROWS_WITH(check(sound(), other_graph), Contains(" by the graph"));
}

TEST_CASE("a replica belongs to one sector", "[porep][check]") {
  const SealConfig config = config_of("2KiB");
  SectorId other = sector;
  other.number = 2;
  CHECK_THROWS_WITH(check_sector(sound(), config, other), Contains("replica_id: it is not that"));
  other = sector;
  other.prover_id = prover_id_of_miner(1001);
  CHECK_THROWS_WITH(check_sector(sound(), config, other), Contains("replica_id: it is not that"));
  other = sector;
  other.ticket = filled(9);
  CHECK_THROWS_WITH(check_sector(sound(), config, other), Contains("ticket: it is not that"));
  SealConfig other_id = config;
  other_id.porep_id = filled(4);
  CHECK_THROWS_AS(check_sector(sound(), other_id, sector), Malformed);
}

TEST_CASE("no bit of a C1 file can change unnoticed, wherever it is", "[porep][check]") {
  const SealConfig config = config_of("2KiB");
  zkgpu::io::MemorySink sink;
  write_c1_bincode(sink, sound(), config.shape);
  const std::vector<std::byte>& good = sink.bytes();
  constexpr std::size_t step = 61;  // hits every kind of field, and every byte of a node
  std::size_t changed = 0;
  for (std::size_t at = 0; at < good.size() - sizeof(Node); at += step, ++changed) {
    std::vector<std::byte> bad = good;
    bad[at] ^= std::byte{1} << (at / step % 8);
    zkgpu::io::SpanSource source(bad, "mutant");
    CAPTURE(at);
    CHECK_THROWS_AS(
        [&] {
          const C1File file = read_c1(source);
          check(file.output, config);
        }(),
        Malformed);
  }
  CHECK(changed > 450);
  // The ticket is at the end, and decides the replica id only.
  std::vector<std::byte> bad = good;
  bad.back() ^= std::byte{1};
  zkgpu::io::SpanSource source(bad, "mutant");
  const C1File file = read_c1(source);
  CHECK_NOTHROW(check(file.output, config));
  CHECK_THROWS_AS(check_sector(file.output, config, sector), Malformed);
}
