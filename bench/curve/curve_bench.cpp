// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <benchmark/benchmark.h>

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include <zkgpu/curve/bls12_381.hpp>
#include <zkgpu/curve/encoding.hpp>
#include <zkgpu/curve/fixed_base.hpp>
#include <zkgpu/curve/pairing.hpp>
#include <zkgpu/curve/scalar_mul.hpp>

// One thread. Chains, where each result is the next operand: latency, as in a scalar
// multiplication.
namespace {

using namespace zkgpu;
using C = Bls12_381;
using Fr = C::Fr;
using Fq12 = C::Fq12;

/// Runs `step(state)` over and over; `items` is how many points or elements a step makes.
template <class State, class Step>
void add(const std::string& name, State state, Step step, std::size_t items = 1) {
  benchmark::RegisterBenchmark(name.c_str(), [=](benchmark::State& bench) mutable {
    for (auto _ : bench) {
      step(state);
      benchmark::DoNotOptimize(state);
    }
    bench.SetItemsProcessed(bench.iterations() * static_cast<std::int64_t>(items));
  });
}

template <class G>
void add_group(const std::string& group) {
  using P = typename G::Params;
  using Affine = typename G::Affine;
  using Jacobian = typename G::Jacobian;
  using Bucket = typename G::Bucket;
  const std::string name = "curve/" + group + "/";
  const Affine g = G::generator();
  const Jacobian g2 = Jacobian::from_affine(g).doubled();
  const Jacobian g5 = g2.doubled() + g;
  const Fr::Integer k = Fr(7).inverse().to_integer();

  add(name + "double", g5, [](Jacobian& p) { p = p.doubled(); });
  add(name + "add", g5, [=](Jacobian& p) { p += g2; });
  add(name + "add_mixed", g5, [=](Jacobian& p) { p += g; });
  add(name + "bucket_add_mixed", Bucket::doubled(g), [=](Bucket& p) { p += g; });
  add(name + "bucket_add", Bucket::doubled(g),
      [=, b = Bucket::doubled(g) + g](Bucket& p) { p += b; });
  add(name + "bucket_double", Bucket::doubled(g), [](Bucket& p) { p = p.doubled(); });
  add(name + "to_affine", g5, [](Jacobian& p) { p.x = p.to_affine().x; });

  add(name + "scalar_mul", g, [=](Affine& p) { p.x = scalar_mul(g, k).x; });
  add(name + "scalar_mul_constant_time", g,
      [=](Affine& p) { p.x = scalar_mul_constant_time(g, k).x; });
  add(name + "scalar_mul_double_and_add", g5,
      [=](Jacobian& p) { p = scalar_mul_double_and_add(g2, k); });
  add(name + "subgroup_check", true, [=](bool& in) { in = is_in_subgroup(g); });

  const auto compressed = encode_compressed(g);
  const auto uncompressed = encode_uncompressed(g);
  add(name + "compress", compressed, [=](auto& bytes) { bytes = encode_compressed(g); });
  add(name + "decompress", g,
      [=](Affine& p) { static_cast<void>(decode_compressed(compressed, p)); });
  add(name + "decompress_unchecked", g,
      [=](Affine& p) { static_cast<void>(decode_compressed_unchecked(compressed, p)); });
  add(name + "decode_uncompressed", g,
      [=](Affine& p) { static_cast<void>(decode_uncompressed(uncompressed, p)); });
  add(name + "decode_uncompressed_unchecked", g,
      [=](Affine& p) { static_cast<void>(decode_uncompressed_unchecked(uncompressed, p)); });
  add(name + "split_scalar", k,
      [](Fr::Integer& n) { n.limb[0] ^= ScalarParts<P>::of(n).magnitude[0].limb[0] & 1; });

  constexpr std::size_t n = 1024;
  std::vector<Fr::Integer> scalars;
  for (std::size_t i = 0; i < n; ++i)
    scalars.push_back(Fr(static_cast<int>(i) + 2).inverse().to_integer());
  for (unsigned w : {8u, 12u}) {
    add(
        name + "fixed_base/window_bits:" + std::to_string(w) + "/1024", std::vector<Affine>(n),
        [=, table = FixedBaseTable<G>(g, w)](auto& out) { table.multiply(scalars, out); }, n);
  }
  std::vector<Jacobian> multiples(1, g5);
  while (multiples.size() < n) multiples.push_back(multiples.back() + g);
  add(
      name + "batch_to_affine/1024", std::vector<Affine>(n),
      [=, scratch = std::vector<typename G::BaseField>(n)](auto& out) mutable {
        batch_to_affine(std::span<const Jacobian>(multiples), std::span<Affine>(out),
                        std::span<typename G::BaseField>(scratch));
      },
      n);
}

void add_tower() {
  const Fq12 f = miller_loop<C>(C::G1::generator(), C::G2::generator());
  const Fq12 e = final_exponentiation<C>(f);
  add("field/bls12_381_fq6/mul", f.c0, [=](auto& x) { x *= f.c1; });
  add("field/bls12_381_fq6/square", f.c0, [](auto& x) { x = x.square(); });
  add("field/bls12_381_fq12/mul", f, [=](Fq12& x) { x *= e; });
  add("field/bls12_381_fq12/square", f, [](Fq12& x) { x = x.square(); });
  add("field/bls12_381_fq12/cyclotomic_square", e, [](Fq12& x) { x = x.cyclotomic_square(); });
  add("field/bls12_381_fq12/multiply_by_line", f,
      [=](Fq12& x) { x = x.multiply_by_line(e.c0.c0, e.c0.c1, e.c1.c1); });
  add("field/bls12_381_fq12/inverse", f, [](Fq12& x) { x = x.inverse(); });
  add("field/bls12_381_fq12/frobenius", f, [](Fq12& x) { x = x.frobenius(); });
}

void add_pairing() {
  const std::string name = "curve/bls12_381/";
  const auto p = C::G1::generator();
  const auto q = C::G2::generator();
  const Fq12 f = miller_loop<C>(p, q);
  add(name + "miller_loop", f, [=](Fq12& x) { x = miller_loop<C>(p, q); });
  add(name + "final_exponentiation", f, [=](Fq12& x) { x = final_exponentiation<C>(f); });
  add(name + "final_exponentiation_cubed", f,
      [=](Fq12& x) { x = final_exponentiation_cubed<C>(f); });
  add(name + "pairing", f, [=](Fq12& x) { x = pairing<C>(p, q); });
  add(name + "prepare_g2", PreparedG2<C>(q), [=](auto& lines) { lines = PreparedG2<C>(q); });
  for (std::size_t n : {2, 3, 4, 8, 16}) {
    const std::vector<PairingTerm<C>> terms(n, PairingTerm<C>{p, q});
    const std::string many = "/" + std::to_string(n);
    add(
        name + "multi_miller_loop" + many, f,
        [=](Fq12& x) { x = multi_miller_loop<C>(std::span<const PairingTerm<C>>(terms)); }, n);
    add(
        name + "multi_miller_loop_prepared" + many, f,
        [=, lines = PreparedG2<C>(q)](Fq12& x) {
          const std::vector<PreparedPairingTerm<C>> ready(n, PreparedPairingTerm<C>{p, &lines});
          x = multi_miller_loop<C>({}, std::span<const PreparedPairingTerm<C>>(ready));
        },
        n);
  }
  add(name + "pairing_check/4", true,
      [=, terms = std::vector<PairingTerm<C>>(4, {p, q})](bool& ok) {
        ok = pairing_check<C>(terms);
      });
}

const bool registered = [] {
  add_group<C::G1>("bls12_381_g1");
  add_group<C::G2>("bls12_381_g2");
  add_tower();
  add_pairing();
  return true;
}();

}  // namespace
