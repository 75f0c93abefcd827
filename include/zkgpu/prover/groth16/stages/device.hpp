// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include <zkgpu/backend/backend.hpp>
#include <zkgpu/backend/stage.hpp>
#include <zkgpu/core/array.hpp>
#include <zkgpu/core/error.hpp>
#include <zkgpu/prover/groth16/stages/stages.hpp>
#include <zkgpu/prover/witness/device_rows.hpp>

namespace zkgpu {

/// What a device brings to the stages of a proof; a backend specialises it.
///
/// `Bases<G>` are points of the group `Group` on the device: made from (backend, queue, points,
/// most bytes for them and their multiples), `size()`, `workspace_bytes()`, `enqueue(queue,
/// scalars, workspace, result)`.
/// `Tables` are what `Quotient<F, B>` reads: made from (backend, queue, QuotientDomain<F>);
/// `quotient_workspace(log_n, machine)` is what it takes beside its arrays. `Uploads`, made from
/// the backend, are called with (queue, host span, device span), by several threads; done when they
/// return.
template <Curve C, DeviceBackend B>
struct DeviceProofParts {
  static_assert(always_false<C, B>,
                "no proofs on this device: specialise zkgpu::DeviceProofParts in "
                "prover/groth16/stages/");
};

/// The stages of a proof on a device that holds the key: matrices, points and their multiples,
/// roots. Of a proof, the witness goes up and five points come back.
template <Curve C, DeviceBackend B>
class ProofStages<C, B> {
  using F = typename C::Fr;
  using G1 = typename C::G1;
  using G2 = typename C::G2;
  using Integer = typename F::Integer;
  using Parts = DeviceProofParts<C, B>;
  template <CurveGroup G>
  using Bases = typename Parts::template Bases<G>;
  using PointsG1 = std::span<const typename G1::Affine>;
  using Wires = typename B::template Buffer<std::uint32_t>;

 public:
  using Witness = Scratch<Integer, B>;
  using Evaluated = Evaluations<F, B>;
  using Quotients = Scratch<Integer, B>;

  /// Copies the key; the host's is read no more but for its verifying key.
  /// @throws ResourceExhausted with the bytes wanted and free; DeviceError
  ProofStages(B& backend, const PreparedProvingKey<C>& key, const KeyUse& use)
      : ProofStages(backend, backend.make_queue(), key, use) {}

  [[nodiscard]] StageBytes bytes() const {
    StageBytes made;
    made.witness = num_wires_ * sizeof(Integer);
    made.quotient = quotient_workspace_;
    made.h = workspace(h_);
    made.l = workspace(l_);
    made.a = workspace(a_);
    made.b_g1 = workspace(b_g1_);
    made.b_g2 = workspace(b_g2_);
    return made;
  }

  Witness upload(StageContext<B>& at, std::span<const Integer> z) const {
    Witness made = at.template scratch<Integer>(z.size());
    const DrainOnFailure<B> drain(at.queue);
    uploads_(at.queue, z, made.span());
    return made;
  }
  Evaluated evaluate(StageContext<B>& at, const Witness& z) const {
    Evaluated made = Evaluate<F, B>{&rows_}(at, DeviceSpan<const Integer>(z.span()));
    const DrainOnFailure<B> drain(at.queue);
    at.queue.wait();
    return made;
  }
  template <class QuotientStage>
  Quotients quotient(StageContext<B>& at, const Evaluated& in) const {
    Quotients made = QuotientStage{&tables_, form_}(at, {in.a.span(), in.b.span()});
    const DrainOnFailure<B> drain(at.queue);
    at.queue.wait();
    return made;
  }
  auto sum_h(StageContext<B>& at, const Quotients& h) const { return sum(at, h_, h.span()); }
  auto sum_l(StageContext<B>& at, const Witness& z) const {
    return sum(at, l_, z.span().subspan(z.size() - l_.size(), l_.size()));
  }
  auto sum_a(StageContext<B>& at, const Witness& z) const { return sum(at, a_, a_wires_, z); }
  typename G1::Jacobian sum_b_g1(StageContext<B>& at, const Witness& z) const {
    if (b_g1_.size() == 0) return G1::Jacobian::infinity();
    return sum(at, b_g1_, b_wires_, z);
  }
  auto sum_b_g2(StageContext<B>& at, const Witness& z) const { return sum(at, b_g2_, b_wires_, z); }

 private:
  /// How many bytes each query's points and multiples may take.
  class Budget {
   public:
    /// @param in_use  on the device for a proof, beside its sums
    Budget(const ProvingKey<C>& key, const KeyUse& use, std::size_t free, std::size_t in_use)
        : points_((key.a.size() + key.l.size() + key.h.size() + (use.b_g1 ? key.b_g1.size() : 0)) *
                      sizeof(typename G1::Affine) +
                  key.b_g2.size() * sizeof(typename G2::Affine)),
          bytes_(use.table_bytes != 0 ? use.table_bytes
                                      : std::max(points_, (free - std::min(free, in_use)) / 2)) {}

    /// A share as large as the query's of the key.
    template <class Affine>
    [[nodiscard]] std::size_t of(std::span<const Affine> query) const noexcept {
      const double share = static_cast<double>(query.size() * sizeof(Affine)) /
                           static_cast<double>(std::max<std::size_t>(points_, 1));
      return static_cast<std::size_t>(static_cast<double>(bytes_) * share);
    }

   private:
    std::size_t points_, bytes_;
  };

  ProofStages(B& backend, typename B::Queue queue, const PreparedProvingKey<C>& prepared,
              const KeyUse& use)
      : uploads_(backend),
        num_wires_(prepared.key.num_wires),
        form_(prepared.form),
        rows_(backend, queue, prepared.rows, prepared.key.domain_size(), num_wires_),
        tables_(backend, queue, QuotientDomain<F>{prepared.domain, prepared.coset_shift}),
        quotient_workspace_(Parts::quotient_workspace(prepared.domain.log_n, backend.properties())),
        budget_(prepared.key, use, backend.free_bytes(),
                num_wires_ * sizeof(Integer) + 4 * prepared.key.domain_size() * sizeof(F)),
        a_(load<G1>(backend, queue, prepared.key.a)),
        b_g1_(load<G1>(backend, queue, use.b_g1 ? PointsG1(prepared.key.b_g1) : PointsG1())),
        l_(load<G1>(backend, queue, prepared.key.l)),
        h_(load<G1>(backend, queue, prepared.key.h)),
        b_g2_(load<G2>(backend, queue, prepared.key.b_g2)),
        a_wires_(copy_wires(backend, queue, prepared.a_wires())),
        b_wires_(copy_wires(backend, queue, prepared.b_wires())) {
    queue.wait();
  }

  template <CurveGroup G>
  Bases<G> load(B& backend, typename B::Queue& queue,
                std::span<const typename G::Affine> points) const {
    return Bases<G>(backend, queue, points, budget_.of(points));
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
    queue.upload(std::span<const std::uint32_t>(list), made.span());
    queue.wait();
    return made;
  }

  /// A sum's workspace, and behind it the sum.
  template <class Query>
  static std::size_t workspace(const Query& query) {
    return query.size() == 0 ? 0 : place_of_result(query) + sizeof(typename Query::Group::Jacobian);
  }
  template <class Query>
  static std::size_t place_of_result(const Query& query) {
    return (query.workspace_bytes() + 255) / 256 * 256;
  }

  template <class Query>
  auto sum(StageContext<B>& at, const Query& query, const Wires& wires, const Witness& z) const {
    if (wires.size() == 0) return sum(at, query, z.span());
    const auto gathered = at.template scratch<Integer>(wires.size());
    const DrainOnFailure<B> drain(at.queue);
    RowKernels<F, B>::gather(at.queue, z.span(), wires.span(), gathered.span());
    return sum(at, query, gathered.span());
  }
  template <class Query>
  auto sum(StageContext<B>& at, const Query& query, DeviceSpan<const Integer> scalars) const {
    using Jacobian = typename Query::Group::Jacobian;
    Jacobian result = Jacobian::infinity();
    if (query.size() == 0) return result;
    const auto memory = at.template scratch<std::byte>(workspace(query));
    const DrainOnFailure<B> drain(at.queue);
    const std::size_t place = place_of_result(query);
    const DeviceSpan<Jacobian> on_device(reinterpret_cast<Jacobian*>(memory.span().data() + place),
                                         1);
    query.enqueue(at.queue, scalars, memory.span().first(place), on_device);
    at.queue.download(DeviceSpan<const Jacobian>(on_device), std::span<Jacobian>(&result, 1));
    at.queue.wait();
    return result;
  }

  typename Parts::Uploads uploads_;
  std::size_t num_wires_;
  QuotientForm form_;
  DeviceRows<F, B> rows_;
  typename Parts::Tables tables_;
  std::size_t quotient_workspace_;
  Budget budget_;
  Bases<G1> a_, b_g1_, l_, h_;
  Bases<G2> b_g2_;
  Wires a_wires_, b_wires_;
};

}  // namespace zkgpu
