// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>

#include <zkgpu/backend/backend.hpp>
#include <zkgpu/backend/stage.hpp>
#include <zkgpu/core/array.hpp>
#include <zkgpu/core/error.hpp>
#include <zkgpu/prover/groth16/stages/stages.hpp>
#include <zkgpu/prover/witness/device_rows.hpp>

namespace zkgpu {

/// Bytes of a device for the points of a query with their multiples, and for a sum over them.
struct QuerySizes {
  std::size_t bases = 0;
  std::size_t workspace = 0;
};

/// What a device brings to the stages of a proof; a backend specialises it.
///
/// `Bases<G>` are points of the group `Group` on the device: made from (backend, queue, points,
/// most bytes for them and their multiples), `size()`, `workspace_bytes()`, `enqueue(queue,
/// scalars, workspace, result)`; `sizes<G>(points, most bytes, machine)` tells before what they
/// will take. `Tables` are what `Quotient<F, B>` reads: made from (backend, queue,
/// QuotientDomain<F>); `quotient_workspace(log_n, machine)` is what it takes beside its arrays.
/// `Uploads`, made from the backend, are called with (queue, host span, device span), by several
/// threads; done when they return, and then no copy of what was uploaded is left in the host's
/// memory.
template <Curve C, DeviceBackend B>
struct DeviceProofParts {
  static_assert(always_false<C, B>,
                "no proofs on this device: specialise zkgpu::DeviceProofParts in "
                "prover/groth16/stages/");
};

/// The stages of a proof on a device that holds the key: matrices, points and their multiples,
/// roots. Of a proof, the witness goes up and four points come back.
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

  [[nodiscard]] StageBytes bytes() const noexcept { return layout_.stages; }

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
  /// Memory of the device if a query's points and multiples take up to `times` the points' bytes.
  struct Layout {
    double times = 1;
    std::size_t bases = 0;
    StageBytes stages;
  };

  /// The most multiples beside which all proofs in flight have their scratch memory.
  /// @throws ResourceExhausted with the bytes wanted and free, if there is no room for the points
  static Layout choose_layout(const B& backend, const PreparedProvingKey<C>& prepared,
                              const KeyUse& use) {
    backend.trim();
    const std::size_t free = backend.free_bytes();
    const std::size_t points = layout(backend, prepared, use, 0).bases;
    double times = 1;
    if (points != 0) {
      const std::size_t most = use.table_bytes != 0 ? use.table_bytes : free / 2;
      times = std::max(1.0, static_cast<double>(most) / static_cast<double>(points));
    }
    for (;; times = std::max(1.0, times / 2)) {
      const Layout made = layout(backend, prepared, use, times);
      const std::size_t wanted = made.bases + use.scratch->bytes(made.stages);
      if (wanted <= free || (use.table_bytes != 0 && made.bases <= free)) return made;
      if (times == 1) {
        throw ResourceExhausted("prover: the key's points and the proofs in flight take " +
                                std::to_string(wanted) + " bytes of the device, " +
                                std::to_string(free) + " are free");
      }
    }
  }
  /// @param times  below 2: the points alone
  static Layout layout(const B& backend, const PreparedProvingKey<C>& prepared, const KeyUse& use,
                       double times) {
    const ProvingKey<C>& key = prepared.key;
    Layout made;
    made.times = times;
    const auto add = [&]<CurveGroup G>(const Array<typename G::Affine>& query) {
      if (query.empty()) return std::size_t{0};
      const QuerySizes sizes = Parts::template sizes<G>(
          query.size(), most_bytes<G>(query.size(), times), backend.properties());
      made.bases += sizes.bases;
      return place_of_result(sizes.workspace) + sizeof(typename G::Jacobian);
    };
    made.stages.a = add.template operator()<G1>(key.a);
    if (use.b_g1) made.stages.b_g1 = add.template operator()<G1>(key.b_g1);
    made.stages.l = add.template operator()<G1>(key.l);
    made.stages.h = add.template operator()<G1>(key.h);
    made.stages.b_g2 = add.template operator()<G2>(key.b_g2);
    made.stages.witness = key.num_wires * sizeof(Integer);
    made.stages.quotient = Parts::quotient_workspace(prepared.domain.log_n, backend.properties());
    return made;
  }
  template <CurveGroup G>
  static std::size_t most_bytes(std::size_t points, double times) noexcept {
    return static_cast<std::size_t>(static_cast<double>(points * sizeof(typename G::Affine)) *
                                    times);
  }

  ProofStages(B& backend, typename B::Queue queue, const PreparedProvingKey<C>& prepared,
              const KeyUse& use)
      : uploads_(backend),
        form_(prepared.form),
        rows_(backend, queue, prepared.rows, prepared.key.domain_size(), prepared.key.num_wires),
        tables_(drained(
            queue, typename Parts::Tables(
                       backend, queue, QuotientDomain<F>{prepared.domain, prepared.coset_shift}))),
        layout_(choose_layout(backend, prepared, use)),
        a_(load<G1>(backend, queue, prepared.key.a)),
        b_g1_(load<G1>(backend, queue, use.b_g1 ? PointsG1(prepared.key.b_g1) : PointsG1())),
        l_(load<G1>(backend, queue, prepared.key.l)),
        h_(load<G1>(backend, queue, prepared.key.h)),
        b_g2_(load<G2>(backend, queue, prepared.key.b_g2)),
        a_wires_(copy_wires(backend, queue, prepared.a_wires())),
        b_wires_(copy_wires(backend, queue, prepared.b_wires())) {}

  /// What began to be made is made, so that it may go if the next thing fails.
  template <class Made>
  static Made drained(const typename B::Queue& queue, Made made) {
    const DrainOnFailure<B> drain(queue);
    queue.wait();
    return made;
  }
  template <CurveGroup G>
  Bases<G> load(B& backend, typename B::Queue& queue,
                std::span<const typename G::Affine> points) const {
    return drained(queue,
                   Bases<G>(backend, queue, points, most_bytes<G>(points.size(), layout_.times)));
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

  /// Behind a sum's workspace.
  static std::size_t place_of_result(std::size_t workspace) noexcept {
    return (workspace + 255) / 256 * 256;
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
    const std::size_t place = place_of_result(query.workspace_bytes());
    const auto memory = at.template scratch<std::byte>(place + sizeof(Jacobian));
    const DrainOnFailure<B> drain(at.queue);
    const DeviceSpan<Jacobian> on_device(reinterpret_cast<Jacobian*>(memory.span().data() + place),
                                         1);
    query.enqueue(at.queue, scalars, memory.span().first(place), on_device);
    at.queue.download(DeviceSpan<const Jacobian>(on_device), std::span<Jacobian>(&result, 1));
    at.queue.wait();
    return result;
  }

  typename Parts::Uploads uploads_;
  QuotientForm form_;
  DeviceRows<F, B> rows_;
  typename Parts::Tables tables_;
  Layout layout_;
  Bases<G1> a_, b_g1_, l_, h_;
  Bases<G2> b_g2_;
  Wires a_wires_, b_wires_;
};

}  // namespace zkgpu
