// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "rows.hpp"

#include <zkgpu/curve/bls12_381.hpp>
#include <zkgpu/prover/qap/cuda.hpp>

namespace zkgpu::bench {

namespace {

/// Lends from the arena, which keeps what it gets back.
class Lender : public BufferSource<Cuda> {
 public:
  explicit Lender(const Cuda& cuda) : cuda_(cuda) {}
  Buffer acquire(std::size_t bytes) override { return cuda_.allocate<std::byte>(bytes); }
  void release(Buffer&& buffer) noexcept override { const Buffer gone(std::move(buffer)); }

 private:
  Cuda cuda_;
};

}  // namespace

void quotient_rows(const Cuda& cuda, Report& report) {
  using Fr = Bls12_381::Fr;
  const CudaQueue queue = cuda.make_queue();
  for (unsigned log_n : {20u, 22u, 24u, 27u}) {
    const auto domain = QuotientDomain<Fr>::from_generator(log_n, Fr(7));
    const CudaQuotientTables<Fr> tables(cuda, queue, domain);
    Cuda backend = cuda;
    CudaQueue own = cuda.make_queue();
    Lender lender(cuda);
    StageContext<Cuda> at{backend, own, lender};
    auto a = cuda.allocate<Fr>(domain.domain.size());
    auto b = cuda.allocate<Fr>(domain.domain.size());
    Ntt<Fr, Cuda>::enqueue_powers(queue, Fr(11), Fr(13), false, a.span());
    Ntt<Fr, Cuda>::enqueue_powers(queue, Fr(17), Fr(19), false, b.span());
    queue.wait();
    const Quotient<Fr, Cuda> quotient{&tables, QuotientForm::coefficients};
    Row row = measure(own, "quotient/bls12_381_fr/cuda/2^" + std::to_string(log_n), 21,
                      [&](const CudaQueue&) {
                        quotient(at, {a.span(), b.span()});
                      });
    row.counters = {{"elements_per_second", double(domain.domain.size()) / row.median_ms * 1e3}};
    report.add(std::move(row));
  }
}

}  // namespace zkgpu::bench
