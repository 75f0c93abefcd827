// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Whatever allocation fails, the error is typed and the next call gives the right answer.
#include <catch2/catch.hpp>

#include <cstddef>
#include <cstdint>
#include <exception>
#include <mutex>
#include <random>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include <zkgpu/batch/multiples.hpp>
#include <zkgpu/batch/pairing.hpp>
#include <zkgpu/batch/points.hpp>
#include <zkgpu/curve/fixed_base.hpp>
#include <zkgpu/msm/msm.hpp>
#include <zkgpu/ntt/ntt.hpp>
#include <zkgpu/prover/groth16/generate.hpp>
#include <zkgpu/prover/groth16/verify.hpp>
#include <zkgpu/prover/io/key/point_checks.hpp>
#include <zkgpu/prover/prover.hpp>
#include <zkgpu/prover/r1cs/builder.hpp>
#include <zkgpu/prover/witness/builder.hpp>

#include "failing_memory.hpp"
#include "small_circuits.hpp"

using namespace zkgpu;  // NOLINT
using namespace zkgpu::test;
using Bls = Bls12_381;
using Fr = Bls::Fr;
using Integer = Fr::Integer;

namespace {

/// What a call of `work`, which says whether its answer is right, ended with.
template <class Work>
std::string ending_of(const Work& work, std::uint64_t failing) {
  const FailingMemory memory(failing);
  try {
    return work() ? "right" : "wrong";
  } catch (const ResourceExhausted&) {
    return "ResourceExhausted";
  } catch (const std::exception& error) {
    return error.what();
  }
}

/// Runs `work` with each of its allocations failing in turn, and once more after each.
/// @return how many of them ended it
template <class Work>
std::size_t sweep(const Work& work) {
  const std::uint64_t allocations = [&] {
    const FailingMemory counting;
    static_cast<void>(work());
    return counting.allocations();
  }();
  REQUIRE(allocations > 0);
  std::size_t ended = 0;
  for (std::uint64_t at = 0; at < allocations; ++at) {
    const std::string ending = ending_of(work, at);
    INFO("allocation " << at << " of " << allocations);
    if (ending == "right") continue;  // one that can be done without
    CHECK(ending == "ResourceExhausted");
    ++ended;
    if (at % 16 == 0) CHECK(ending_of(work, FailingMemory::never) == "right");
  }
  return ended;
}

std::vector<Integer> some_scalars(std::size_t n) {
  std::vector<Integer> scalars(n);
  Fr power = Fr(3);
  for (Integer& k : scalars) k = (power = power.square() + Fr::one()).to_integer();
  return scalars;
}

template <CurveGroup G>
std::vector<typename G::Affine> some_bases(std::size_t n) {
  std::vector<typename G::Affine> bases(n);
  auto p = G::Jacobian::from_affine(G::generator());
  for (auto& base : bases) base = (p = p.doubled() + G::generator()).to_affine();
  return bases;
}

/// With f(Cpu) on the best architecture, and in scalar code.
template <class Function>
void on_both(const Function& f) {
  f(Cpu<arch::scalar>{});
  with_best_cpu([&](const auto& cpu) { f(cpu); });
}

class FixedRandom final : public io::RandomSource {
 public:
  void fill(std::span<std::byte> out) override {
    const std::lock_guard guard(mutex_);
    for (std::byte& b : out) b = static_cast<std::byte>(random_());
  }

 private:
  std::mutex mutex_;
  std::mt19937_64 random_{20261130};
};

/// A key, and a proof with its public values.
struct Proven {
  SquaringsCircuit<Fr> circuit{.squarings = 5};
  R1cs<Fr> r1cs = synthesize_r1cs<Fr>(circuit);
  Witness<Fr> witness = synthesize_witness<Fr>(circuit);
  ToxicWaste<Fr> waste{Fr(11), Fr(12), Fr(13), Fr(1), Fr(15)};
  ProvingKey<Bls> key = generate_key<Bls>(r1cs, waste, KeyForm::snarkjs);
  Proof<Bls> proof = Prover<Bls, Cpu<>, pipeline::cpu_only>(Cpu<>{}, key).prove(witness);
  [[nodiscard]] std::span<const Integer> publics() const { return witness.public_values(1); }
};

}  // namespace

TEST_CASE("memory that cannot be had is a ResourceExhausted that says who asked", "[core][fault]") {
  CHECK_THROWS_WITH(with_typed_memory_errors("x", []() -> int { throw std::bad_alloc(); }),
                    "x: out of memory");
  CHECK_THROWS_WITH(
      with_typed_memory_errors("x", [] { return std::vector<int>(~std::size_t{0}).size(); }),
      Catch::StartsWith("x: more elements"));
  CHECK_THROWS_AS(with_typed_memory_errors("x", []() -> int { throw std::length_error("y"); }),
                  ResourceExhausted);
  CHECK_THROWS_AS(with_typed_memory_errors("x", []() -> int { throw InvalidArgument("y"); }),
                  InvalidArgument);
  CHECK(with_typed_memory_errors("x", [] { return 7; }) == 7);
}

TEST_CASE("any allocation of a table of twiddles may fail", "[ntt][fault]") {
  const NttDomain<Fr> domain(12);
  for (const CpuLevel level : {CpuLevel::scalar, selected_cpu_level()}) {
    CHECK(sweep([&] {
            const NttTwiddles<Fr> twiddles(domain, level);
            return twiddles.table().size() == domain.size() / 2 &&
                   twiddles.table()[1] == domain.root.pow(Limbs<1>::from_uint64(1024));
          }) >= 2);
  }
  NttDomain<Fr> too_large = domain;
  for (const unsigned log_n : {40U, 62U}) {
    too_large.log_n = log_n;
    CHECK_THROWS_WITH(NttTwiddles<Fr>(too_large),
                      Catch::Contains("2^" + std::to_string(log_n) + " elements"));
    CHECK_THROWS_AS(NttTwiddles<Fr>(too_large), ResourceExhausted);
  }
}

TEST_CASE("any allocation of a transform may fail", "[ntt][fault]") {
  const NttDomain<Fr> domain(12);
  const NttTwiddles<Fr> twiddles(domain);
  std::vector<Fr> x(domain.size()), once, there, product;
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = Fr(static_cast<int>(i * i % 1013));
  with_best_cpu([&]<CpuArch A>(const Cpu<A>& cpu) {
    using Op = Ntt<Fr, Cpu<A>>;
    auto queue = cpu.make_queue();
    const NttPlan plan = Op::plan(12, cpu.properties());
    const NttTransform<Fr> coset{.shift = Fr(7)};
    const auto transform = [&](std::vector<Fr>& y) {
      y = x;
      Op::enqueue(queue, plan, twiddles, coset, y);
    };
    const auto to_coset = [&](std::vector<Fr>& y) {
      y.resize(x.size());
      Op::enqueue_to_coset(queue, plan, twiddles, Fr(7), x, {}, y);
    };
    const auto interpolate = [&](std::vector<Fr>& y) {
      y.resize(x.size());
      Op::enqueue_interpolate_product(queue, plan, twiddles, Fr(7), Fr(5), x, x, y);
    };
    transform(once);
    to_coset(there);
    interpolate(product);
    const auto gives = [](const auto& work, const std::vector<Fr>& expected) {
      return [&work, &expected] {
        std::vector<Fr> y;
        with_typed_memory_errors("test", [&] { y.reserve(expected.size()); });
        work(y);
        return y == expected;
      };
    };
    CHECK(sweep(gives(transform, once)) >= 1);
    CHECK(sweep(gives(to_coset, there)) >= 1);
    CHECK(sweep(gives(interpolate, product)) >= 1);
  });
}

TEMPLATE_TEST_CASE("any allocation of a sum or of its tables may fail", "[msm][fault]", Bls::G1,
                   Bls::G2) {
  using G = TestType;
  for (const std::size_t n : {std::size_t{5}, std::size_t{200}}) {
    const auto scalars = some_scalars(n);
    const auto bases = some_bases<G>(n);
    std::vector<std::uint64_t> ones((n + 63) / 64, 0);
    ones[0] = 0b10010;
    const std::uint32_t places[] = {0, 3};
    const MsmBitmap<Fr> bitmap{n, ones, places, std::span(scalars).first(2)};
    on_both([&]<CpuArch A>(const Cpu<A>& cpu) {
      using Op = Msm<G, Cpu<A>>;
      auto queue = cpu.make_queue();
      const auto enqueue = [&](const auto& plan, const auto& k, const auto& p) {
        auto workspace = cpu.template allocate<std::byte>(plan.workspace_bytes());
        typename G::Jacobian result;
        Op::enqueue(queue, plan, k, p, workspace.span(), result);
        return result;
      };
      const MsmPlan plan = Op::plan(n, cpu.properties());
      const std::span<const Integer> k(scalars);
      const std::span<const typename G::Affine> p(bases);
      const auto sum = enqueue(plan, k, p), ones_and_two = enqueue(plan, bitmap, p);
      CHECK(sweep([&] { return enqueue(plan, k, p) == sum; }) >= 1);
      CHECK(sweep([&] { return enqueue(plan, bitmap, p) == ones_and_two; }) >= 1);
      const MsmTablePlan tables = Op::plan(n, std::size_t{1} << 17, cpu.properties());
      CHECK(sweep([&] {
              const CpuMsmBases<G, A> made(cpu, tables, bases);
              return enqueue(tables, k, made) == sum;
            }) >= 5);
    });
  }
}

TEMPLATE_TEST_CASE("any allocation of a check of points may fail", "[io][fault]", Bls::G1,
                   Bls::G2) {
  using G = TestType;
  const auto points = some_bases<G>(300);
  const io::PointPlace place{"key", "points", 0, sizeof(typename G::Affine), false};
  FixedRandom random;
  CHECK(sweep([&] {
          io::check_points<G>(&random, points, place, nullptr,
                              io::SubgroupCheckPlan{.log_buckets = 4, .passes = 20});
          return true;
        }) >= 40);
}

TEST_CASE("any allocation of a key or of a table of multiples may fail", "[groth16][fault]") {
  const Proven proven;
  CHECK(sweep([&] {
          const auto key = generate_key<Bls>(proven.r1cs, proven.waste, KeyForm::snarkjs);
          return key.vk == proven.key.vk && key.h == proven.key.h;
        }) >= 20);
  const auto expected = scalar_mul(Bls::G1::generator(), Integer::from_uint64(77));
  CHECK(sweep([&] {
          const FixedBaseTable<Bls::G1> table(Bls::G1::generator(), 4);
          return table.multiply(Integer::from_uint64(77)) == expected;
        }) == 1);
  const FixedBaseTable<Bls::G2> table(Bls::G2::generator(), 4);
  const auto scalars = some_scalars(20);
  std::vector<Bls::G2::Affine> points(scalars.size());
  table.multiply(scalars, points);
  std::vector<Bls::G2::Affine> out(scalars.size());
  const bool lanes = selected_cpu_level() >= CpuLevel::avx512ifma;
  const auto multiply = [&] {
    batch::multiples<Bls::G2>(table, scalars, out);
    return out == points;
  };
  if (lanes) {
    CHECK(sweep(multiply) == 6);  // sums, scratch, digits
  } else {
    CHECK(multiply());
  }
}

TEST_CASE("any allocation of a verification may fail", "[groth16][fault]") {
  const Proven proven;
  RealEnv env;
  EnvEntropy<RealEnv> kernel(env);
  const PreparedVerifyingKey<Bls> key(proven.key.vk);
  const std::vector<Statement<Bls>> statements(20, {proven.publics(), proven.proof});
  CHECK(sweep([&] {
          const PreparedVerifyingKey<Bls> prepared(proven.key.vk);
          return verify<Bls>(prepared, proven.publics(), proven.proof) &&
                 !prepared.gamma().is_infinity();
        }) >= 5);
  CHECK(sweep([&] { return verify_batch<Bls>(key, statements, kernel); }) >= 5);
}

TEST_CASE("any allocation of a prover and of a proof may fail", "[prover][fault]") {
  const Proven proven;
  with_best_cpu([&](const auto& cpu) {
    using Machine = std::remove_cvref_t<decltype(cpu)>;
    const Blinding<Fr> blinding(Fr(5), Fr(6));
    const ProverOptions<Bls> options{.insecure_blinding = &blinding};
    const auto prove = [&] {
      return Prover<Bls, Machine, pipeline::cpu_only>(cpu, proven.key, options)
          .prove(proven.witness);
    };
    const auto expected = prove();
    CHECK(sweep([&] { return prove() == expected; }) >= 20);
  });
}

TEST_CASE("operations on independent points allocate nothing", "[batch][fault]") {
  const auto points = some_bases<Bls::G1>(20);
  constexpr std::size_t size = compressed_bytes<Bls::G1::Params>;
  std::vector<std::byte> bytes;
  for (const auto& p : points) {
    const auto one = encode_compressed(p);
    bytes.insert(bytes.end(), one.begin(), one.end());
  }
  const std::vector<PairingTerm<Bls>> terms(20, {points[3], Bls::G2::generator()});
  std::vector<Bls::G1::Affine> decoded(points.size());
  std::vector<PointStatus> statuses(points.size());
  const FailingMemory counting;
  batch::decode_compressed_points<Bls::G1>({bytes, size}, decoded, statuses);
  const std::size_t outside = batch::first_outside_subgroup<Bls::G1>(points);
  const bool one = batch::pairing_check<Bls>(terms);
  const std::uint64_t allocations = counting.allocations();
  CHECK(allocations == 0);
  CHECK(decoded == points);
  CHECK(outside == points.size());
  CHECK_FALSE(one);
}
