// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// <target> CORPUS RUNS [SEED]
//
// Runs a fuzz target without a fuzzer: over every file of a corpus, then over RUNS mutations of
// those files, always the same for one seed. A finding aborts; its input is left in
// ./<target>.finding.
#include "fuzz_target.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>

namespace {

using Bytes = std::vector<std::uint8_t>;

/// Makes one small change after the other to an input of the corpus.
class Mutator {
 public:
  explicit Mutator(std::uint64_t seed) : random_(seed) {}

  Bytes mutate(const std::vector<Bytes>& corpus) {
    Bytes bytes = corpus[below(corpus.size())];
    for (std::size_t changes = 1 + below(4); changes-- > 0;) change(bytes, corpus);
    return bytes;
  }

 private:
  std::size_t below(std::size_t n) { return n == 0 ? 0 : static_cast<std::size_t>(random_() % n); }

  void change(Bytes& bytes, const std::vector<Bytes>& corpus) {
    const std::size_t at = below(bytes.size());
    const auto where = bytes.begin() + static_cast<std::ptrdiff_t>(at);
    switch (bytes.empty() ? 5 : below(8)) {
      case 0: bytes[at] ^= static_cast<std::uint8_t>(1u << below(8)); break;
      case 1: bytes[at] = static_cast<std::uint8_t>(random_()); break;
      case 2: bytes.resize(at); break;
      case 3: set_integer(bytes, at); break;
      case 4:
        bytes.erase(where, where + static_cast<std::ptrdiff_t>(below(bytes.size() - at) + 1));
        break;
      case 5:
        bytes.insert(bytes.begin() + static_cast<std::ptrdiff_t>(at), 1 + below(40),
                     static_cast<std::uint8_t>(random_()));
        break;
      case 6: splice(bytes, at, corpus[below(corpus.size())]); break;
      default: swap_parts(bytes, at);
    }
  }
  /// An interesting number of 4 or 8 bytes, in either byte order.
  void set_integer(Bytes& bytes, std::size_t at) {
    static constexpr std::uint64_t values[] = {0,
                                               1,
                                               2,
                                               3,
                                               63,
                                               64,
                                               65,
                                               0x7fffffff,
                                               0x80000000,
                                               0xfffffffe,
                                               0xffffffff,
                                               ~std::uint64_t{0},
                                               ~std::uint64_t{0} - 11};
    std::uint64_t value = values[below(std::size(values))];
    const std::size_t width = below(2) == 0 ? 4 : 8;
    if (below(2) == 0) value = __builtin_bswap64(value) >> (64 - 8 * width);
    if (bytes.size() - at >= width) std::memcpy(bytes.data() + at, &value, width);
  }
  void splice(Bytes& bytes, std::size_t at, const Bytes& other) {
    const std::size_t from = below(other.size());
    const std::size_t n = std::min(below(other.size() - from) + 1, other.size() - from);
    const auto first = other.begin() + static_cast<std::ptrdiff_t>(from);
    bytes.insert(bytes.begin() + static_cast<std::ptrdiff_t>(at), first,
                 first + static_cast<std::ptrdiff_t>(n));
  }
  void swap_parts(Bytes& bytes, std::size_t at) {
    const std::size_t n = std::min<std::size_t>(1 + below(48), (bytes.size() - at) / 2);
    const auto first = bytes.begin() + static_cast<std::ptrdiff_t>(at);
    const auto length = static_cast<std::ptrdiff_t>(n);
    std::swap_ranges(first, first + length, first + length);
  }
  std::mt19937_64 random_;
};

// For the signal handler: what runs now, and where it goes if it is a finding.
const Bytes* running = nullptr;
std::string finding_path;

extern "C" void save_finding(int signal_number) {
  const int fd = ::open(finding_path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (fd >= 0 && running != nullptr) {
    static_cast<void>(!::write(fd, running->data(), running->size()));
  }
  std::signal(signal_number, SIG_DFL);
  std::raise(signal_number);
}

void run(const Bytes& bytes) {
  running = &bytes;
  LLVMFuzzerTestOneInput(bytes.data(), bytes.size());
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) {
    std::fprintf(stderr, "usage: %s CORPUS RUNS [SEED]\n", argv[0]);
    return 2;
  }
  finding_path = std::filesystem::path(argv[0]).filename().string() + ".finding";
  for (const int signal_number : {SIGABRT, SIGSEGV, SIGFPE})
    std::signal(signal_number, save_finding);
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(argv[1]))
    files.push_back(entry.path());
  std::sort(files.begin(), files.end());  // the order of a folder is no order
  std::vector<Bytes> corpus;
  for (const auto& file : files) {
    std::ifstream in(file, std::ios::binary);
    corpus.emplace_back(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
  }
  if (corpus.empty()) {
    std::fprintf(stderr, "%s: no corpus\n", argv[1]);
    return 2;
  }
  const auto runs = std::strtoull(argv[2], nullptr, 10);
  Mutator mutator(argc > 3 ? std::strtoull(argv[3], nullptr, 10) : 20261129);
  double slowest = 0;
  const auto timed = [&](const Bytes& bytes) {
    const auto begin = std::chrono::steady_clock::now();
    run(bytes);
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
    slowest = std::max(slowest, seconds.count());
  };
  for (const Bytes& bytes : corpus) timed(bytes);
  for (std::uint64_t i = 0; i < runs; ++i) timed(mutator.mutate(corpus));
  std::printf("%zu files and %llu mutations, slowest %.0f ms\n", corpus.size(),
              static_cast<unsigned long long>(runs), 1e3 * slowest);
  return 0;
}
