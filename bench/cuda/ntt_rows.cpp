// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "rows.hpp"

#include <zkgpu/curve/bls12_381.hpp>
#include <zkgpu/ntt/cuda.hpp>

namespace zkgpu::bench {

void ntt_rows(const Cuda& cuda, Report& report) {
  using Fr = Bls12_381::Fr;
  using Op = Ntt<Fr, Cuda>;
  const CudaQueue queue = cuda.make_queue();
  for (unsigned log_n : {16u, 18u, 20u, 21u, 22u, 23u, 24u, 25u, 26u, 27u}) {
    const NttDomain<Fr> domain(log_n);
    const CudaNttTwiddles<Fr> twiddles(cuda, queue, domain);
    const auto plan = Op::plan(log_n, cuda.properties());
    auto values = cuda.allocate<Fr>(domain.size());
    Op::enqueue_powers(queue, Fr(11), Fr(13), false, values.span());
    struct Kind {
      const char* name;
      NttTransform<Fr> transform;
    };
    for (const Kind& kind :
         {Kind{"forward_nr", {NttDirection::forward, NttOrder::natural_to_reversed, Fr::one()}},
          Kind{"forward_rn", {NttDirection::forward, NttOrder::reversed_to_natural, Fr::one()}},
          Kind{"inverse_nr", {NttDirection::inverse, NttOrder::natural_to_reversed, Fr::one()}},
          Kind{"forward_nn", {NttDirection::forward, NttOrder::natural_to_natural, Fr::one()}}}) {
      Row row = measure(
          queue, "ntt/bls12_381_fr/cuda/" + std::string(kind.name) + "/2^" + std::to_string(log_n),
          21, [&](const CudaQueue& q) {
            Op::enqueue(q, plan, twiddles, kind.transform, values.span(), {});
          });
      row.counters = {{"elements_per_second", double(domain.size()) / row.median_ms * 1e3},
                      {"table_bytes", double(twiddles.bytes())}};
      report.add(std::move(row));
    }
  }
}

}  // namespace zkgpu::bench
