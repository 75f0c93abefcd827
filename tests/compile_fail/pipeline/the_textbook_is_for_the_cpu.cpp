// SPDX-License-Identifier: Apache-2.0 OR MIT
// expect: the textbook's seven transforms are for the CPU
#include <zkgpu/backend/fake.hpp>
#include <zkgpu/curve/bls12_381.hpp>
#include <zkgpu/prover/pipeline/presets.hpp>

using Stage = zkgpu::pipeline::reference::Staging;
#ifdef OFFENCE
using Device = zkgpu::FakeDevice;
#else
using Device = zkgpu::Cpu<>;
#endif

int main() {
  return static_cast<Stage::QuotientStage<zkgpu::Bls12_381::Fr, Device>*>(nullptr) != nullptr;
}
