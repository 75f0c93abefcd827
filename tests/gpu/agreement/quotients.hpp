// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <zkgpu/prover/qap/cuda.hpp>

#include "at_point.hpp"

namespace zkgpu::gpu_test {

/// One quotient's domain and operands.
struct QuotientCase {
  Device device;
  QuotientDomain<Fr> domain;
  Array<Fr> a, b;
  CudaQuotientTables<Fr> tables{device.cuda, device.queue, domain};
  Lender<Cuda> memory{device.cuda};

  explicit QuotientCase(unsigned log_n)
      : domain(QuotientDomain<Fr>::from_generator(log_n, Fr(log_n % 2 == 0 ? 5 : 7))),
        a(random_elements(domain.domain.size(), 2 * log_n)),
        b(random_elements(domain.domain.size(), 2 * log_n + 1)) {}

  Integers by_device(QuotientForm form) {
    StageContext<Cuda> at{device.cuda, device.queue, memory};
    auto on_device_a = upload(device, std::span<const Fr>(a));
    auto on_device_b = upload(device, std::span<const Fr>(b));
    const Quotient<Fr, Cuda> quotient{&tables, form};
    const auto h = quotient(at, {on_device_a.span(), on_device_b.span()});
    return download(device, DeviceSpan<const Integer>(h.span()));
  }
};

inline Array<Fr> elements_of(const Integers& integers) {
  Array<Fr> values(integers.size());
  in_parallel(integers.size(), [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) values[i] = Fr::from_integer(integers[i]);
  });
  return values;
}

}  // namespace zkgpu::gpu_test
