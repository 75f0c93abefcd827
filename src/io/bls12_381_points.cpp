// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <zkgpu/prover/io/key/point_checks_impl.hpp>

namespace zkgpu::io {

template SubgroupCheckPlan subgroup_check_plan<Bls12_381::G1>(const RandomSource*, std::size_t);
template SubgroupCheckPlan subgroup_check_plan<Bls12_381::G2>(const RandomSource*, std::size_t);
template void check_points<Bls12_381::G1>(RandomSource*, std::span<const Bls12_381::G1::Affine>,
                                          const PointPlace&, ProgressObserver*,
                                          std::optional<SubgroupCheckPlan>);
template void check_points<Bls12_381::G2>(RandomSource*, std::span<const Bls12_381::G2::Affine>,
                                          const PointPlace&, ProgressObserver*,
                                          std::optional<SubgroupCheckPlan>);
template std::string point_problem<Bls12_381::G1>(const Bls12_381::G1::Affine&, bool);
template std::string point_problem<Bls12_381::G2>(const Bls12_381::G2::Affine&, bool);

}  // namespace zkgpu::io
