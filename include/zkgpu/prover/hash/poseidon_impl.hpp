// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <zkgpu/core/config.hpp>
#include <zkgpu/core/error.hpp>
#include <zkgpu/prover/hash/grain.hpp>
#include <zkgpu/prover/hash/poseidon.hpp>

namespace zkgpu {

namespace detail {

/// A small square matrix, row by row.
template <PrimeField F>
struct SquareMatrix {
  std::size_t size;
  std::vector<F> entries;

  explicit SquareMatrix(std::size_t n) : size(n), entries(n * n, F::zero()) {}
  F& at(std::size_t i, std::size_t j) { return entries[i * size + j]; }
  const F& at(std::size_t i, std::size_t j) const { return entries[i * size + j]; }
};

/// M x, x a column.
template <PrimeField F>
std::vector<F> operator*(const SquareMatrix<F>& m, std::span<const F> x) {
  std::vector<F> product(m.size, F::zero());
  for (std::size_t i = 0; i < m.size; ++i) {
    for (std::size_t j = 0; j < m.size; ++j) product[i] += m.at(i, j) * x[j];
  }
  return product;
}

template <PrimeField F>
SquareMatrix<F> operator*(const SquareMatrix<F>& a, const SquareMatrix<F>& b) {
  SquareMatrix<F> product(a.size);
  for (std::size_t i = 0; i < a.size; ++i) {
    for (std::size_t k = 0; k < a.size; ++k) {
      for (std::size_t j = 0; j < a.size; ++j) product.at(i, j) += a.at(i, k) * b.at(k, j);
    }
  }
  return product;
}

/// M⁻¹ by Gauss and Jordan.
/// @throws InternalError if M is singular: minors of a Cauchy matrix never are
template <PrimeField F>
SquareMatrix<F> inverse_of(SquareMatrix<F> m) {
  const std::size_t n = m.size;
  SquareMatrix<F> inverse(n);
  for (std::size_t i = 0; i < n; ++i) inverse.at(i, i) = F::one();
  for (std::size_t column = 0; column < n; ++column) {
    std::size_t pivot = column;
    while (pivot < n && m.at(pivot, column).is_zero()) ++pivot;
    if (pivot == n) throw InternalError("poseidon: a matrix has no inverse");
    for (std::size_t j = 0; j < n; ++j) {
      std::swap(m.at(pivot, j), m.at(column, j));
      std::swap(inverse.at(pivot, j), inverse.at(column, j));
    }
    const F scale = m.at(column, column).inverse();
    for (std::size_t j = 0; j < n; ++j) {
      m.at(column, j) *= scale;
      inverse.at(column, j) *= scale;
    }
    for (std::size_t i = 0; i < n; ++i) {
      const F factor = m.at(i, column);
      if (i == column || factor.is_zero()) continue;
      for (std::size_t j = 0; j < n; ++j) {
        m.at(i, j) -= factor * m.at(column, j);
        inverse.at(i, j) -= factor * inverse.at(column, j);
      }
    }
  }
  return inverse;
}

/// m without its first row and column.
template <PrimeField F>
SquareMatrix<F> minor_of(const SquareMatrix<F>& m) {
  SquareMatrix<F> rest(m.size - 1);
  for (std::size_t i = 1; i < m.size; ++i) {
    for (std::size_t j = 1; j < m.size; ++j) rest.at(i - 1, j - 1) = m.at(i, j);
  }
  return rest;
}

/// Keys after S-boxes instead of before them: what is added before round q + 1 is added before the
/// mixing of round q as M⁻¹ times it. In partial rounds only element 0 passes an S-box, so what the
/// others would get moves on to the round before.
template <PrimeField F>
std::vector<F> move_keys(const PoseidonConstants<F>& constants, const SquareMatrix<F>& inverse) {
  constexpr unsigned half = PoseidonRounds::full / 2;
  const std::size_t width = constants.rounds.width;
  const unsigned partial = constants.rounds.partial;
  const auto plain = [&](std::size_t round) {
    return std::span<const F>(constants.plain_keys).subspan(round * width, width);
  };
  std::vector<F> keys(plain(0).begin(), plain(0).end());
  const auto append = [&](const std::vector<F>& more) {
    keys.insert(keys.end(), more.begin(), more.end());
  };
  for (unsigned round = 1; round < half; ++round) append(inverse * plain(round));
  std::vector<F> carried(plain(half + partial).begin(), plain(half + partial).end());
  std::vector<F> of_partial_rounds;
  for (unsigned i = 0; i < partial; ++i) {
    std::vector<F> before = inverse * std::span<const F>(carried);
    of_partial_rounds.push_back(std::exchange(before[0], F::zero()));
    const auto own = plain(half + partial - i - 1);
    for (std::size_t j = 0; j < width; ++j) carried[j] = own[j] + before[j];
  }
  append(inverse * std::span<const F>(carried));
  keys.insert(keys.end(), of_partial_rounds.rbegin(), of_partial_rounds.rend());
  for (unsigned round = 1; round < half; ++round) append(inverse * plain(half + partial + round));
  return keys;
}

/// Mᴿ as (one dense matrix) · (one sparse matrix a partial round): each step splits the matrix so
/// far into a sparse factor, which stays with its round, and one that commutes with the S-box.
template <PrimeField F>
void factor_mixing(const SquareMatrix<F>& mds, PoseidonConstants<F>& constants) {
  const std::size_t width = constants.rounds.width;
  std::vector<std::vector<F>> factors;
  SquareMatrix<F> current = mds;
  for (unsigned round = 0; round < constants.rounds.partial; ++round) {
    std::vector<F> column;  // below the corner
    for (std::size_t i = 1; i < width; ++i) column.push_back(current.at(i, 0));
    const std::vector<F> solved = inverse_of(minor_of(current)) * std::span<const F>(column);
    std::vector<F> factor{current.at(0, 0)};
    factor.insert(factor.end(), solved.begin(), solved.end());
    for (std::size_t j = 1; j < width; ++j) factor.push_back(current.at(0, j));
    factors.push_back(std::move(factor));
    for (std::size_t i = 0; i < width; ++i) {
      current.at(0, i) = current.at(i, 0) = i == 0 ? F::one() : F::zero();
    }
    current = mds * current;
  }
  constants.pre_sparse = current.entries;
  for (auto factor = factors.rbegin(); factor != factors.rend(); ++factor) {
    constants.sparse.insert(constants.sparse.end(), factor->begin(), factor->end());
  }
}

/// new[j] = Σ_i state[i] · m[i][j]
template <PrimeField F>
void mix_dense(std::span<F> state, std::span<const F> matrix, std::span<F> scratch) {
  const std::size_t width = state.size();
  for (std::size_t j = 0; j < width; ++j) {
    F sum = state[0] * matrix[j];
    for (std::size_t i = 1; i < width; ++i) sum += state[i] * matrix[i * width + j];
    scratch[j] = sum;
  }
  std::copy(scratch.begin(), scratch.end(), state.begin());
}

template <PrimeField F>
void mix_sparse(std::span<F> state, std::span<const F> factor) {
  const std::size_t width = state.size();
  const F first = state[0];
  F sum = first * factor[0];
  for (std::size_t i = 1; i < width; ++i) {
    sum += state[i] * factor[i];
    state[i] += first * factor[width + i - 1];
  }
  state[0] = sum;
}

}  // namespace detail

template <PrimeField F>
PoseidonConstants<F> derive_poseidon_constants(unsigned arity) {
  PoseidonConstants<F> constants;
  constants.rounds = poseidon_rounds(arity);
  const std::size_t width = constants.rounds.width;
  const unsigned rounds = PoseidonRounds::full + constants.rounds.partial;
  Grain grain(F::bits, constants.rounds.width, PoseidonRounds::full, constants.rounds.partial);
  for (std::size_t i = 0; i < rounds * width; ++i) {
    constants.plain_keys.push_back(grain.next_element<F>());
  }
  detail::SquareMatrix<F> mds(width);
  for (std::size_t i = 0; i < width; ++i) {
    for (std::size_t j = 0; j < width; ++j) {
      mds.at(i, j) = F(static_cast<int>(i + j + width)).inverse();
    }
  }
  constants.mds = mds.entries;
  constants.keys = detail::move_keys(constants, detail::inverse_of(mds));
  detail::factor_mixing(mds, constants);
  return constants;
}

namespace detail {

template <PrimeField F>
unsigned expect_poseidon_arity(unsigned arity) {
  if (arity == 0 || arity > Poseidon<F>::max_arity) {
    throw InvalidArgument("poseidon: no hash of " + std::to_string(arity) + " elements");
  }
  return arity;
}

}  // namespace detail

template <PrimeField F>
Poseidon<F>::Poseidon(unsigned arity)
    : constants_(derive_poseidon_constants<F>(detail::expect_poseidon_arity<F>(arity))) {}

template <PrimeField F>
F Poseidon<F>::tree_tag() const noexcept {
  F tag = F::zero();
  for (unsigned i = 0; i < arity(); ++i) tag = tag.doubled() + F::one();
  return tag;
}

template <PrimeField F>
F Poseidon<F>::hash(const F& tag, std::span<const F> preimage) const {
  constexpr unsigned half = PoseidonRounds::full / 2;
  ZKGPU_ASSERT(preimage.size() == arity());
  std::array<F, Poseidon<F>::max_arity + 1> elements, room;
  const std::span<F> state(elements.data(), constants_.rounds.width);
  const std::span<F> scratch(room.data(), state.size());
  const F* key = constants_.keys.data();
  state[0] = tag + *key++;
  for (std::size_t i = 1; i < state.size(); ++i) state[i] = preimage[i - 1] + *key++;
  const auto full_round = [&](std::span<const F> matrix, bool has_key) {
    for (F& x : state) {
      x = detail::fifth_power(x);
      if (has_key) x += *key++;
    }
    detail::mix_dense(state, matrix, scratch);
  };
  for (unsigned round = 0; round < half; ++round) {
    full_round(round + 1 < half ? constants_.mds : constants_.pre_sparse, true);
  }
  for (unsigned round = 0; round < constants_.rounds.partial; ++round) {
    state[0] = detail::fifth_power(state[0]) + *key++;
    detail::mix_sparse(state, constants_.sparse_of(round));
  }
  for (unsigned round = 0; round < half; ++round) full_round(constants_.mds, round + 1 < half);
  return state[1];
}

template <PrimeField F>
const Poseidon<F>& poseidon(unsigned arity) {
  static std::array<std::once_flag, Poseidon<F>::max_arity + 1> made;
  static std::array<std::unique_ptr<const Poseidon<F>>, Poseidon<F>::max_arity + 1> hashes;
  detail::expect_poseidon_arity<F>(arity);
  std::call_once(made[arity], [&] { hashes[arity] = std::make_unique<Poseidon<F>>(arity); });
  return *hashes[arity];
}

}  // namespace zkgpu
