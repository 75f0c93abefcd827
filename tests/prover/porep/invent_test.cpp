// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <catch2/catch.hpp>

#include <zkgpu/prover/io/bytes/byte_sink.hpp>
#include <zkgpu/prover/io/bytes/digest.hpp>
#include <zkgpu/prover/porep/c1/write.hpp>
#include <zkgpu/prover/porep/seal/invent.hpp>

#include "porep_values.hpp"

using namespace zkgpu::porep;
using zkgpu::test::porep::filled;
using zkgpu::test::porep::hex;

namespace {

/// The first sixteen digits of what a sector of prover f01000 has: number 1, ticket 32 × 01, seed
/// 32 × 02. Made by an independent program, whose circuits were satisfied.
struct Golden {
  std::uint64_t registered;
  const char *comm_d, *comm_c, *comm_r_last, *comm_r, *replica_id, *bincode;
  std::size_t bincode_bytes;
};

std::string start(std::span<const std::byte> bytes) { return hex(bytes.first(8)); }

/// Counts and digests what is written.
class DigestSink final : public zkgpu::io::ByteSink {
 public:
  void write(std::span<const std::byte> bytes) override {
    stream_.update(bytes);
    size_ += bytes.size();
  }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] std::string start_of_digest() { return start(stream_.finish().bytes); }

 private:
  zkgpu::io::DigestStream stream_;
  std::size_t size_ = 0;
};

Phase1Output check_invented(const Golden& golden) {
  const SealConfig config = registered_proof(golden.registered).config();
  const Phase1Output output =
      invent_phase1(config, {prover_id_of_miner(1000), 1, filled(1)}, filled(2));
  CHECK(output.partitions.size() == config.partitions());
  CHECK(start(output.comm_d) == golden.comm_d);
  const ChallengeProof& first = output.partitions.at(0).at(0);
  CHECK(start(first.c_x.inclusion.root) == golden.comm_c);
  CHECK(start(first.comm_r_last.root) == golden.comm_r_last);
  CHECK(start(output.comm_r) == golden.comm_r);
  CHECK(start(output.replica_id) == golden.replica_id);
  DigestSink file;
  write_c1_bincode(file, output, config.shape);
  CHECK(file.size() == golden.bincode_bytes);
  CHECK(file.start_of_digest() == golden.bincode);
  return output;
}

}  // namespace

TEST_CASE("invented outputs of small sectors are those of another program", "[porep][invent]") {
  check_invented({5, "2ae69b5ed87a70a7", "108f94a1cb33da3b", "707e4c6a63c74ec0", "41c05de5e1db5fed",
                  "4302f0b34e785a2c", "2e9c286257380f20", 28'248});
  check_invented({6, "21b354f23e8c9b86", "d0be923144a80b14", "e6e37585d85aa67d", "b2d9593a08164826",
                  "59077287f90b527c", "237cd36a33ccbd90", 60'120});
  check_invented({7, "f9f1eea3c492738f", "993942bfc73b531c", "9cb1e83a2698c25b", "cf4371b6b3ed6940",
                  "314f2321321f9d11", "9ba5675789109c20", 76'056});
}

TEST_CASE("an invented output of 32 GiB is that of another program", "[porep][invent]") {
  const Phase1Output output =
      check_invented({8, "ef2ea474f4c37f40", "b68cbc8fe3b5f66f", "49f463333de5b020",
                      "2204b5a4f91f0a45", "06e8c91bd70ff9d8", "d19e5d28cb47c108", 11'014'808});
  CHECK(output.partitions[0][0].c_x.node == 22612356);
  CHECK(output.partitions[0][1].c_x.node == 187247528);
  CHECK(output.partitions[0][2].c_x.node == 702148838);
}

TEST_CASE("an invented output of 64 GiB is that of another program", "[porep][invent]") {
  check_invented({9, "62d3793bcd169df2", "5c38f6317f9a5dcf", "df2b2054c58b2e20", "fb887463f01123ed",
                  "3e8240f9916f2c39", "85d5e5db700bd3ed", 11'184'728});
}

TEST_CASE("only interactive challenges can be invented for", "[porep][invent]") {
  for (const std::uint64_t number : {10U, 18U}) {
    CHECK_THROWS_AS(invent_phase1(registered_proof(number).config(), {}, filled(2)),
                    zkgpu::InvalidArgument);
  }
}
