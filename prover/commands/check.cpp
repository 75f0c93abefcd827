// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <fmt/core.h>

#include <span>
#include <string>

#include <zkgpu/prover/io/json/decimal.hpp>
#include <zkgpu/prover/r1cs/satisfied.hpp>

#include "cli/failure.hpp"
#include "commands/arguments.hpp"
#include "commands/commands.hpp"
#include "files/circuits.hpp"

namespace zkgpu::cli {

int check(Session& session, const CheckOptions& options) {
  using Fr = Curve::Fr;
  const InputArgument inputs[] = {{"R1CS", options.r1cs, Content::constraints},
                                  {"WITNESS", options.witness, Content::witness}};
  expect_kinds(session.env(), inputs, "zkgpu check R1CS WITNESS");
  const io::R1csFile<Fr> file = load_r1cs(session, options.r1cs);
  const Witness<Fr> witness = load_witness(session, options.witness);
  expect_same_count({options.witness, witness.size(), "values"},
                    {options.r1cs, file.system.num_wires, "wires"});
  const auto violation = session.timed("check constraints", [&] {
    return first_violation<Fr>(file.system, std::span(witness.values));
  });
  const std::size_t constraints = file.system.num_constraints();
  Json result{{"command", "check"},
              {"satisfied", !violation.has_value()},
              {"constraints", constraints},
              {"wires", file.system.num_wires}};
  if (!violation) {
    session.finish(fmt::format("satisfied: {} constraints\n", constraints), result);
    return exit_success;
  }
  const auto decimal = [](const Fr& value) { return io::to_decimal(value.to_integer()); };
  const std::string a = decimal(violation->a);
  const std::string b = decimal(violation->b);
  const std::string c = decimal(violation->c);
  const std::string product = decimal(violation->a * violation->b);
  result["violated"] = Json{{"constraint", violation->constraint}, {"a", a}, {"b", b}, {"c", c}};
  const WitnessUnsatisfied error(fmt::format(
      "constraint {} (counted from 0, of {}) does not hold: a = {}, b = {}, c = {}, but a*b = {}",
      violation->constraint, constraints, a, b, c, product));
  if (!session.json()) throw error;
  result["error"] = error_object({error.kind(), error.what(), {}});  // one object tells all
  session.finish("", result);
  return static_cast<int>(error.kind());
}

}  // namespace zkgpu::cli
