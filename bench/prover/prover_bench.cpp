// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <benchmark/benchmark.h>

#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <zkgpu/prover/circuit/number.hpp>
#include <zkgpu/prover/groth16/generate.hpp>
#include <zkgpu/prover/groth16/verify.hpp>
#include <zkgpu/prover/io/iden3/zkey_file.hpp>
#include <zkgpu/prover/io/key/checked_keys.hpp>
#include <zkgpu/prover/io/key/point_checks.hpp>
#include <zkgpu/prover/pipeline/memory/cached.hpp>
#include <zkgpu/prover/pipeline/memory/memory.hpp>
#include <zkgpu/prover/prover.hpp>
#include <zkgpu/prover/qap/quotient.hpp>
#include <zkgpu/prover/r1cs/builder.hpp>
#include <zkgpu/prover/witness/builder.hpp>

// Proofs of a chain x -> x² + 1, whose witness is full-size scalars: no bits to make sums cheap.
// The domain is full. Times are of the wall, with the CPU time of all threads beside.
namespace {

using namespace zkgpu;
using C = Bls12_381;
using Fr = C::Fr;
using Host = Cpu<arch::scalar>;

struct Chain {
  std::size_t length;

  template <class CS>
  void synthesize(CS& cs) const {
    using Lc = LinearCombination<Fr>;
    Variable x = cs.allocate([] { return Fr(3); });
    for (std::size_t i = 0; i < length; ++i) {
      const Variable next = cs.allocate([&] { return cs.value(x).square() + Fr::one(); });
      cs.enforce(x, x, Lc(next) - Variable::one());
      x = next;
    }
    make_public(cs, x);
  }
};

/// A circuit of 2^log_n rows with key and witness, made once.
struct Instance {
  explicit Instance(unsigned log_n) : circuit{(std::size_t{1} << log_n) - 3} {
    r1cs = synthesize_r1cs<Fr>(circuit);
    witness = synthesize_witness<Fr>(circuit);
    key = generate_key<C>(r1cs, ToxicWaste<Fr>(Fr(11), Fr(12), Fr(13), Fr(1), Fr(15)),
                          KeyForm::snarkjs);
  }
  static const Instance& of(unsigned log_n) {
    static std::map<unsigned, std::unique_ptr<Instance>> made;
    auto& instance = made[log_n];
    if (instance == nullptr) instance = std::make_unique<Instance>(log_n);
    return *instance;
  }

  Chain circuit;
  R1cs<Fr> r1cs;
  Witness<Fr> witness;
  ProvingKey<C> key;
};

unsigned log_n_of(const benchmark::State& bench) { return static_cast<unsigned>(bench.range(0)); }

template <class Policy, class Machine>
void prove_on(benchmark::State& bench, const Machine& cpu) {
  const Instance& instance = Instance::of(log_n_of(bench));
  Prover<C, Machine, Policy> prover(cpu, instance.key);
  for (auto _ : bench) benchmark::DoNotOptimize(prover.prove(instance.witness));
  bench.counters["scratch_bytes"] = static_cast<double>(prover.peak_scratch_bytes());
}

/// On the best architecture of this machine.
void prove(benchmark::State& bench) {
  with_best_cpu([&](const auto& cpu) { prove_on<pipeline::cpu_only>(bench, cpu); });
}
void prove_scalar(benchmark::State& bench) { prove_on<pipeline::cpu_only>(bench, Host{}); }
void prove_reference(benchmark::State& bench) { prove_on<pipeline::reference>(bench, Host{}); }

void make_key(benchmark::State& bench) {
  const Instance& instance = Instance::of(log_n_of(bench));
  RealEnv env;
  EnvEntropy<RealEnv> kernel(env);
  for (auto _ : bench) {
    benchmark::DoNotOptimize(setup<C>(instance.r1cs, kernel, KeyForm::snarkjs));
  }
}

/// @param listed  the key is in the list of checked keys: read and digested, points not checked
void load_key(benchmark::State& bench, bool listed) {
  io::MemorySink sink;
  io::write_zkey(sink, Instance::of(log_n_of(bench)).key, io::ZkeyCeremony{});
  RealEnv env;
  io::EnvRandom<RealEnv> random(env);
  io::CheckedKeys list;
  const auto read = [&](const io::CheckedKeys* checked) {
    io::SpanSource source(sink.bytes(), "bench.zkey");
    return io::read_zkey<C>(source, {.random = &random, .checked = checked});
  };
  if (listed) list.insert(read(nullptr).report.digest);
  for (auto _ : bench) benchmark::DoNotOptimize(read(listed ? &list : nullptr).key.num_wires);
  bench.SetBytesProcessed(bench.iterations() * static_cast<std::int64_t>(sink.bytes().size()));
}

void quotient(benchmark::State& bench, QuotientForm form) {
  with_best_cpu([&](auto cpu) {
    using Best = decltype(cpu);
    const unsigned log_n = log_n_of(bench);
    const std::size_t n = std::size_t{1} << log_n;
    const auto domain = QuotientDomain<Fr>::from_generator(log_n, Fr(5));
    const NttTwiddles<Fr> twiddles(domain.domain);
    const Quotient<Fr, Best> stage{&twiddles, domain.shift, form};
    auto queue = cpu.make_queue();
    using Kept =
        pipeline::memory<pipeline::resident_host, pipeline::cached, pipeline::recycle, true>;
    Kept::Source<Best> memory(cpu, pipeline::unplanned);
    StageContext<Best> at{cpu, queue, memory};
    Array<Fr> a(n), b(n);
    Fr value = Fr(3);
    for (std::size_t i = 0; i < n; ++i) {
      a[i] = value = value.square() + Fr::one();
      b[i] = value = value.square() + Fr::one();
    }
    for (auto _ : bench) benchmark::DoNotOptimize(stage(at, {a, b}).span().data());
  });
}

void prepare_verifying_key(benchmark::State& bench) {
  const Instance& instance = Instance::of(10);
  for (auto _ : bench) benchmark::DoNotOptimize(PreparedVerifyingKey<C>(instance.key.vk));
}

void verify_one(benchmark::State& bench) {
  const Instance& instance = Instance::of(10);
  Prover<C, Host, pipeline::cpu_only> prover(Host{}, instance.key);
  const auto proof = prover.prove(instance.witness);
  const PreparedVerifyingKey<C> key(instance.key.vk);
  for (auto _ : bench) {
    benchmark::DoNotOptimize(verify<C>(key, instance.witness.public_values(1), proof));
  }
}

void verify_many(benchmark::State& bench) {
  const Instance& instance = Instance::of(10);
  Prover<C, Host, pipeline::cpu_only> prover(Host{}, instance.key);
  const Statement<C> statement{instance.witness.public_values(1), prover.prove(instance.witness)};
  const std::vector<Statement<C>> statements(static_cast<std::size_t>(bench.range(0)), statement);
  const PreparedVerifyingKey<C> key(instance.key.vk);
  RealEnv env;
  EnvEntropy<RealEnv> kernel(env);
  for (auto _ : bench) benchmark::DoNotOptimize(verify_batch<C>(key, statements, kernel));
  bench.SetItemsProcessed(bench.iterations() * bench.range(0));
}

/// Registers `body` once for each size, named `prefix/2^k`.
template <class Body>
void add(const std::string& prefix, const std::vector<int>& log_sizes, Body body) {
  for (const int log_n : log_sizes) {
    const std::string name = prefix + "/2^" + std::to_string(log_n);
    benchmark::RegisterBenchmark(name.c_str(), body)
        ->Arg(log_n)
        ->Unit(benchmark::kMillisecond)
        ->UseRealTime()
        ->MeasureProcessCPUTime();
  }
}

const bool registered = [] {
  const std::string curve = "/bls12_381/cpu";
  add("prover/prove" + curve, {10, 12, 14, 16}, prove);
  add("prover/prove_scalar" + curve, {16}, prove_scalar);
  add("prover/prove_reference" + curve, {10, 12}, prove_reference);
  add("prover/setup" + curve, {10, 14}, make_key);
  add("prover/load_key_checked" + curve, {10, 14, 16},
      [](benchmark::State& bench) { load_key(bench, false); });
  add("prover/load_key_listed" + curve, {10, 14, 16},
      [](benchmark::State& bench) { load_key(bench, true); });
  add("prover/quotient_coefficients" + curve, {10, 14, 16, 18, 20},
      [](benchmark::State& bench) { quotient(bench, QuotientForm::coefficients); });
  add("prover/quotient_odd_coset" + curve, {10, 14, 16, 18, 20},
      [](benchmark::State& bench) { quotient(bench, QuotientForm::odd_coset_values); });
  benchmark::RegisterBenchmark("prover/verifying_key/bls12_381/cpu", prepare_verifying_key)
      ->Unit(benchmark::kMillisecond);
  benchmark::RegisterBenchmark("prover/verify/bls12_381/cpu", verify_one)
      ->Unit(benchmark::kMillisecond);
  for (const int count : {16, 128, 1000}) {
    const std::string name = "prover/verify_batch/bls12_381/cpu/" + std::to_string(count);
    benchmark::RegisterBenchmark(name.c_str(), verify_many)
        ->Arg(count)
        ->Unit(benchmark::kMillisecond)
        ->UseRealTime();
  }
  return true;
}();

}  // namespace
