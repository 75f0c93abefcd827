// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <catch2/catch.hpp>
#include <cstddef>
#include <eip2537.hpp>
#include <json_vectors.hpp>
#include <span>
#include <string>
#include <vector>

#include <zkgpu/curve/bls12_381.hpp>
#include <zkgpu/msm/msm.hpp>

namespace {

using zkgpu::Bls12_381;
using zkgpu::Cpu;
using zkgpu::PointStatus;
using zkgpu::test::Bytes;
using zkgpu::test::Json;
namespace eip = zkgpu::test::eip2537;
using Fr = Bls12_381::Fr;

/// The sum by the plan for n, by buckets where the plan takes none, and in narrow windows: all
/// equal.
template <class G>
typename G::Affine sum(const std::vector<Fr::Integer>& scalars,
                       const std::vector<typename G::Affine>& bases) {
  const Cpu<> cpu;
  const auto by_plan = zkgpu::msm<G>(cpu, std::span(scalars), std::span(bases));
  const auto plan = zkgpu::Msm<G, Cpu<>>::plan(scalars.size(), cpu.properties());
  auto queue = cpu.make_queue();
  for (const unsigned c : {3U, 8U}) {
    const auto forced = plan.with_window_bits(c);
    auto workspace = cpu.allocate<std::byte>(forced.workspace_bytes());
    typename G::Jacobian result;
    zkgpu::Msm<G, Cpu<>>::enqueue(queue, forced, scalars, bases, workspace.span(), result);
    CHECK(result == by_plan);
  }
  return by_plan.to_affine();
}

template <class G>
void check_oracle(const std::string& path) {
  if (!zkgpu::test::shared_present(path)) return;
  std::size_t cases = 0;
  const Json file = zkgpu::test::load_json(path);
  for (const Json& entry : file.at("cases")) {
    CAPTURE(entry.at("tag").get<std::string>());
    std::vector<Fr::Integer> scalars;
    std::vector<typename G::Affine> bases;
    for (const Json& k : entry.at("scalars")) {
      scalars.push_back(zkgpu::test::integer_from_hex<4>(k.get<std::string>()));
    }
    for (const Json& p : entry.at("points")) {
      bases.push_back(zkgpu::test::parse<typename G::Affine>(p));
    }
    CHECK(sum<G>(scalars, bases) == zkgpu::test::parse<typename G::Affine>(entry.at("result")));
    ++cases;
  }
  CHECK(cases >= 16);
}

/// Pairs of a point and a scalar, as the precompile MSM takes them. The precompile reduces scalars
/// above r; we refuse those, so the test reduces.
template <class G>
PointStatus decode_pairs(std::span<const std::byte> in, std::vector<Fr::Integer>& scalars,
                         std::vector<typename G::Affine>& bases) {
  using P = typename G::Params;
  constexpr std::size_t pair = eip::point_bytes<P> + eip::scalar_bytes;
  if (in.empty() || in.size() % pair != 0) return PointStatus::bad_length;
  for (; !in.empty(); in = in.subspan(pair)) {
    typename G::Affine p{};
    const PointStatus status = eip::decode<P>(in.first(eip::point_bytes<P>), p);
    if (status != PointStatus::ok) return status;
    bases.push_back(p);
    const auto scalar = in.subspan(eip::point_bytes<P>, eip::scalar_bytes);
    scalars.push_back(eip::decode_scalar<Fr>(scalar).to_integer());
  }
  return PointStatus::ok;
}

template <class G>
void check_precompile(const std::string& path, std::size_t at_least) {
  if (!zkgpu::test::shared_present(path)) return;
  std::size_t cases = 0;
  for (const Json& entry : zkgpu::test::load_json(path)) {
    CAPTURE(entry.at("Name").get<std::string>());
    std::vector<Fr::Integer> scalars;
    std::vector<typename G::Affine> bases;
    const Bytes input = zkgpu::test::bytes_from_hex(entry.at("Input").get<std::string>());
    const PointStatus status = decode_pairs<G>(input, scalars, bases);
    if (entry.contains("ExpectedError")) {
      CHECK(status == eip::expected_status(entry.at("ExpectedError").get<std::string>()));
    } else {
      REQUIRE(status == PointStatus::ok);
      const Bytes expected = zkgpu::test::bytes_from_hex(entry.at("Expected").get<std::string>());
      CHECK(sum<G>(scalars, bases) == eip::expect_point<typename G::Params>(expected));
    }
    ++cases;
  }
  CHECK(cases >= at_least);
}

TEST_CASE("sums by another library are ours", "[msm][vectors]") {
  check_oracle<Bls12_381::G1>("vectors/noble-oracle/msm_g1.json");
  check_oracle<Bls12_381::G2>("vectors/noble-oracle/msm_g2.json");
}

TEST_CASE("the MSM vectors of EIP-2537 hold", "[msm][vectors]") {
  check_precompile<Bls12_381::G1>("vectors/eip-2537/msm_G1_bls.json", 30);
  check_precompile<Bls12_381::G1>("vectors/eip-2537/fail-msm_G1_bls.json", 5);
  check_precompile<Bls12_381::G2>("vectors/eip-2537/fail-msm_G2_bls.json", 5);
}

TEST_CASE("the MSM vectors of go-ethereum hold", "[msm][vectors]") {
  check_precompile<Bls12_381::G1>("vectors/go-ethereum/blsG1MultiExp.json.gz", 150);
  check_precompile<Bls12_381::G2>("vectors/go-ethereum/blsG2MultiExp.json.gz", 150);
  check_precompile<Bls12_381::G1>("vectors/go-ethereum/fail-blsG1MultiExp.json", 5);
  check_precompile<Bls12_381::G2>("vectors/go-ethereum/fail-blsG2MultiExp.json", 5);
}

}  // namespace
