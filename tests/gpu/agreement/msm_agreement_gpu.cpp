// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <cstddef>
#include <cstdint>
#include <random>
#include <span>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "../../msm/msm_cases.hpp"
#include "both.hpp"
#include "shared.hpp"

namespace {

using namespace zkgpu;
using namespace zkgpu::gpu_test;
using test::KnownBases;
using G1 = Bls12_381::G1;
using G2 = Bls12_381::G2;

/// Of all tests of this program.
const test::Requirement device_is_there([]() -> std::string {
  try {
    static_cast<void>(Cuda::devices());
    return {};
  } catch (const Error& error) {
    return std::string("no GPU to test on: ") + error.what();
  }
});

constexpr unsigned uniform = 0, mostly_zero_or_one = 8, heavy_bucket = 14;

/// Bases on the device under several plans, beside the same bases on the host.
template <class G>
class Sums {
 public:
  Sums(Device& device, std::span<const typename G::Affine> bases) : device_(device), host_(bases) {}

  void add_plan(const CudaMsmPlan& plan) {
    tables_.emplace_back(device_.cuda, device_.queue, plan, CudaSource<typename G::Affine>(host_));
  }
  void add_usual_plans() {
    for (std::size_t table_bytes : {std::size_t{0}, std::size_t{4} << 30}) {
      add_plan(Msm<G, Cuda>::plan(host_.size(), table_bytes, device_.cuda.properties()));
    }
  }
  /// With rounds of affine pairs for however few points, in several lists.
  void add_plan_with_rounds() {
    DeviceProperties machine;
    machine.compute_units = 1;
    auto plan = plan_cuda_msm_with(Msm<G, Cuda>::shape(), host_.size(), 8, 1000, machine);
    plan.counted_entries = 1;
    plan.pair_entries = 3 << 13;
    REQUIRE(plan.pair_rounds(plan.chunk_entries()) >= 2);
    add_plan(plan);
  }
  /// @param known  what the sum is
  void check(std::span<const Integer> scalars, const typename G::Jacobian& known) const {
    const auto on_cpu = sum_on_cpu<G>(scalars, host_);
    CHECK(on_cpu == known);
    for (const auto& bases : tables_) {
      INFO(to_string(bases.plan()));
      CHECK(sum_on_device<G>(device_, bases, scalars) == on_cpu);
    }
  }
  void check(unsigned kind, const KnownBases<G>& bases, std::mt19937_64& random) const {
    INFO(bases.size() << " scalars: " << test::scalar_kind_name(kind));
    const auto scalars = test::make_scalars<Fr>(kind, bases.size(), random);
    check(scalars, bases.expected(scalars));
  }

 private:
  Device& device_;
  std::span<const typename G::Affine> host_;
  std::vector<CudaMsmBases<G>> tables_;
};

template <class G>
void check_sizes(std::uint64_t seed) {
  Device device;
  std::mt19937_64 random(seed);
  constexpr std::size_t most = (std::size_t{1} << 20) + 1;
  const KnownBases<G> all(most, random);
  constexpr std::size_t sizes[] = {
      0,    1,    2,     3,     7,     31,    32,     33,      61,       127,      128,  129,  255,
      256,  257,  511,   512,   513,   1009,  1023,   1024,    1025,     4095,     4096, 4097, 8191,
      8192, 8193, 10007, 65535, 65536, 65537, 104729, 1048573, most - 2, most - 1, most};
  for (const std::size_t n : sizes) {
    const auto bases = all.part(random() % (most - n + 1), n);
    Sums<G> sums(device, bases.bases());
    sums.add_usual_plans();
    sums.check(uniform, bases, random);
    sums.check(mostly_zero_or_one, bases, random);
  }
}

template <class G>
void check_kinds(std::uint64_t seed) {
  Device device;
  std::mt19937_64 random(seed);
  for (const std::size_t n : {33u, 600u, 4001u}) {
    const KnownBases<G> different(n, random);
    for (unsigned base_kind = 0; base_kind < test::base_kinds; ++base_kind) {
      INFO("bases: " << test::base_kind_name(base_kind));
      auto bases = different;
      test::make_bases(base_kind, bases);
      Sums<G> sums(device, bases.bases());
      sums.add_usual_plans();
      if (n > 4000) sums.add_plan_with_rounds();
      for (unsigned kind = 0; kind < test::scalar_kinds; ++kind) sums.check(kind, bases, random);
    }
  }
}

template <class G>
void check_widths(std::uint64_t seed) {
  Device device;
  std::mt19937_64 random(seed);
  const KnownBases<G> bases(2503, random);
  for (unsigned c = 2; c <= 24; ++c) {
    for (unsigned tables : {1u, 3u, 1000u}) {
      Sums<G> sums(device, bases.bases());
      sums.add_plan(plan_cuda_msm_with(Msm<G, Cuda>::shape(), bases.size(), c, tables,
                                       device.cuda.properties()));
      const auto edges = edge_scalars(c, bases.size(), c);
      sums.check(edges, bases.expected(edges));
      sums.check(uniform, bases, random);
    }
  }
}

template <class G>
void check_chunks(std::size_t n, std::uint64_t seed) {
  Device device;
  std::mt19937_64 random(seed);
  const KnownBases<G> bases(n, random);
  for (const std::size_t chunk : {n, n - 1, n / 2, n / 7}) {
    Sums<G> sums(device, bases.bases());
    for (std::size_t table_bytes : {std::size_t{0}, std::size_t{1} << 30}) {
      auto plan = Msm<G, Cuda>::plan(n, table_bytes, device.cuda.properties());
      plan.chunk_points = chunk;
      sums.add_plan(plan);
    }
    for (unsigned kind : {uniform, mostly_zero_or_one, heavy_bucket}) {
      sums.check(kind, bases, random);
    }
  }
}

}  // namespace

TEST_CASE("sums over G1 are the CPU's at every size where something may break",
          "[gpu][msm][g1][agreement]") {
  check_sizes<G1>(101);
}
TEST_CASE("sums over G2 are the CPU's at every size where something may break",
          "[gpu][msm][g2][agreement]") {
  check_sizes<G2>(102);
}
TEST_CASE("sums over G1 are the CPU's for every kind of scalars over every kind of bases",
          "[gpu][msm][g1][edge][agreement]") {
  check_kinds<G1>(103);
}
TEST_CASE("sums over G2 are the CPU's for every kind of scalars over every kind of bases",
          "[gpu][msm][g2][edge][agreement]") {
  check_kinds<G2>(104);
}
TEST_CASE("sums are the CPU's for every window width, with digits at its edge in every window",
          "[gpu][msm][g1][g2][edge][agreement]") {
  check_widths<G1>(105);
  check_widths<G2>(106);
}
TEST_CASE("sums in chunks of bases are the CPU's", "[gpu][msm][g1][g2][agreement]") {
  check_chunks<G1>(200003, 107);
  check_chunks<G2>(100003, 108);
}
TEST_CASE("large sums are the CPU's", "[gpu][msm][g1][slow][agreement]") {
  Device device;
  std::mt19937_64 random(109);
  const KnownBases<G1> bases((std::size_t{1} << 22) - 1, random);
  Sums<G1> sums(device, bases.bases());
  sums.add_usual_plans();
  for (unsigned kind : {uniform, mostly_zero_or_one, heavy_bucket}) sums.check(kind, bases, random);
}
