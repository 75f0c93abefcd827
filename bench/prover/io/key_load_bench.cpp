// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <benchmark/benchmark.h>
#include <unistd.h>

#include <array>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include <zkgpu/prover/io/key_files.hpp>

/// Loading a proving key: a synthetic `.zkey` whose points are consecutive multiples of the
/// generators, with one wire and one coefficient of A and B a row. `prover/io/load_zkey/listed`
/// reads, digests and converts; `checked` checks every point too.
namespace {

using C = zkgpu::Bls12_381;
namespace io = zkgpu::io;

template <zkgpu::CurveGroup G>
zkgpu::Array<typename G::Affine> consecutive_multiples(std::size_t n) {
  std::vector<typename G::Jacobian> sums(n);
  auto sum = G::Jacobian::from_affine(G::generator());
  for (auto& at : sums) {
    at = sum;
    sum += G::generator();
  }
  zkgpu::Array<typename G::Affine> points(n);
  std::vector<typename G::BaseField> scratch(n);
  batch_to_affine(std::span<const typename G::Jacobian>(sums),
                  std::span<typename G::Affine>(points), std::span<typename G::BaseField>(scratch));
  return points;
}

zkgpu::ProvingKey<C> synthetic_key(unsigned log_domain) {
  const std::size_t n = std::size_t{1} << log_domain;
  zkgpu::ProvingKey<C> key;
  key.num_wires = static_cast<std::uint32_t>(n);
  key.log_domain = log_domain;
  key.a = consecutive_multiples<C::G1>(n);
  key.b_g1 = key.h = key.a;
  key.b_g2 = consecutive_multiples<C::G2>(n);
  key.vk.ic = {key.a[0], key.a[1], key.a[2]};
  key.l.assign(key.a.begin() + 3, key.a.end());
  key.vk.alpha_g1 = key.a[2];
  key.vk.gamma_g2 = key.b_g2[0];
  key.beta_g1 = key.a[3];
  key.vk.beta_g2 = key.b_g2[3];
  key.delta_g1 = key.a[1];
  key.vk.delta_g2 = key.b_g2[1];
  for (auto* matrix : {&key.a_matrix, &key.b_matrix}) {
    C::Fr value(12345);
    matrix->row_start.push_back(0);
    for (std::uint32_t row = 0; row < n; ++row) {
      matrix->row_start.push_back(row + 1);
      matrix->column.push_back(row);
      matrix->value.push_back(value = value.square());
    }
  }
  return key;
}

/// A key file in a folder of its own, removed at the end.
class KeyFile {
 public:
  explicit KeyFile(unsigned log_domain) {
    std::string pattern = (std::filesystem::temp_directory_path() / "zkgpu-bench-XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr) throw zkgpu::IoError("cannot make a folder");
    folder_ = pattern;
    io::AtomicFile<zkgpu::RealEnv> file(env, path());
    io::write_zkey(file, synthetic_key(log_domain), {});
    file.commit();
  }
  ~KeyFile() {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }
  KeyFile(const KeyFile&) = delete;
  KeyFile& operator=(const KeyFile&) = delete;
  [[nodiscard]] std::string path() const { return folder_ / "key.zkey"; }
  [[nodiscard]] std::string list() const { return folder_ / "checked-keys"; }
  [[nodiscard]] std::size_t size() const { return std::filesystem::file_size(path()); }
  zkgpu::RealEnv env;

 private:
  std::filesystem::path folder_;
};

void load(benchmark::State& state, bool listed) {
  KeyFile file(static_cast<unsigned>(state.range(0)));
  const io::KeyLoading loading{.checked_keys_path = listed ? file.list() : "",
                               .allow_insecure = false};
  if (listed) io::load_zkey<C>(file.env, file.path(), loading);  // the first load lists it
  for (auto _ : state) {
    auto loaded = io::load_zkey<C>(file.env, file.path(), loading);
    benchmark::DoNotOptimize(loaded.key.a.data());
  }
  state.counters["bytes_per_second"] = benchmark::Counter(
      static_cast<double>(file.size()), benchmark::Counter::kIsIterationInvariantRate);
}

void register_all() {
  for (const bool listed : {true, false}) {
    const std::string name =
        std::string("prover/io/load_zkey/bls12_381/") + (listed ? "listed" : "checked");
    benchmark::RegisterBenchmark(name.c_str(), load, listed)
        ->DenseRange(12, 16, 4)
        ->MeasureProcessCPUTime()
        ->UseRealTime()
        ->Unit(benchmark::kMillisecond);
  }
}

[[maybe_unused]] const bool registered = (register_all(), true);

}  // namespace
