// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include <zkgpu/prover/io/bytes/byte_source.hpp>

namespace zkgpu::porep::c1 {

/// Bytes one after the other, of which only a piece is in memory.
class ByteStream {
 public:
  static constexpr int end = -1;

  ByteStream() = default;
  ByteStream(const ByteStream&) = delete;
  ByteStream& operator=(const ByteStream&) = delete;
  virtual ~ByteStream() = default;

  /// The next byte, or `end`.
  int peek() { return at_ != stop_ || refill() ? std::to_integer<int>(*at_) : end; }
  /// Goes past the byte that `peek` gave.
  void skip() noexcept { ++at_; }
  int take() {
    const int byte = peek();
    if (byte != end) skip();
    return byte;
  }
  /// Fills `out`. @return how many bytes there were
  std::size_t read(std::span<std::byte> out) {
    std::size_t done = 0;
    while (done < out.size() && peek() != end) {
      const std::size_t n = std::min(out.size() - done, static_cast<std::size_t>(stop_ - at_));
      std::memcpy(out.data() + done, at_, n);
      at_ += n;
      done += n;
    }
    return done;
  }
  /// Where in the file the next byte stands.
  [[nodiscard]] virtual std::uint64_t offset() const noexcept = 0;

 protected:
  /// Sets at_ and stop_ to the next bytes. @return false when there are none
  virtual bool refill() = 0;
  const std::byte* at_ = nullptr;
  const std::byte* stop_ = nullptr;
};

/// A source from its start.
class SourceStream final : public ByteStream {
 public:
  explicit SourceStream(io::ByteSource& source) : source_(source) {
    source.admit_memory(piece_bytes);
    piece_.resize(piece_bytes);
  }
  [[nodiscard]] std::uint64_t offset() const noexcept override {
    return read_ - static_cast<std::uint64_t>(stop_ - at_);
  }

 private:
  static constexpr std::size_t piece_bytes = std::size_t{1} << 16;
  bool refill() override {
    const auto n =
        static_cast<std::size_t>(std::min<std::uint64_t>(piece_bytes, source_.size() - read_));
    source_.read(read_, std::span(piece_).first(n));
    at_ = piece_.data();
    stop_ = at_ + n;
    read_ += n;
    return n != 0;
  }
  io::ByteSource& source_;
  std::vector<std::byte> piece_;
  std::uint64_t read_ = 0;  // bytes of the source before stop_
};

}  // namespace zkgpu::porep::c1
