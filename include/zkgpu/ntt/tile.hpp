// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstddef>
#include <cstdint>

#include <zkgpu/core/config.hpp>
#include <zkgpu/field/field.hpp>
#include <zkgpu/ntt/cuda_plan.hpp>
#include <zkgpu/ntt/dft.hpp>

/// The bodies of one pass of a transform over a tile. A block runs the steps of `NttTile` in order with
/// a barrier between; a test runs each step for all threads of a block in a loop.
namespace zkgpu {

/// Half an element of four limbs: what one instruction moves.
struct alignas(16) NttHalf {
  std::uint64_t limb[2];
};

ZKGPU_HD constexpr unsigned reverse_bits(unsigned value, unsigned bits) noexcept {
  unsigned r = 0;
  for (unsigned k = 0; k < bits; ++k) r |= ((value >> k) & 1) << (bits - 1 - k);
  return r;
}

/// What a pass reads and writes. Arrays are 16-byte aligned.
template <NttField F>
struct NttPass {
  F* values = nullptr;
  /// Entry (row t, column c): root^(reverse(t)·c), for passes whose rows are not neighbours.
  const F* twiddles = nullptr;
  const F* local = nullptr;   ///< powers of a root of order 2^L
  const F* scale = nullptr;   ///< one factor for each element, or none; on the outer side of the flow
  const F* factor = nullptr;  ///< a second array that is multiplied in as values are first read, or none
  DftConstants<typename F::Params> constants;
  unsigned log_stride = 0;
  std::size_t mask = 0;  ///< n - 1: several transforms share `scale`
  bool first = false;    ///< of its transform: `factor`, and `scale` if scale_on_load
  bool last = false;   ///< of its transform: results are reduced, and `scale` if not scale_on_load
  bool scale_on_load = false;
};

/// An element's two halves in two planes, so that neighbours fill neighbouring banks.
struct NttPlanes {
  NttHalf* low;
  NttHalf* high;

  /// Higher bits of the place are mixed into the lowest three: rows at a stride of 8, 16 or 32 meet
  /// different banks too.
  ZKGPU_HD static constexpr unsigned place(unsigned e) noexcept { return e ^ ((e >> 3) & 7); }
  ZKGPU_HD Limbs<4> load(unsigned e) const noexcept {
    const NttHalf a = low[place(e)];
    const NttHalf b = high[place(e)];
    return Limbs<4>{{a.limb[0], a.limb[1], b.limb[0], b.limb[1]}};
  }
  ZKGPU_HD void store(unsigned e, const Limbs<4>& x) const noexcept {
    low[place(e)] = NttHalf{{x.limb[0], x.limb[1]}};
    high[place(e)] = NttHalf{{x.limb[2], x.limb[3]}};
  }
};

template <NttField F>
ZKGPU_HD Limbs<4> load_limbs(const F* at) noexcept {
  const NttHalf* halves = reinterpret_cast<const NttHalf*>(at);
  const NttHalf a = halves[0];
  const NttHalf b = halves[1];
  return Limbs<4>{{a.limb[0], a.limb[1], b.limb[0], b.limb[1]}};
}
template <NttField F>
ZKGPU_HD void store_limbs(F* at, const Limbs<4>& x) noexcept {
  NttHalf* halves = reinterpret_cast<NttHalf*>(at);
  halves[0] = NttHalf{{x.limb[0], x.limb[1]}};
  halves[1] = NttHalf{{x.limb[2], x.limb[3]}};
}

/// One thread's part of one tile.
///
/// @tparam contiguous  the pass with the smallest stride: rows are neighbours in memory, columns are
///                     2^L apart; else rows are 2^log_stride apart and columns are neighbours
template <NttField F, unsigned L, NttFlow flow, bool contiguous>
class NttTile {
  using Shape = NttPassShape<L>;
  using P = typename F::Params;
  using Tight = TightFp<P>;
  using Loose = LooseFp<P>;
  static constexpr unsigned rows = Shape::rows;
  static constexpr unsigned columns = Shape::columns;
  static constexpr unsigned spread = rows / 8;  ///< threads along the rows of a column
  static_assert(sizeof(F) == 32);

 public:
  static constexpr unsigned threads = Shape::threads;
  static constexpr std::size_t shared_bytes = Shape::elements * sizeof(F);

  /// Steps with a barrier between: rounds, and for contiguous rows one that only copies, so that
  /// neighbouring threads meet neighbouring elements.
  static constexpr unsigned steps = Shape::rounds + (contiguous ? 1 : 0);

  ZKGPU_HD NttTile(const NttPass<F>& pass, NttPlanes shared, std::size_t block,
                   unsigned thread) noexcept
      : pass_(pass), shared_(shared), thread_(thread) {
    if constexpr (contiguous) {
      base_ = block * Shape::elements;
      column_ = thread / spread;
      along_ = thread % spread;
    } else {
      const std::size_t tiles = (std::size_t{1} << pass.log_stride) / columns;  // in one block of rows
      first_column_ = (block % tiles) * columns;
      base_ = ((block / tiles) << (pass.log_stride + L)) + first_column_;
      column_ = thread % columns;
      along_ = thread / columns;
    }
  }

  template <unsigned step>
  ZKGPU_HD void run() const noexcept {
    if constexpr (flow == NttFlow::dif) {
      if constexpr (contiguous && step == Shape::rounds) {
        copy_out();
      } else {
        dif_round<step>();
      }
    } else if constexpr (contiguous && step == 0) {
      copy_in();
    } else {
      dit_round<Shape::rounds - 1 - (step - (contiguous ? 1 : 0))>();
    }
  }

 private:
  ZKGPU_HD std::size_t address(unsigned row) const noexcept {
    if constexpr (contiguous) return base_ + column_ * rows + row;
    return base_ + (std::size_t{row} << pass_.log_stride) + column_;
  }
  ZKGPU_HD unsigned place(unsigned row) const noexcept {
    if constexpr (contiguous) return column_ * rows + row;
    return row * columns + column_;
  }
  ZKGPU_HD F twiddle(unsigned row) const noexcept {
    const std::size_t at = (std::size_t{row} << pass_.log_stride) + first_column_ + column_;
    return F::from_montgomery(load_limbs(pass_.twiddles + at));
  }
  ZKGPU_HD F local(unsigned exponent) const noexcept {
    return F::from_montgomery(load_limbs(pass_.local + exponent));
  }

  /// From memory, below 2p: what the passes store, or outside values, which are reduced.
  ZKGPU_HD Tight load_values(std::size_t at) const noexcept {
    Tight x{load_limbs(pass_.values + at)};
    if (pass_.first) {
      if (pass_.factor != nullptr) x = x * F::from_montgomery(load_limbs(pass_.factor + at));
      if (pass_.scale != nullptr && pass_.scale_on_load) {
        x = x * F::from_montgomery(load_limbs(pass_.scale + (at & pass_.mask)));
      }
    }
    return x;
  }
  /// Reduced if this is the last pass.
  ZKGPU_HD void store_values(std::size_t at, const Loose& x) const noexcept {
    if (!pass_.last) {
      store_limbs(pass_.values + at, x.value);
    } else if (pass_.scale != nullptr && !pass_.scale_on_load) {
      const Tight scaled = x * F::from_montgomery(load_limbs(pass_.scale + (at & pass_.mask)));
      store_limbs(pass_.values + at, scaled.canonical().montgomery());
    } else {
      store_limbs(pass_.values + at, x.tightened().canonical().montgomery());
    }
  }

  /// Splits blocks of rows: y[k] of the transform of rows b·T + j + m·T/R goes, times ω_T^(j·k), to the
  /// k-th block that results, in bit-reversed order.
  template <unsigned r>
  ZKGPU_HD void dif_round() const noexcept {
    constexpr unsigned radix_bits = Shape::radix_bits(r);
    constexpr unsigned radix = 1u << radix_bits;
    constexpr unsigned block_bits = Shape::block_bits(r);
    constexpr unsigned part_bits = block_bits - radix_bits;
    ZKGPU_UNROLL for (unsigned k = 0; k < 8 / radix; ++k) {
      const unsigned unit = along_ + k * spread;
      const unsigned j = unit & ((1u << part_bits) - 1);
      const unsigned top = (unit >> part_bits << block_bits) + j;
      Tight x[radix];
      ZKGPU_UNROLL for (unsigned m = 0; m < radix; ++m) {
        const unsigned row = top + (m << part_bits);
        if constexpr (r == 0) {
          x[m] = load_values(address(row));
        } else {
          x[m] = Tight{shared_.load(place(row))};
        }
      }
      Loose y[radix];
      dft(x, y, pass_.constants);
      ZKGPU_UNROLL for (unsigned m = 0; m < radix; ++m) {
        const unsigned row = top + (reverse_bits(m, radix_bits) << part_bits);
        if constexpr (part_bits != 0) {
          const Tight z = m == 0 ? y[0].tightened() : y[m] * local(j * m << (L - block_bits));
          shared_.store(place(row), z.value);
        } else if constexpr (contiguous) {
          shared_.store(place(row), y[m].value);
        } else {
          store_values(address(row), y[m] * twiddle(row));
        }
      }
    }
  }

  /// Joins blocks of rows: the reverse of dif_round.
  template <unsigned r>
  ZKGPU_HD void dit_round() const noexcept {
    constexpr unsigned radix_bits = Shape::radix_bits(r);
    constexpr unsigned radix = 1u << radix_bits;
    constexpr unsigned block_bits = Shape::block_bits(r);
    constexpr unsigned part_bits = block_bits - radix_bits;
    ZKGPU_UNROLL for (unsigned k = 0; k < 8 / radix; ++k) {
      const unsigned unit = along_ + k * spread;
      const unsigned j = unit & ((1u << part_bits) - 1);
      const unsigned top = (unit >> part_bits << block_bits) + j;
      Tight x[radix];
      ZKGPU_UNROLL for (unsigned m = 0; m < radix; ++m) {
        const unsigned row = top + (reverse_bits(m, radix_bits) << part_bits);
        if constexpr (part_bits != 0) {
          const Loose v(shared_.load(place(row)));
          x[m] = m == 0 ? v.tightened() : v * local(j * m << (L - block_bits));
        } else if constexpr (contiguous) {
          x[m] = Tight{shared_.load(place(row))};
        } else {
          x[m] = Loose(load_limbs(pass_.values + address(row))) * twiddle(row);
        }
      }
      Loose y[radix];
      dft(x, y, pass_.constants);
      ZKGPU_UNROLL for (unsigned m = 0; m < radix; ++m) {
        const unsigned row = top + (m << part_bits);
        if constexpr (r == 0) {
          store_values(address(row), y[m]);
        } else {
          shared_.store(place(row), y[m].value);
        }
      }
    }
  }

  /// The tile as it lies in memory, to and from the planes.
  ZKGPU_HD void copy_in() const noexcept {
    ZKGPU_UNROLL for (unsigned k = 0; k < 8; ++k) {
      const unsigned e = thread_ + k * threads;
      shared_.store(e, load_values(base_ + e).value);
    }
  }
  ZKGPU_HD void copy_out() const noexcept {
    ZKGPU_UNROLL for (unsigned k = 0; k < 8; ++k) {
      const unsigned e = thread_ + k * threads;
      store_values(base_ + e, Loose(shared_.load(e)));
    }
  }

  const NttPass<F>& pass_;
  NttPlanes shared_;
  std::size_t base_ = 0;
  std::size_t first_column_ = 0;
  unsigned thread_;
  unsigned column_ = 0;
  unsigned along_ = 0;
};

}  // namespace zkgpu
