// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstddef>
#include <cstdint>

#include <zkgpu/core/config.hpp>
#include <zkgpu/field/field.hpp>
#include <zkgpu/ntt/cuda_plan.hpp>
#include <zkgpu/ntt/dft.hpp>

/// The bodies of one pass of a transform over a tile. A block runs the steps of `NttTile` in order
/// with a barrier between; a test runs each step for all threads of a block in a loop.
namespace zkgpu {

/// Half an element of four limbs: what one instruction moves.
struct alignas(16) NttHalf {
  std::uint64_t limb[2];
};

/// The lowest 1, 2 or 3 bits of a value below 8, reversed; without a loop, which a compiler might
/// keep.
ZKGPU_HD constexpr unsigned reverse_bits(unsigned value, unsigned bits) noexcept {
  const unsigned three = ((value & 1) << 2) | (value & 2) | (value >> 2 & 1);
  return three >> (3 - bits);
}

/// What a pass reads and writes. Arrays are 16-byte aligned.
template <NttField F>
struct NttPass {
  F* values = nullptr;
  const F* source = nullptr;  ///< read in the place of `values`, which may be the same
  /// Entry (row t, column c): root^(reverse(t)·c), for passes whose rows are not neighbours.
  const F* twiddles = nullptr;
  const KnownFactor<typename F::Params>* local = nullptr;  ///< powers of a root of order 2^L
  const F* scale =
      nullptr;  ///< one factor for each element, or none; on the outer side of the flow
  const F* factor =
      nullptr;  ///< a second array that is multiplied in as values are first read, or none
  DftConstants<typename F::Params> constants;
  unsigned log_stride = 0;
  std::size_t mask = 0;  ///< n - 1: several transforms share `scale`
  bool first = false;    ///< of its transform: `factor`, and `scale` if scale_on_load
  bool last = false;  ///< of its transform: results are reduced, and `scale` if not scale_on_load
  bool scale_on_load = false;
};

/// An element's two halves in two planes, so that neighbours fill neighbouring banks.
struct NttPlanes {
  NttHalf* low;
  NttHalf* high;

  /// Higher bits of the place are mixed into the lowest three: rows at a stride of 8, 16 or 32 meet
  /// different banks too.
  ZKGPU_HD static constexpr unsigned place(unsigned e) noexcept { return e ^ ((e >> 3) & 7); }
  /// @param at  place(element)
  ZKGPU_HD Limbs<4> load(unsigned at) const noexcept {
    const NttHalf a = low[at];
    const NttHalf b = high[at];
    return Limbs<4>{{a.limb[0], a.limb[1], b.limb[0], b.limb[1]}};
  }
  ZKGPU_HD void store(unsigned at, const Limbs<4>& x) const noexcept {
    low[at] = NttHalf{{x.limb[0], x.limb[1]}};
    high[at] = NttHalf{{x.limb[2], x.limb[3]}};
  }
};

/// @tparam T  a field of four limbs, or its integers
template <class T>
ZKGPU_HD Limbs<4> load_limbs(const T* at) noexcept {
  static_assert(sizeof(T) == 32);
  const NttHalf* halves = reinterpret_cast<const NttHalf*>(at);
  const NttHalf a = halves[0];
  const NttHalf b = halves[1];
  return Limbs<4>{{a.limb[0], a.limb[1], b.limb[0], b.limb[1]}};
}
template <class T>
ZKGPU_HD void store_limbs(T* at, const Limbs<4>& x) noexcept {
  static_assert(sizeof(T) == 32);
  NttHalf* halves = reinterpret_cast<NttHalf*>(at);
  halves[0] = NttHalf{{x.limb[0], x.limb[1]}};
  halves[1] = NttHalf{{x.limb[2], x.limb[3]}};
}

/// One thread's part of one tile.
///
/// The code is kept small on purpose: one radix-8 body serves all rounds of a tile, and products by
/// twiddles are a loop. Unrolled, a pass was 200 KB of code and waited for instructions half its
/// time.
///
/// @tparam contiguous  the pass with the smallest stride: rows are neighbours in memory, columns
///                     are 2^L apart; else rows are 2^log_stride apart and columns are neighbours
template <NttField F, unsigned L, NttFlow flow, bool contiguous>
class NttTile {
  using Shape = NttPassShape<L>;
  using P = typename F::Params;
  using Tight = TightFp<P>;
  using Loose = LooseFp<P>;
  static constexpr unsigned rows = Shape::rows;
  static constexpr unsigned columns = Shape::columns;
  static constexpr unsigned log_columns = Shape::log_columns;
  static constexpr unsigned spread = rows / 8;  ///< threads along the rows of a column
  static_assert(sizeof(F) == 32);

 public:
  static constexpr unsigned threads = Shape::threads;
  static constexpr std::size_t shared_bytes = Shape::elements * sizeof(F);
  /// With a barrier between: into shared memory, the rounds, back.
  static constexpr unsigned steps = Shape::rounds + 2;

  ZKGPU_HD NttTile(const NttPass<F>& pass, NttPlanes shared, std::size_t block,
                   unsigned thread) noexcept
      : pass_(pass), shared_(shared), thread_(thread) {
    if constexpr (contiguous) {
      base_ = block * Shape::elements;
      column_ = thread / spread;
      along_ = thread % spread;
    } else {
      const unsigned log_tiles = pass.log_stride - log_columns;  // in one block of rows
      first_column_ = (block & ((std::size_t{1} << log_tiles) - 1)) << log_columns;
      base_ = ((block >> log_tiles) << (pass.log_stride + L)) + first_column_;
      column_ = thread % columns;
      along_ = thread / columns;
    }
  }

  ZKGPU_HD void run(unsigned step) const noexcept {
    if (step == 0) return load_tile();
    if (step == steps - 1) return store_tile();
    run_round(step);
  }
  /// Step 1 <= step <= rounds alone, on what the tile's elements are in shared memory.
  ZKGPU_HD void run_round(unsigned step) const noexcept {
    const unsigned r = flow == NttFlow::dif ? step - 1 : Shape::rounds - step;
    const unsigned units = 8 >> Shape::radix_bits(r);
    ZKGPU_NO_UNROLL for (unsigned k = 0; k < units; ++k) round(r, along_ + k * spread);
  }
  /// What the tile's elements are in shared memory, times `scale`.
  ZKGPU_HD void scale_tile() const noexcept {
    multiply_shared(pass_.scale + (first_address() & pass_.mask));
  }

 private:
  /// Element k of this thread in the order that is fast to move, neighbours in memory side by side:
  /// its place in shared memory, and in the arrays. Both are a first place and a fixed step.
  ZKGPU_HD unsigned moved(unsigned k) const noexcept {
    static_assert(threads % 64 == 0, "a step that the places' mixing of bits does not see");
    return NttPlanes::place(thread_) + k * threads;
  }
  ZKGPU_HD std::size_t first_address() const noexcept {
    if constexpr (contiguous) return base_ + thread_;
    return base_ + (std::size_t{along_} << pass_.log_stride) + column_;
  }
  ZKGPU_HD const F* first_twiddle() const noexcept {
    return pass_.twiddles + (std::size_t{along_} << pass_.log_stride) + first_column_ + column_;
  }
  ZKGPU_HD std::size_t address_step() const noexcept {
    if constexpr (contiguous) return threads;
    return std::size_t{threads / columns} << pass_.log_stride;
  }
  ZKGPU_HD unsigned place(unsigned row) const noexcept {
    return NttPlanes::place(contiguous ? column_ * rows + row : row * columns + column_);
  }
  /// place(top + (q << part_bits)) is place(top) ^ this: the rows' bits do not meet, and places
  /// exchange no carries. It is the same for all threads.
  ZKGPU_HD static constexpr unsigned row_place(unsigned q, unsigned part_bits) noexcept {
    return NttPlanes::place(q << (part_bits + (contiguous ? 0 : log_columns)));
  }

  /// Into shared memory, below 2p: outside values are reduced, and so is what dif passes leave.
  ZKGPU_HD void load_tile() const noexcept {
    const std::size_t step = address_step();
    const F* const from = pass_.source + first_address();
    ZKGPU_UNROLL for (unsigned k = 0; k < 8; ++k) {
      shared_.store(moved(k), load_limbs(from + k * step));
    }
    if (flow == NttFlow::dit && !contiguous) multiply_shared(first_twiddle());
    if (!pass_.first) return;
    if (pass_.factor != nullptr) multiply_shared(pass_.factor + first_address());
    if (pass_.scale != nullptr && pass_.scale_on_load) scale_tile();
  }
  ZKGPU_HD void multiply_shared(const F* factors) const noexcept {
    multiply_tile(factors,
                  [this](unsigned k, const Tight& x) { shared_.store(moved(k), x.value); });
  }

  /// Back to memory; reduced if this is the last pass.
  ZKGPU_HD void store_tile() const noexcept {
    const std::size_t step = address_step();
    F* const to = pass_.values + first_address();
    if constexpr (flow == NttFlow::dif && !contiguous) {
      multiply_tile(first_twiddle(), [to, step](unsigned k, const Tight& x) {
        store_limbs(to + k * step, x.value);
      });
    } else {
      if (pass_.last && pass_.scale != nullptr && !pass_.scale_on_load) scale_tile();
      ZKGPU_NO_UNROLL for (unsigned k = 0; k < 8; ++k) {
        Loose x(shared_.load(moved(k)));
        if (pass_.last) x = Loose(x.tightened().canonical().montgomery());
        store_limbs(to + k * step, x.value);
      }
    }
  }

  /// store(k, x·factor) for this thread's elements x in shared memory and factors in the order of
  /// the arrays; the next factor is on its way meanwhile.
  template <class Store>
  ZKGPU_HD void multiply_tile(const F* factors, const Store& store) const noexcept {
    const std::size_t step = address_step();
    const auto product = [this, &store](unsigned k, const F& w) {
      store(k, Loose(shared_.load(moved(k))) * w);
    };
    F w0 = F::from_montgomery(load_limbs(factors));
    ZKGPU_NO_UNROLL for (unsigned k = 0; k < 8; k += 2) {
      factors += step;
      const F w1 = F::from_montgomery(load_limbs(factors));
      product(k, w0);
      if (k < 6) {
        factors += step;
        w0 = F::from_montgomery(load_limbs(factors));
      }
      product(k + 1, w1);
    }
  }

  /// One transform of radix R along the rows top + m·T/R. dif: natural to bit-reversed places, then
  /// times ω_T^(j·m). dit: the same backwards.
  ZKGPU_HD void round(unsigned r, unsigned unit) const noexcept {
    const unsigned radix_bits = Shape::radix_bits(r);
    const unsigned block_bits = Shape::block_bits(r);
    const unsigned part_bits = block_bits - radix_bits;
    const unsigned j = unit & ((1u << part_bits) - 1);
    const unsigned top = (unit >> part_bits << block_bits) + j;
    const bool twiddled = part_bits != 0;
    const unsigned exponent = j << (L - block_bits);
    if (flow == NttFlow::dit && twiddled) multiply_rows(radix_bits, top, part_bits, exponent);
    if (radix_bits == 3) {
      transform_eight(top, part_bits);
    } else {
      transform_four(top, part_bits);
    }
    if (flow == NttFlow::dif && twiddled) multiply_rows(radix_bits, top, part_bits, exponent);
  }

  /// Inputs x[m] at rows m and outputs y[m] at rows reverse(m) of the unit, or the other way round.
  ZKGPU_HD static constexpr unsigned input_row(unsigned m, unsigned radix_bits) noexcept {
    return flow == NttFlow::dif ? m : reverse_bits(m, radix_bits);
  }
  ZKGPU_HD static constexpr unsigned output_row(unsigned m, unsigned radix_bits) noexcept {
    return flow == NttFlow::dif ? reverse_bits(m, radix_bits) : m;
  }
  ZKGPU_HD Tight load(unsigned at) const noexcept { return Tight{shared_.load(at)}; }

  ZKGPU_HD void transform_four(unsigned top, unsigned part_bits) const noexcept {
    const unsigned first = place(top);
    const auto at = [first, part_bits](unsigned q) { return first ^ row_place(q, part_bits); };
    Tight x[4];
    Tight y[4];
    ZKGPU_UNROLL for (unsigned m = 0; m < 4; ++m) x[m] = load(at(input_row(m, 2)));
    dft(x, y, pass_.constants);
    ZKGPU_UNROLL for (unsigned m = 0; m < 4; ++m) shared_.store(at(output_row(m, 2)), y[m].value);
  }
  /// The even outputs first, from sums; differences wait in shared memory, where the odd outputs
  /// will be. It takes half the registers of all at once.
  ZKGPU_HD void transform_eight(unsigned top, unsigned part_bits) const noexcept {
    const unsigned first = place(top);
    const auto at = [first, part_bits](unsigned q) { return first ^ row_place(q, part_bits); };
    Tight x[4];
    Tight y[4];
    ZKGPU_UNROLL for (unsigned m = 0; m < 4; ++m) {
      const Tight low = load(at(input_row(m, 3)));
      const Tight high = load(at(input_row(m + 4, 3)));
      x[m] = tight_sum(low, high);
      shared_.store(at(input_row(m + 4, 3)), (low - high).value);
    }
    dft(x, y, pass_.constants);
    ZKGPU_UNROLL for (unsigned k = 0; k < 4; ++k) {
      shared_.store(at(output_row(2 * k, 3)), y[k].value);
    }
    ZKGPU_UNROLL for (unsigned m = 0; m < 4; ++m) x[m] = load(at(input_row(m + 4, 3)));
    dft_odd(x, y, pass_.constants);
    ZKGPU_UNROLL for (unsigned k = 0; k < 4; ++k) {
      shared_.store(at(output_row(2 * k + 1, 3)), y[k].value);
    }
  }

  /// Row q of the unit, which stands for frequency m = reverse(q), times ω^(exponent·m).
  ZKGPU_HD void multiply_rows(unsigned radix_bits, unsigned top, unsigned part_bits,
                              unsigned exponent) const noexcept {
    const unsigned first = place(top);
    const unsigned radix = 1u << radix_bits;
    const auto factor = [this, radix_bits, radix, exponent](unsigned q) {  // of 0 after the last
      const unsigned m = reverse_bits(q & (radix - 1), radix_bits);
      const auto* at = pass_.local + exponent * m;
      return KnownFactor<P>{load_limbs(&at->factor), load_limbs(&at->quotient)};
    };
    const auto product = [this, first, part_bits](unsigned q, const KnownFactor<P>& w) {
      const unsigned at = first ^ row_place(q, part_bits);
      shared_.store(at, (load(at) * w).value);
    };
    KnownFactor<P> w0 = factor(1);
    ZKGPU_NO_UNROLL for (unsigned q = 1;; q += 2) {
      const KnownFactor<P> w1 = factor(q + 1);
      product(q, w0);
      if (q + 1 == radix) break;
      w0 = factor(q + 2);
      product(q + 1, w1);
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
