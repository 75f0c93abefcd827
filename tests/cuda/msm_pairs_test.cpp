// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <algorithm>
#include <cstdint>
#include <map>
#include <random>
#include <vector>

#include <catch2/catch.hpp>

#include <zkgpu/core/array.hpp>
#include <zkgpu/curve/bls12_381.hpp>
#include <zkgpu/curve/xyzz.hpp>
#include <zkgpu/msm/cuda/pairs.hpp>
#include <zkgpu/msm/cuda/plan.hpp>

namespace {

using zkgpu::Array;
using zkgpu::Bls12_381;

/// A warp of one lane.
struct OneLane {
  static constexpr std::uint32_t lanes = 1;
  static std::uint32_t lane() { return 0; }
  static std::uint32_t before(bool) { return 0; }
  static std::uint32_t count(bool flag) { return flag ? 1 : 0; }
  static std::uint32_t own_pair(bool flag, std::uint32_t half) { return flag ? 1u << half : 0; }
  static void copy(zkgpu::MemoryPiece* to, const zkgpu::MemoryPiece* from) { *to = *from; }
  static void commit() {}
  template <int>
  static void finish() {}
  static void join() {}
};

template <class G>
struct Rounds {
  using P = typename G::Params;
  using L = zkgpu::LazyParams<P>;
  using Point = zkgpu::Affine<L>;

  struct List {
    Array<std::uint32_t> keys;
    Array<Point> memory;  ///< of woven points
    zkgpu::PointArray<Point> points;
    explicit List(std::size_t n)
        : keys(n),
          memory(zkgpu::PointArray<Point>::room(n)),
          points{reinterpret_cast<zkgpu::MemoryPiece*>(memory.data()), true} {}
    Point operator[](std::size_t i) const {
      const auto at = points.at(i);
      return zkgpu::load_pieces<Point>(points.pieces + at.first, at.stride);
    }
  };

  /// One round over `tiles` tiles as the kernels run it.
  template <class Source>
  static List run(const Array<std::uint32_t>& keys, const Source& source, std::uint32_t n,
                  std::uint32_t tiles) {
    const zkgpu::PairTiling tiling{n, tiles};
    std::vector<std::uint32_t> before{0};
    std::uint32_t pairs = 0;
    for (std::uint32_t t = 0; t < tiles; ++t) {
      const zkgpu::PairTile tile = zkgpu::pair_tile(tiling, t, OneLane::lanes);
      CHECK(tile.first == pairs);
      pairs = tile.end;
      before.push_back(before.back() + zkgpu::count_pairs_apart(keys.data(), tile, OneLane{}));
    }
    CHECK(pairs == (n + 1) / 2);
    const std::uint32_t ahead = before.back();
    List out(pairs + ahead);
    Array<typename L::BaseField> products(pairs + 32);
    Array<zkgpu::MemoryPiece> stage(zkgpu::add_pairs_pieces<L, OneLane>);
    Array<std::uint32_t> places(pairs + ahead);
    for (auto& key : out.keys) key = 0xdeadbeef;
    const zkgpu::PairResults<L> results{out.keys.data(), out.points, places.data(),
                                        reinterpret_cast<zkgpu::MemoryPiece*>(products.data())};
    for (std::uint32_t t = 0; t < tiles; ++t) {
      zkgpu::add_pairs(keys.data(), source, results, zkgpu::pair_tile(tiling, t, OneLane::lanes),
                       before[t + 1], stage.data(), OneLane{});
    }
    for (std::uint32_t i = 0; i < pairs + ahead; ++i) REQUIRE(places[i] == i);
    return out;
  }

  template <class Points>
  static std::map<std::uint32_t, typename G::Jacobian> sums(const std::uint32_t* keys,
                                                            const Points& points, std::size_t n) {
    std::map<std::uint32_t, typename G::Jacobian> r;
    for (std::size_t i = 0; i < n; ++i) {
      auto [at, fresh] = r.try_emplace(keys[i], G::Jacobian::infinity());
      const Point lazy = points[i];
      const typename G::Affine p{zkgpu::to_canonical(lazy.x), zkgpu::to_canonical(lazy.y)};
      REQUIRE(p.is_on_curve());
      at->second += p;
    }
    return r;
  }
};

/// Small multiples of the generator, so that equal and opposite points are frequent, and after a
/// round infinity.
template <class G>
std::vector<typename G::Affine> few_points(std::size_t n) {
  std::vector<typename G::Affine> r;
  auto p = zkgpu::Xyzz<typename G::Params>::from_affine(G::generator());
  const auto g = p;
  for (std::size_t i = 0; i < n; ++i) {
    r.push_back(p.to_affine());
    p = p + g;
  }
  return r;
}

template <class G>
void check_rounds(std::uint32_t n, std::uint32_t keys, std::uint32_t tiles) {
  using R = Rounds<G>;
  const std::uint64_t seed = n + keys;
  INFO(n << " elements, " << keys << " keys, " << tiles << " tiles");
  std::mt19937_64 random(seed);
  const auto few = few_points<G>(8);
  Array<typename R::Point> table(8);
  for (std::size_t i = 0; i < 8; ++i) {
    table[i] = {zkgpu::to_lazy(few[i].x), zkgpu::to_lazy(few[i].y)};
  }
  Array<std::uint32_t> list_keys(n + n % 2), places(n);
  for (std::uint32_t i = 0; i < n; ++i) {
    list_keys[i] = random() % 3 == 0 ? 0 : static_cast<std::uint32_t>(random() % keys);
  }
  std::sort(list_keys.begin(), list_keys.begin() + n);
  Array<typename R::Point> points(n);
  for (std::uint32_t i = 0; i < n; ++i) {
    places[i] = static_cast<std::uint32_t>(random() % 8) | (random() % 2 == 0 ? 0x80000000u : 0);
    points[i] = table[places[i] & 7];
    if (places[i] >> 31 != 0) points[i].y = -points[i].y;
  }
  const auto expected = R::sums(list_keys.data(), points, n);
  auto list = R::run(list_keys, zkgpu::GatheredPoints<typename R::L>{places.data(), table.data()},
                     n, tiles);
  for (int round = 0;; ++round) {
    REQUIRE(std::is_sorted(list.keys.begin(), list.keys.end()));
    const auto left = R::sums(list.keys.data(), list, list.keys.size());
    REQUIRE(left.size() == expected.size());
    for (const auto& [key, sum] : expected) REQUIRE(left.at(key) == sum);
    const auto size = static_cast<std::uint32_t>(list.keys.size());
    if (round == 6 || size < 2) break;
    list = R::run(list.keys, zkgpu::ListedPoints<typename R::L>{list.points}, size, tiles);
  }
}

}  // namespace

TEST_CASE("rounds of affine additions keep the sum of every key", "[msm][cuda][g1][g2]") {
  for (std::uint32_t n : {1u, 2u, 3u, 7u, 64u, 301u}) {
    for (std::uint32_t keys : {1u, 5u, 200u}) {
      for (std::uint32_t tiles : {1u, 3u, 16u}) {
        check_rounds<Bls12_381::G1>(n, keys, tiles);
      }
    }
  }
  check_rounds<Bls12_381::G2>(200, 9, 4);
  check_rounds<Bls12_381::G2>(150, 6, 3);
}

TEST_CASE("a round halves a list that has one key", "[msm][cuda][g1]") {
  using R = Rounds<Bls12_381::G1>;
  const auto few = few_points<Bls12_381::G1>(40);
  R::List input(40);
  for (std::size_t i = 0; i < 40; ++i) {
    input.keys[i] = 7;
    input.points.put(i, {zkgpu::to_lazy(few[i].x), zkgpu::to_lazy(few[i].y)});
  }
  const auto list = R::run(input.keys, zkgpu::ListedPoints<R::L>{input.points}, 40, 3);
  CHECK(list.keys.size() == 20);
}

TEST_CASE("a point of order two is doubled to infinity", "[msm][cuda][g1]") {
  // y = 0 on no curve of ours, but bases are not checked
  using F = zkgpu::LazyFp<zkgpu::bls12_381::FqParams>;
  const F x = F::one() + F::one();
  F denominator{};
  const auto zero = [] { return F::zero(); };
  CHECK(zkgpu::case_of_pair(x, x, zero, zero, denominator) == zkgpu::PairCase::cancel);
}

TEST_CASE("what rounds leave fits in the room that a plan gives", "[msm][cuda][plan]") {
  const zkgpu::DeviceProperties machine{.compute_units = 132,
                                        .memory_bytes = std::size_t{140} << 30};
  const zkgpu::CudaMsmShape shapes[] = {{96, 192, 254, 256}, {192, 384, 254, 256}};
  unsigned with_rounds = 0;
  for (unsigned i = 20; i <= 55; ++i) {
    const auto shape = shapes[i % 2];
    const unsigned log_n = i / 2;
    for (std::size_t table_bytes : {std::size_t{0}, std::size_t{1} << 30, std::size_t{90} << 30}) {
      const auto plan =
          zkgpu::plan_cuda_msm(shape, (std::size_t{1} << log_n) + 5, table_bytes, machine);
      INFO(to_string(plan));
      if (plan.pair_rounds(plan.chunk_entries()) > 0) ++with_rounds;
      for (std::size_t entries = 1; entries <= plan.chunk_entries();
           entries = entries == plan.chunk_entries()
                         ? entries + 1
                         : std::min(entries + entries / 7 + 1, plan.chunk_entries())) {
        if (plan.pair_rounds(entries) == 0) continue;
        REQUIRE(plan.after_rounds(entries) <= plan.most_after_rounds());
        // every list with as many keys as there can be, in the worst order
        std::size_t bound = 0;
        for (std::size_t first = 0; first < entries; first += plan.pair_entries) {
          std::size_t n = std::min(plan.pair_entries, entries - first);
          for (unsigned r = 0; r < plan.pair_rounds(entries); ++r) n = n / 2 + 1;
          bound += n;
        }
        REQUIRE(std::min(bound + 2 * plan.all_buckets(), entries) <= plan.after_rounds(entries));
      }
    }
  }
  CHECK(with_rounds > 20);
}
