// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "files/verifying_key_text.hpp"

#include <zkgpu/core/error.hpp>
#include <zkgpu/prover/io/bytes/byte_sink.hpp>
#include <zkgpu/prover/io/json/groth16_json.hpp>

namespace zkgpu::cli {

VerifyingKeyForm verifying_key_form_of(const std::string& path) {
  return extension_of(path) == "vk" ? VerifyingKeyForm::bellman : VerifyingKeyForm::json;
}

std::string format_verifying_key(const LoadedVerifyingKey& vk, VerifyingKeyForm form,
                                 const std::string& from) {
  if (form == VerifyingKeyForm::json) return io::verification_key_json<Curve>(vk.key);
  if (!vk.full) {
    throw InvalidArgument(from + ": has no beta and delta in G1, which a .vk holds too");
  }
  io::MemorySink sink;
  io::write_bellman_vk<Curve>(sink, *vk.full);
  return {reinterpret_cast<const char*>(sink.bytes().data()), sink.bytes().size()};
}

}  // namespace zkgpu::cli
