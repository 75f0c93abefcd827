// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Secrets are gone when their owners are (RELIABILITY P9). Another process makes them: here they
// exist only where the library has put them, so whatever a scan of the memory finds is its own.
#include <catch2/catch.hpp>

#include <sys/wait.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <future>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include <zkgpu/backend/cpu.hpp>
#include <zkgpu/core/env.hpp>
#include <zkgpu/prover/groth16/generate.hpp>
#include <zkgpu/prover/groth16/verify.hpp>
#include <zkgpu/prover/io/bytes/byte_sink.hpp>
#include <zkgpu/prover/io/bytes/byte_source.hpp>
#include <zkgpu/prover/io/iden3/wtns_file.hpp>
#include <zkgpu/prover/pipeline/control.hpp>
#include <zkgpu/prover/prover.hpp>
#include <zkgpu/prover/qap/at_point.hpp>
#include <zkgpu/prover/qap/quotient.hpp>
#include <zkgpu/prover/r1cs/builder.hpp>

#include "memory_scan.hpp"
#include "perf/sanitized.hpp"
#include "small_circuits.hpp"

using namespace zkgpu;  // NOLINT
using namespace zkgpu::test;
using Bls = Bls12_381;
using Fr = Bls::Fr;

namespace {

/// A secret that is whole, or half of one: single words are what registers leave on a stack.
constexpr std::size_t part_words = 2;

constexpr std::size_t squarings = 500;
constexpr unsigned log_domain = 9;  // of that many squarings

R1cs<Fr> circuit_of_secrets() {
  return synthesize_r1cs<Fr>(SquaringsCircuit<Fr>{.squarings = squarings});
}

/// The kernel's generator is played by a file: its bytes go nowhere but to who asks for them.
class FileEntropy final : public EntropySource {
 public:
  explicit FileEntropy(const std::string& path) : source_(env_, path) {}
  void fill(std::span<std::byte> out) override {
    source_.read(at_, out);
    at_ += out.size();
  }

 private:
  RealEnv env_;
  io::FileSource<RealEnv> source_;
  std::uint64_t at_ = 0;
};

/// What the other process makes, in files.
class Secrets {
 public:
  Secrets() {
    std::string pattern = std::filesystem::temp_directory_path() / "zkgpu-wipe-XXXXXX";
    REQUIRE(::mkdtemp(pattern.data()) != nullptr);
    folder_ = pattern;
    const pid_t child = ::fork();
    REQUIRE(child >= 0);
    if (child == 0) {
      make();
      ::_exit(0);
    }
    int status = 0;
    REQUIRE(::waitpid(child, &status, 0) == child);
    REQUIRE(status == 0);
  }
  ~Secrets() { std::filesystem::remove_all(folder_); }
  Secrets(const Secrets&) = delete;
  Secrets& operator=(const Secrets&) = delete;
  [[nodiscard]] std::string operator/(const char* name) const { return folder_ / name; }
  [[nodiscard]] SecretPrints prints(const char* name) const {
    return SecretPrints::read(*this / name);
  }

 private:
  /// In the child. No threads, and no random numbers: the same secrets every time.
  void make() const {
    std::uint64_t state = 20261129;
    const auto random_scalar = [&] {
      Fr::Integer n;
      do {
        for (std::uint64_t& limb : n.limb) limb = next(state);
        n.limb[3] >>= 1;
      } while (!Fr::is_canonical(n));
      return Fr::from_integer(n);
    };
    make_witness(random_scalar());
    make_entropy({"t", "u"}, "blinding", random_scalar);
    make_entropy({"tau", "alpha", "beta", "gamma", "delta"}, "waste", random_scalar);
  }
  static void add(SecretPrints& prints, const std::string& name, const Fr& value) {
    const Fr::Integer canonical = value.to_integer();
    prints.add(name + "(canonical)", canonical.limb);
    prints.add(name + "(Montgomery)", value.montgomery().limb);
  }
  void make_witness(const Fr& start) const {
    const SquaringsCircuit<Fr> circuit{.squarings = squarings, .start = start};
    const Witness<Fr> witness = synthesize_witness<Fr>(circuit);
    RealEnv env;
    io::AtomicFile<RealEnv> file(env, *this / "witness.wtns");
    io::write_wtns(file, witness);
    file.commit();
    SecretPrints prints;
    for (std::size_t i = 2; i < witness.size(); ++i) {
      if (witness.values[i] == witness.values[1]) continue;  // the public value
      add(prints, "z" + std::to_string(i), Fr::from_integer(witness.values[i]));
    }
    prints.write(*this / "witness.prints");
  }
  template <class Draw>
  void make_entropy(const std::vector<std::string>& names, const std::string& file,
                    const Draw& draw) const {
    std::ofstream bytes(folder_ / (file + ".entropy"), std::ios::binary);
    SecretPrints prints;
    Fr tau{};
    for (const std::string& name : names) {
      const Fr value = draw();
      const Fr::Integer n = value.to_integer();
      bytes.write(reinterpret_cast<const char*>(n.limb), sizeof n.limb);
      add(prints, name, value);
      if (name == "gamma" || name == "delta" || name == "t")
        add(prints, "1/" + name, value.inverse());
      if (name == "tau") tau = value;
      if (name == "delta") add_derived(prints, tau, value);
    }
    prints.write(folder_ / (file + ".prints"));
  }
  /// What a key's points are made of: tau^i, tau^n - 1, the columns at tau, tau^i (tau^n -
  /// 1)/delta.
  static void add_derived(SecretPrints& prints, const Fr& tau, const Fr& delta) {
    const Fr z = power_of_two_power(tau, log_domain) - Fr::one();
    add(prints, "tau^n-1", z);
    const Fr step = z * delta.inverse();
    Fr power = Fr::one();
    for (std::size_t i = 0; i < std::size_t{1} << log_domain; ++i, power = power * tau) {
      const std::string number = std::to_string(i);
      if (i > 1) add(prints, "tau^" + number, power);
      add(prints, "h" + number, power * step);
    }
    for (const Fr& generator : {Fr::generator(), smallest_non_residue<Fr>()}) {
      const auto domain = QuotientDomain<Fr>::from_generator(log_domain, generator).domain;
      const QapAtPoint<Fr> at = qap_at_point(circuit_of_secrets(), domain, tau);
      for (std::size_t i = 0; i < at.u.size(); ++i) {
        if (!at.u[i].is_zero()) add(prints, "u" + std::to_string(i), at.u[i]);
        if (!at.w[i].is_zero()) add(prints, "w" + std::to_string(i), at.w[i]);
      }
    }
  }
  /// G. Steele, D. Lea, C. Flood, "Fast Splittable Pseudorandom Number Generators", 2014
  static std::uint64_t next(std::uint64_t& state) {
    std::uint64_t z = state += 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }

  std::filesystem::path folder_;
};

/// From the witness file to a proof, with the blinding of the file.
template <class P, class Host>
Proof<Bls> prove_once(const Secrets& secrets, const ProvingKey<Bls>& key, Host host,
                      const ProveOptions<Bls>& call = {}) {
  RealEnv env;
  io::FileSource<RealEnv> source(env, secrets / "witness.wtns");
  const Witness<Fr> witness = io::read_wtns<Fr>(source);
  FileEntropy entropy(secrets / "blinding.entropy");
  ProverOptions<Bls> options;
  options.entropy = &entropy;
  Prover<Bls, Host, P> prover(host, key, options);
  return prover.prove(witness, call);
}

/// Ends a proof when one of its stages is done: what that stage leaves is then not overwritten by
/// the next ones.
class StopAfter final : public pipeline::ProofObserver {
 public:
  explicit StopAfter(pipeline::StageId stage) : stage_(stage) {}
  void stage_began(std::size_t, pipeline::StageId) noexcept override {}
  void stage_ended(const pipeline::StageRecord& record) noexcept override {
    if (record.stage == stage_) token_.cancel();
  }
  [[nodiscard]] ProveOptions<Bls> options() {
    ProveOptions<Bls> call;
    call.cancel = &token_;
    call.observer = this;
    return call;
  }

 private:
  pipeline::StageId stage_;
  pipeline::CancellationToken token_;
};

/// Lets a proof stand still when a stage has ended, until it may go on.
class PauseAfter final : public pipeline::ProofObserver {
 public:
  explicit PauseAfter(pipeline::StageId stage) : stage_(stage) {}
  void stage_began(std::size_t, pipeline::StageId) noexcept override {}
  void stage_ended(const pipeline::StageRecord& record) noexcept override {
    if (record.stage != stage_) return;
    ended_.set_value();
    resumed_.get_future().wait();
  }
  void wait() { ended_.get_future().wait(); }
  void resume() { resumed_.set_value(); }

 private:
  pipeline::StageId stage_;
  std::promise<void> ended_, resumed_;
};

void expect_none(const SecretPrints& prints) {
  const MemoryScan scan = scan_memory(prints, part_words);
  INFO(scan.report());
  CHECK(scan.bytes > 1'000'000);
  CHECK(scan.found.empty());
}

bool can_scan() {
  if (!sanitized) return true;
  WARN("skipped: a sanitizer keeps copies of its own in shadow stacks and quarantine");
  return false;
}

}  // namespace

TEST_CASE("a scan of the memory finds what was not wiped, and nothing of what was",
          "[prover][secret]") {
  if (!can_scan()) return;
  const Secrets secrets;
  const SecretPrints prints = secrets.prints("witness.prints");
  expect_none(prints);
  const auto bytes_of_file = [&](auto& bytes) {
    RealEnv env;
    io::FileSource<RealEnv> source(env, secrets / "witness.wtns");
    bytes.resize(source.size() + 1);
    source.read(0, std::span(bytes).subspan(1));  // at an odd address
  };
  std::vector<std::byte> leak;
  bytes_of_file(leak);
  const MemoryScan found = scan_memory(prints, SecretPrints::words);
  CHECK(found.found.size() >= squarings - 1);
  CHECK(found.longest() == SecretPrints::words);
  secure_wipe(leak.data(), leak.size());
  expect_none(prints);
  {
    SecretArray<std::byte> wiped;
    bytes_of_file(wiped);
    CHECK(!scan_memory(prints, part_words).found.empty());
  }
  expect_none(prints);
}

TEST_CASE("after a proof nothing of its witness and blinding is in memory", "[prover][secret]") {
  if (!can_scan()) return;
  const Secrets secrets;
  const SecretPrints witness = secrets.prints("witness.prints");
  const SecretPrints blinding = secrets.prints("blinding.prints");
  expect_none(blinding);
  const ToxicWaste<Fr> waste(Fr(7), Fr(8), Fr(9), Fr(10), Fr(11));
  const ProvingKey<Bls> key = generate_key<Bls>(circuit_of_secrets(), waste, KeyForm::snarkjs);
  Proof<Bls> proof;
  const auto expect_clean = [&] {
    expect_none(witness);
    expect_none(blinding);
  };
  SECTION("textbook stages, one thread, scalar code") {
    check_behind(
        [&] { proof = prove_once<pipeline::reference>(secrets, key, Cpu<arch::scalar>{}); },
        expect_clean);
  }
  SECTION("all threads, the best code for this machine") {
    check_behind(
        [&] {
          with_best_cpu(
              [&](auto cpu) { proof = prove_once<pipeline::cpu_only>(secrets, key, cpu); });
        },
        expect_clean);
  }
  // It was a proof, of that witness.
  RealEnv env;
  io::FileSource<RealEnv> source(env, secrets / "witness.wtns");
  const PreparedVerifyingKey<Bls> prepared(key.vk);
  CHECK(verify<Bls>(prepared, io::read_wtns<Fr>(source).public_values(1), proof));
}

TEST_CASE("when a proof is assembled its blinding is gone, before any other work hides it",
          "[prover][secret]") {
  if (!can_scan()) return;
  const Secrets secrets;
  const SecretPrints blinding = secrets.prints("blinding.prints");
  const ToxicWaste<Fr> waste(Fr(7), Fr(8), Fr(9), Fr(10), Fr(11));
  const ProvingKey<Bls> key = generate_key<Bls>(circuit_of_secrets(), waste, KeyForm::snarkjs);
  PauseAfter pause(pipeline::StageId::assemble);
  std::thread prover([&] {
    ProveOptions<Bls> call;
    call.observer = &pause;
    static_cast<void>(prove_once<pipeline::reference>(secrets, key, Cpu<arch::scalar>{}, call));
  });
  pause.wait();
  expect_none(blinding);
  pause.resume();
  prover.join();
}

TEST_CASE("a proof that is cancelled leaves nothing of its secrets, whatever its last stage",
          "[prover][secret]") {
  if (!can_scan()) return;
  const Secrets secrets;
  const SecretPrints witness = secrets.prints("witness.prints");
  const SecretPrints blinding = secrets.prints("blinding.prints");
  const ToxicWaste<Fr> waste(Fr(7), Fr(8), Fr(9), Fr(10), Fr(11));
  const ProvingKey<Bls> key = generate_key<Bls>(circuit_of_secrets(), waste, KeyForm::snarkjs);
  for (std::size_t stage = 0; stage + 1 < pipeline::stage_count; ++stage) {
    StopAfter stop{pipeline::StageId(stage)};
    INFO("after " << to_string(pipeline::StageId(stage)));
    const auto prove = [&] {
      CHECK_THROWS_AS(
          prove_once<pipeline::reference>(secrets, key, Cpu<arch::scalar>{}, stop.options()),
          Cancelled);
    };
    check_behind(prove, [&] {
      expect_none(witness);
      expect_none(blinding);
    });
  }
}

TEST_CASE("after a setup nothing of its toxic waste is in memory", "[prover][secret]") {
  if (!can_scan()) return;
  const Secrets secrets;
  const SecretPrints prints = secrets.prints("waste.prints");
  expect_none(prints);
  const R1cs<Fr> r1cs = circuit_of_secrets();
  for (const KeyForm form : {KeyForm::snarkjs, KeyForm::bellman}) {
    ProvingKey<Bls> key;
    check_behind(
        [&] {
          FileEntropy entropy(secrets / "waste.entropy");
          key = setup<Bls>(r1cs, entropy, form);
        },
        [&] { expect_none(prints); });
    CHECK(key.log_domain == log_domain);
  }
}
