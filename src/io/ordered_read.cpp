// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <zkgpu/prover/io/bytes/ordered_read.hpp>

#include <oneapi/tbb/parallel_pipeline.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <memory>
#include <mutex>
#include <utility>

namespace zkgpu::io {

namespace {

/// A piece of a stretch on its way through the pipeline.
struct Chunk {
  const ReadStretch* stretch = nullptr;
  std::uint64_t at = 0;  // from the start of the stretch
  std::span<std::byte> bytes;
  std::shared_ptr<Array<std::byte>> buffer;  // behind `bytes`, when a decoder takes them
};

/// Hands out the chunks of all stretches in file order.
class Cutter {
 public:
  explicit Cutter(std::span<const ReadStretch> stretches) : stretches_(stretches) {}

  bool next(Chunk& chunk) {
    while (index_ < stretches_.size() && at_ == stretches_[index_].size) {
      ++index_;
      at_ = 0;
    }
    if (index_ == stretches_.size()) return false;
    const ReadStretch& stretch = stretches_[index_];
    const std::uint64_t whole_items = std::max<std::uint64_t>(1, chunk_bytes / stretch.item_bytes);
    const auto n = static_cast<std::size_t>(
        std::min<std::uint64_t>(whole_items * stretch.item_bytes, stretch.size - at_));
    chunk = {.stretch = &stretch, .at = at_, .bytes = {}, .buffer = {}};
    if (stretch.decoder != nullptr) {
      chunk.buffer = std::make_shared<Array<std::byte>>(n);
      chunk.bytes = *chunk.buffer;
    } else {
      chunk.bytes = {stretch.to + at_, n};
    }
    at_ += n;
    return true;
  }

 private:
  std::span<const ReadStretch> stretches_;
  std::size_t index_ = 0;
  std::uint64_t at_ = 0;
};

/// The first exception of several threads. None passes through the pipeline: that would end it with
/// chunks on their way, and their buffers would never be freed.
class FirstFailure {
 public:
  /// Runs `step`, unless one has failed already.
  template <class Step>
  void guard(const Step& step) noexcept {
    if (*this) return;
    try {
      step();
    } catch (...) {
      const std::lock_guard lock(mutex_);
      if (!error_) error_ = std::current_exception();
      failed_ = true;
    }
  }
  explicit operator bool() const noexcept { return failed_; }
  void rethrow() const {
    if (error_) std::rethrow_exception(error_);
  }

 private:
  std::atomic<bool> failed_ = false;
  std::mutex mutex_;
  std::exception_ptr error_;
};

}  // namespace

Digest read_stretches(ByteSource& source, std::span<const ReadStretch> stretches,
                      ProgressObserver* observer) {
  namespace tbb = oneapi::tbb;
  Cutter cutter(stretches);
  DigestStream digest;
  FirstFailure failure;
  const auto cut = [&](tbb::flow_control& flow) {
    Chunk chunk;
    bool more = false;
    failure.guard([&] { more = cutter.next(chunk); });
    if (!more) flow.stop();
    return chunk;
  };
  const auto read = [&](Chunk chunk) {
    failure.guard([&] { source.read(chunk.stretch->offset + chunk.at, chunk.bytes); });
    return chunk;
  };
  const auto hash = [&](Chunk chunk) {
    failure.guard([&] { digest.update(chunk.bytes); });
    if (observer != nullptr) observer->advance(chunk.bytes.size());
    return chunk;
  };
  const auto decode = [&](const Chunk& chunk) {
    if (chunk.stretch->decoder == nullptr) return;
    failure.guard([&] { chunk.stretch->decoder->decode(chunk.at, chunk.bytes); });
  };
  tbb::parallel_pipeline(
      chunks_in_flight,
      tbb::make_filter<void, Chunk>(tbb::filter_mode::serial_in_order, cut) &
          tbb::make_filter<Chunk, Chunk>(tbb::filter_mode::parallel, read) &
          tbb::make_filter<Chunk, Chunk>(tbb::filter_mode::serial_in_order, hash) &
          tbb::make_filter<Chunk, void>(tbb::filter_mode::parallel, decode));
  failure.rethrow();
  return digest.finish();
}

}  // namespace zkgpu::io
