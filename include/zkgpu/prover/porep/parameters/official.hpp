// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include <zkgpu/core/progress.hpp>
#include <zkgpu/prover/porep/parameters/names.hpp>

namespace zkgpu::io {
class ByteSource;
}

/// Which parameter files are the network's: those of its ceremony. All others prove for those alone
/// who trust whoever made them.
namespace zkgpu::porep {

/// The network's files for a circuit, by the digests of `parameters.json`: the first half of
/// BLAKE2b-512 of the file, 32 lower-case hexadecimal digits.
struct OfficialParameters {
  CircuitName circuit;
  std::string_view params, vk;
};

/// The circuits whose digests are known here. (rust-fil-proofs, filecoin-proofs/parameters.json of
/// version 28 of the parameters)
[[nodiscard]] std::span<const OfficialParameters> official_parameters() noexcept;

/// The digest of a whole file, as `parameters.json` has it.
/// @throws IoError
/// @cost  one read of the file; one core hashes about 0.75 GB/s
[[nodiscard]] std::string parameters_digest(io::ByteSource& source,
                                            ProgressObserver* observer = nullptr);
/// The same of bytes in memory.
[[nodiscard]] std::string parameters_digest(std::span<const std::byte> bytes);

/// Whose a file is.
struct Provenance {
  enum class Owner { network, other_circuit, unknown };
  Owner owner = Owner::unknown;
  std::optional<CircuitName> circuit;  ///< unless unknown: for which the network has the file
  std::string digest;

  /// "the network's PoRep 32GiB (BLAKE2b 6a38…)", or "own parameters, …: …".
  [[nodiscard]] std::string text() const;
};

/// Looks a digest up.
/// @param wanted  the circuit that the file is used for
[[nodiscard]] Provenance provenance(const CircuitName& wanted, ParameterFile file,
                                    std::string digest);

/// @throws InvalidArgument saying what the file is, if it is not the network's for this circuit
void expect_official(const Provenance& provenance, const std::string& path);

}  // namespace zkgpu::porep
