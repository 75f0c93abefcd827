// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "io_fixtures.hpp"

#include <catch2/catch.hpp>

#include <atomic>
#include <list>
#include <string>
#include <vector>

#include "toy_files.hpp"

#include <zkgpu/prover/groth16/generate.hpp>
#include <zkgpu/prover/io/iden3/r1cs_file.hpp>
#include <zkgpu/prover/io/key_files.hpp>

using namespace zkgpu;
using namespace zkgpu::test;

namespace {

/// Counts the units of each task.
class Count final : public ProgressObserver {
 public:
  struct Task {
    std::string name;
    std::uint64_t units = 0;
    std::atomic<std::uint64_t> done = 0;
  };
  void begin(std::string_view name, std::uint64_t units) noexcept override {
    Task& task = tasks_.emplace_back();
    task.name = name;
    task.units = units;
  }
  void advance(std::uint64_t units) noexcept override {
    if (!tasks_.empty()) tasks_.back().done += units;
  }
  void step(std::string_view) noexcept override {}

  /// Were these the tasks, and was all of each reported?
  void expect(const std::vector<std::string>& names) const {
    REQUIRE(tasks_.size() == names.size());
    std::size_t i = 0;
    for (const Task& task : tasks_) {
      CHECK(task.name == names[i++]);
      CHECK(task.units > 0);
      CHECK(task.done == task.units);
    }
  }

 private:
  std::list<Task> tasks_;
};

/// x² → x, `rows` times: enough points for joint subgroup checks.
R1cs<Bls::Fr> chain(std::uint32_t rows) {
  R1cs<Bls::Fr> r1cs;
  r1cs.num_wires = rows + 3;
  r1cs.num_public = 1;
  for (CsrMatrix<Bls::Fr>* matrix : {&r1cs.a, &r1cs.b, &r1cs.c}) matrix->row_start.push_back(0);
  for (std::uint32_t row = 0; row < rows; ++row) {
    const std::uint32_t wire = row + 1;
    const std::pair<CsrMatrix<Bls::Fr>*, std::uint32_t> entries[] = {
        {&r1cs.a, wire}, {&r1cs.b, wire}, {&r1cs.c, wire + 1}};
    for (const auto& [matrix, column] : entries) {
      matrix->column.push_back(column);
      matrix->value.push_back(Bls::Fr::one());
      matrix->row_start.push_back(matrix->column.size());
    }
  }
  r1cs.num_wires = rows + 2;
  return r1cs;
}

}  // namespace

TEST_CASE("making and reading a key tell an observer of all their work", "[io][key]") {
  const TemporaryFolder folder;
  RealEnv env;
  const ToxicWaste<Bls::Fr> waste(Bls::Fr(11), Bls::Fr(12), Bls::Fr(13), Bls::Fr(1), Bls::Fr(15));
  for (const std::uint32_t rows : {1u, 9u, 2000u}) {
    const R1cs<Bls::Fr> r1cs = chain(rows);
    for (const KeyForm form : {KeyForm::snarkjs, KeyForm::bellman}) {
      const bool snarkjs = form == KeyForm::snarkjs;
      INFO(rows << " rows, " << (snarkjs ? "snarkjs" : "bellman"));
      Count making;
      const auto key = generate_key<Bls>(r1cs, waste, form, &making);
      making.expect({"make the key"});
      CHECK(key.h == generate_key<Bls>(r1cs, waste, form).h);  // watched or not
      io::MemorySink sink;
      if (snarkjs) {
        io::write_zkey<Bls>(sink, key, {});
      } else {
        io::write_params<Bls>(sink, key, {});
      }
      const std::string path = folder / (snarkjs ? "key.zkey" : "key.params");
      io::write_file(env, path, sink.bytes());
      std::filesystem::remove(folder / "list");
      const auto load = [&](ProgressObserver* observer) {
        const io::KeyLoading loading{
            .checked_keys_path = folder / "list", .allow_insecure = false, .observer = observer};
        if (snarkjs) {
          io::load_zkey<Bls>(env, path, loading);
        } else {
          io::load_params<Bls>(env, path, loading);
        }
      };
      Count first;
      load(&first);
      first.expect({"read key", "check points"});
      Count listed;
      load(&listed);
      listed.expect({"read key"});
    }
  }
}
