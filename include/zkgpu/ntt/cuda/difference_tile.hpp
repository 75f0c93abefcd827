// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstddef>

#include <zkgpu/core/config.hpp>
#include <zkgpu/field/field.hpp>
#include <zkgpu/ntt/cuda_tables.hpp>
#include <zkgpu/ntt/tile.hpp>

/// The body of a last pass that ends in a difference: two passes over memory in one.
namespace zkgpu {

/// out[i] = minuend - x·scale for the results x of a transform, i in natural order.
template <NttField F>
struct NttDifference {
  const F* minuend = nullptr;  ///< in bit-reversed order, as the transform's results
  /// The limbs that represent the differences, whatever they stand for.
  typename F::Integer* out = nullptr;
  std::size_t size = 0;  ///< of `out`: later results go nowhere
};

/// One thread's part of one tile of the last pass of a dif transform.
///
/// The columns of a tile are not neighbours, as those of NttTile are, but as far from each other as
/// can be: their results' places in natural order, whose bits are reversed, are then neighbours.
/// Runs of 2^L elements are read, lines of `columns` elements are written.
template <NttField F, unsigned L>
class NttDifferenceTile {
  using Shape = NttPassShape<L>;
  using Tile = NttTile<F, L, NttFlow::dif, true>;
  using P = typename F::Params;
  static constexpr unsigned rows = Shape::rows;
  static constexpr unsigned columns = Shape::columns;

 public:
  static constexpr unsigned threads = Shape::threads;
  static constexpr std::size_t shared_bytes = Tile::shared_bytes;
  /// With a barrier between: into shared memory, the rounds, the difference, out.
  static constexpr unsigned steps = Shape::rounds + 3;

  /// @param log_n  of the one transform; pass.mask is 2^log_n - 1
  ZKGPU_HD NttDifferenceTile(const NttPass<F>& pass, const NttDifference<F>& difference,
                             unsigned log_n, NttPlanes shared, std::size_t block,
                             unsigned thread) noexcept
      : pass_(pass),
        difference_(difference),
        tile_(pass, shared, block, thread),
        shared_(shared),
        log_blocks_(log_n - L - Shape::log_columns),
        block_(block),
        thread_(thread) {}

  ZKGPU_HD void run(unsigned step) const noexcept {
    if (step == 0) return load_tile();
    if (step <= Shape::rounds) return tile_.run_round(step);
    if (step == Shape::rounds + 1) return subtract_tile();
    store_tile();
  }

 private:
  ZKGPU_HD std::size_t address(unsigned e) const noexcept {
    return ((std::size_t{e >> L} << log_blocks_) + block_) * rows + (e & (rows - 1));
  }
  ZKGPU_HD void load_tile() const noexcept {
    ZKGPU_UNROLL for (unsigned k = 0; k < 8; ++k) {
      const unsigned e = thread_ + k * threads;
      shared_.store(NttPlanes::place(e), load_limbs(pass_.values + address(e)));
    }
  }
  ZKGPU_HD void subtract_tile() const noexcept {
    ZKGPU_NO_UNROLL for (unsigned k = 0; k < 8; ++k) {
      const unsigned e = thread_ + k * threads;
      const std::size_t i = address(e);
      const TightFp<P> minuend{load_limbs(difference_.minuend + i)};
      const LooseFp<P> x(shared_.load(NttPlanes::place(e)));
      const TightFp<P> out = minuend - x * F::from_montgomery(load_limbs(pass_.scale + i));
      shared_.store(NttPlanes::place(e), out.canonical().montgomery());
    }
  }
  ZKGPU_HD void store_tile() const noexcept {
    const std::size_t line = reverse_index(block_, log_blocks_) << Shape::log_columns;
    ZKGPU_NO_UNROLL for (unsigned k = 0; k < 8; ++k) {
      const unsigned e = thread_ + k * threads;
      const unsigned u = e & (columns - 1);
      const unsigned row = e >> Shape::log_columns;
      const auto column = static_cast<unsigned>(reverse_index(u, Shape::log_columns));
      const std::size_t to =
          (reverse_index(row, L) << (log_blocks_ + Shape::log_columns)) + line + u;
      const Limbs<4> x = shared_.load(NttPlanes::place(column * rows + row));
      if (to < difference_.size) store_limbs(difference_.out + to, x);
    }
  }

  const NttPass<F>& pass_;
  const NttDifference<F>& difference_;
  Tile tile_;
  NttPlanes shared_;
  unsigned log_blocks_;  ///< log2 of the tiles of the transform
  std::size_t block_;
  unsigned thread_;
};

}  // namespace zkgpu
