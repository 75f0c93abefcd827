// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "files/circuits.hpp"

#include <zkgpu/prover/io/bytes/byte_source.hpp>

namespace zkgpu::cli {

io::R1csFile<Curve::Fr> load_r1cs(Session& session, const std::string& path) {
  auto file = session.timed("read constraints", [&] {
    io::FileSource<CommandEnv> source(session.env(), path);
    return io::read_r1cs<Curve::Fr>(source);
  });
  for (const std::string& warning : file.warnings) session.warn(warning);
  return file;
}

Witness<Curve::Fr> load_witness(Session& session, const std::string& path) {
  return session.timed("read witness", [&] {
    io::FileSource<CommandEnv> source(session.env(), path);
    return io::read_wtns<Curve::Fr>(source);
  });
}

}  // namespace zkgpu::cli
