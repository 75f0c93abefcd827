// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>

#include <zkgpu/backend/backend.hpp>
#include <zkgpu/backend/stage.hpp>
#include <zkgpu/core/array.hpp>
#include <zkgpu/core/error.hpp>
#include <zkgpu/prover/groth16/stages/device_parts.hpp>
#include <zkgpu/prover/groth16/stages/device_query.hpp>
#include <zkgpu/prover/groth16/stages/host_stages.hpp>
#include <zkgpu/prover/groth16/stages/key_layout.hpp>
#include <zkgpu/prover/groth16/stages/query_cache.hpp>
#include <zkgpu/prover/groth16/stages/stages.hpp>
#include <zkgpu/prover/witness/device_rows.hpp>

namespace zkgpu {

/// The stages of a proof on a device, which holds of the key what its use says: matrices, points
/// and their multiples, roots. Of a proof, the witness goes up and four points come back.
///
/// What the use leaves to the host is done by `evaluate_on_host`, or `rows_on_host` and
/// `upload_rows`, and by `sum_b_g2_on_host`, with memory that the caller lends.
///
/// With a context that defers, `upload`, `evaluate`, `upload_rows`, `quotient` and the
/// `enqueue_sum`s return at once, and what is uploaded is page-locked in place, whatever the use
/// says.
template <Curve C, DeviceBackend B>
class ProofStages<C, B> {
  using F = typename C::Fr;
  using G1 = typename C::G1;
  using G2 = typename C::G2;
  using Integer = typename F::Integer;
  using Parts = DeviceProofParts<C, B>;
  template <CurveGroup G>
  using Query = DeviceQuery<G, B, Parts>;
  template <CurveGroup G>
  using Points = std::span<const typename G::Affine>;
  using Wires = typename B::template Buffer<std::uint32_t>;

 public:
  using Witness = Scratch<Integer, B>;
  using Evaluated = Evaluations<F, B>;
  using Quotients = Scratch<Integer, B>;
  using HostMemory = typename HostStages<C>::Memory;
  using HostRows = typename HostStages<C>::Evaluated;

  /// @param key  must outlive the stages: what the device does not hold is read where it is
  /// @throws ResourceExhausted with the bytes wanted and free; DeviceError
  ProofStages(B& backend, const PreparedProvingKey<C>& key, const KeyUse& use)
      : ProofStages(backend, backend.make_queue(), key, use) {}

  [[nodiscard]] StageBytes bytes() const {
    StageBytes made = layout_.stages;
    if (!rows_) made.host_rows = host_.rows_bytes();
    if (b_g2_on_host_) made.host_b_g2 = host_.b_g2_bytes();
    return made;
  }
  /// Most bytes of the device for points of the key, beside scratch memory.
  [[nodiscard]] std::size_t key_bytes() const noexcept { return layout_.key_bytes; }
  /// Those that a budget holds now, if the points come and go.
  [[nodiscard]] std::size_t cached_bytes() const { return cache_.bytes(); }
  /// Those that it may still take: free now, and not for scratch memory.
  [[nodiscard]] std::size_t awaited_bytes() const { return layout_.budget_bytes - cache_.bytes(); }

  Witness upload(StageContext<B>& at, std::span<const Integer> z) const {
    Witness made = at.template scratch<Integer>(z.size());
    const DrainOnFailure<B> drain(at.queue);
    bring(at, z, made.span());
    return made;
  }
  /// The place of the first value that is not below the order, or the number of values.
  [[nodiscard]] std::size_t first_not_canonical(StageContext<B>& at, const Witness& z) const {
    std::uint64_t first = all_canonical;
    const auto place = at.template scratch<std::uint64_t>(1);
    const DrainOnFailure<B> drain(at.queue);
    RowKernels<F, B>::first_not_canonical(at.queue, z.span(), place.span());
    at.queue.download(DeviceSpan<const std::uint64_t>(place.span()), std::span(&first, 1));
    at.queue.wait();
    return first == all_canonical ? z.size() : static_cast<std::size_t>(first);
  }
  /// @throws InvalidArgument if the rows were to be made on the host
  Evaluated evaluate(StageContext<B>& at, const Witness& z) const {
    if (!rows_) throw InvalidArgument("evaluate: the matrices of this key stay on the host");
    Evaluated made = Evaluate<F, B>{&*rows_}(at, DeviceSpan<const Integer>(z.span()));
    const DrainOnFailure<B> drain(at.queue);
    at.finish();
    return made;
  }
  /// a = A z and b = B z by the host's CPU. @param memory  of the host, wiped when it is given back
  HostRows rows_on_host(HostMemory& memory, std::span<const Integer> z) const {
    return host_.evaluate(memory, z);
  }
  Evaluated upload_rows(StageContext<B>& at, const HostRows& rows) const {
    Evaluated made{at.template scratch<F>(rows.a.size()), at.template scratch<F>(rows.b.size())};
    const DrainOnFailure<B> drain(at.queue);
    bring(at, std::span<const F>(rows.a.span()), made.a.span());
    bring(at, std::span<const F>(rows.b.span()), made.b.span());
    return made;
  }
  Evaluated evaluate_on_host(StageContext<B>& at, HostMemory& memory,
                             std::span<const Integer> z) const {
    return upload_rows(at, rows_on_host(memory, z));
  }
  template <class QuotientStage>
  Quotients quotient(StageContext<B>& at, const Evaluated& in) const {
    Quotients made = QuotientStage{&tables_, form_}(at, {in.a.span(), in.b.span()});
    const DrainOnFailure<B> drain(at.queue);
    at.finish();
    return made;
  }
  using Sum1 = typename G1::Jacobian;
  using Sum2 = typename G2::Jacobian;
  /// Into `out`, which stays where it is until the work is done. Where the context defers, only
  /// page-locked memory lets the host go on at once.
  void enqueue_sum_h(StageContext<B>& at, const Quotients& h, Sum1& out) const {
    h_.sum(at, services<G1>(), h.span(), out);
  }
  void enqueue_sum_l(StageContext<B>& at, const Witness& z, Sum1& out) const {
    l_.sum(at, services<G1>(), z.span().subspan(z.size() - l_.size(), l_.size()), out);
  }
  void enqueue_sum_a(StageContext<B>& at, const Witness& z, Sum1& out) const {
    sum<G1>(at, a_, a_wires_, z, out);
  }
  void enqueue_sum_b_g1(StageContext<B>& at, const Witness& z, Sum1& out) const {
    sum<G1>(at, b_g1_, b_wires_, z, out);
  }
  /// @throws InvalidArgument if the sum was to be the host's
  void enqueue_sum_b_g2(StageContext<B>& at, const Witness& z, Sum2& out) const {
    if (b_g2_on_host_) throw InvalidArgument("sum: the points of G2 stay on the host");
    sum<G2>(at, b_g2_, b_wires_, z, out);
  }
  /// The same, done when they return.
  Sum1 sum_h(StageContext<B>& at, const Quotients& h) const {
    return waited<Sum1>(at, [&](auto& now, Sum1& out) { enqueue_sum_h(now, h, out); });
  }
  Sum1 sum_l(StageContext<B>& at, const Witness& z) const {
    return waited<Sum1>(at, [&](auto& now, Sum1& out) { enqueue_sum_l(now, z, out); });
  }
  Sum1 sum_a(StageContext<B>& at, const Witness& z) const {
    return waited<Sum1>(at, [&](auto& now, Sum1& out) { enqueue_sum_a(now, z, out); });
  }
  Sum1 sum_b_g1(StageContext<B>& at, const Witness& z) const {
    return waited<Sum1>(at, [&](auto& now, Sum1& out) { enqueue_sum_b_g1(now, z, out); });
  }
  Sum2 sum_b_g2(StageContext<B>& at, const Witness& z) const {
    return waited<Sum2>(at, [&](auto& now, Sum2& out) { enqueue_sum_b_g2(now, z, out); });
  }
  typename G2::Jacobian sum_b_g2_on_host(HostMemory& memory, std::span<const Integer> z) const {
    return host_.sum_b_g2(memory, z);
  }

 private:
  using Rows = DeviceRows<F, B>;

  ProofStages(B& backend, typename B::Queue queue, const PreparedProvingKey<C>& prepared,
              const KeyUse& use)
      : host_(prepared),
        b_g2_on_host_(use.b_g2 == StagePlace::host),
        uploads_(backend, use.upload),
        feed_(backend),
        form_(prepared.form),
        rows_(use.rows == StagePlace::device
                  ? std::make_optional<Rows>(backend, queue, prepared.rows,
                                             prepared.key.domain_size(), prepared.key.num_wires)
                  : std::nullopt),
        tables_(drained(
            queue, typename Parts::Tables(
                       backend, queue, QuotientDomain<F>{prepared.domain, prepared.coset_shift}))),
        a_wires_(copy_wires(backend, queue, prepared.a_wires())),
        b_wires_(
            copy_wires(backend, queue, use.b_g1 || !b_g2_on_host_ ? prepared.b_wires() : nullptr)),
        layout_(KeyPlanner<C, B, Parts>(backend, prepared, use).choose()),
        cache_(layout_.budget_bytes, layout_.most_uses),
        a_(backend, queue, Points<G1>(prepared.key.a), layout_.a),
        b_g1_(backend, queue, Points<G1>(prepared.key.b_g1), layout_.b_g1),
        l_(backend, queue, Points<G1>(prepared.key.l), layout_.l),
        h_(backend, queue, Points<G1>(prepared.key.h), layout_.h),
        b_g2_(backend, queue, Points<G2>(prepared.key.b_g2), layout_.b_g2) {}

  /// What began to be made is made, so that it may go if the next thing fails.
  template <class Made>
  static Made drained(const typename B::Queue& queue, Made made) {
    const DrainOnFailure<B> drain(queue);
    queue.wait();
    return made;
  }

  /// The wires of a filtered query in ascending order; nothing for a query with a point a wire.
  static Wires copy_wires(B& backend, typename B::Queue& queue, const WireSet* wires) {
    if (wires == nullptr) return {};
    Array<std::uint32_t> list;
    list.reserve(wires->count());
    for (std::size_t wire = 0; wire < wires->num_wires(); ++wire) {
      if (wires->contains(wire)) list.push_back(static_cast<std::uint32_t>(wire));
    }
    Wires made = backend.template allocate<std::uint32_t>(list.size());
    const DrainOnFailure<B> drain(queue);
    queue.upload(std::span<const std::uint32_t>(list), made.span());
    queue.wait();
    return made;
  }

  template <CurveGroup G>
  [[nodiscard]] typename Query<G>::Services services() const noexcept {
    return {uploads_, feed_, cache_};
  }
  template <class T>
  void bring(StageContext<B>& at, std::span<const T> from, DeviceSpan<T> to) const {
    if (at.deferral == nullptr) return uploads_(at.queue, from, to);
    PinnedPages pages = enqueue_registered(at.backend, at.queue, from, to);
    const DrainOnFailure<B> drain(at.queue);
    at.deferral->keep(std::move(pages));
  }
  template <class Sum, class Enqueue>
  static Sum waited(StageContext<B>& at, const Enqueue& enqueue) {
    StageContext<B> now{at.backend, at.queue, at.memory};
    Sum made;
    enqueue(now, made);
    return made;
  }
  template <CurveGroup G>
  void sum(StageContext<B>& at, const Query<G>& query, const Wires& wires, const Witness& z,
           typename G::Jacobian& out) const {
    if (query.size() == 0 || wires.size() == 0) return query.sum(at, services<G>(), z.span(), out);
    const auto gathered = at.template scratch<Integer>(wires.size());
    const DrainOnFailure<B> drain(at.queue);
    RowKernels<F, B>::gather(at.queue, z.span(), wires.span(), gathered.span());
    query.sum(at, services<G>(), gathered.span(), out);
  }

  HostStages<C> host_;
  bool b_g2_on_host_;
  typename Parts::Uploads uploads_;
  typename Parts::Feed feed_;
  QuotientForm form_;
  std::optional<Rows> rows_;
  typename Parts::Tables tables_;
  Wires a_wires_, b_wires_;
  KeyLayout layout_;
  mutable QueryCache cache_;
  Query<G1> a_, b_g1_, l_, h_;
  Query<G2> b_g2_;
};

}  // namespace zkgpu
