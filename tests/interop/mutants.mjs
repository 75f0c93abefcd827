// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// mutants.mjs FOLDER: from FOLDER's verification_key.json, proof-0.json, public-0.json, claim.json
// it writes FOLDER/mutants: the proof with one public input changed (proof-input-K.json with
// public-input-K.json), with one point changed (proof-point-WHAT.json; off-curve where it leaves
// the curve), and the claim with one field changed (claim-FIELD.json). None of them is true.
import fs from 'node:fs';
import path from 'node:path';

const from = process.argv[2];
const to = path.join(from, 'mutants');
const load = name => JSON.parse(fs.readFileSync(path.join(from, name), 'utf8'));
const save = (name, value) => fs.writeFileSync(path.join(to, name), JSON.stringify(value, null, 1));
const vk = load('verification_key.json');
const proof = load('proof-0.json');
const inputs = load('public-0.json');
// The modulus of the field of coordinates: y and q − y are the two points of one x.
const q = BigInt(
  '0x1a0111ea397fe69a4b1ba7b6434bacd764774b84f38512bf' +
    '6730d2a0f6b0f6241eabfffeb153ffffb9feffffffffaaab',
);
const negated = y => (Array.isArray(y) ? y.map(negated) : ((q - BigInt(y)) % q).toString());
const next = x => (Array.isArray(x) ? [next(x[0]), x[1]] : (BigInt(x) + 1n).toString());
const negative = point => [point[0], negated(point[1]), point[2]];
const beside = point => [next(point[0]), point[1], point[2]];

fs.rmSync(to, { recursive: true, force: true });
fs.mkdirSync(to);
save('verification_key.json', vk);
inputs.forEach((value, k) => {
  save(`proof-input-${k}.json`, proof);
  save(`public-input-${k}.json`, inputs.map((x, i) => (i === k ? (BigInt(x) ^ 1n).toString() : x)));
});
const points = {
  'a-negative': { pi_a: negative(proof.pi_a) },
  'b-negative': { pi_b: negative(proof.pi_b) },
  'c-negative': { pi_c: negative(proof.pi_c) },
  'a-other': { pi_a: vk.vk_alpha_1 },
  'b-other': { pi_b: vk.vk_beta_2 },
  'c-other': { pi_c: vk.IC[0] },
  'a-and-c-swapped': { pi_a: proof.pi_c, pi_c: proof.pi_a },
  'a-off-curve': { pi_a: beside(proof.pi_a) },
  'b-off-curve': { pi_b: beside(proof.pi_b) },
  'c-off-curve': { pi_c: beside(proof.pi_c) },
};
for (const [what, change] of Object.entries(points)) {
  save(`proof-point-${what}.json`, { ...proof, ...change });
  save(`public-point-${what}.json`, inputs);
}
const claim = load('claim.json');
const flipped = hex => (hex[0] === '0' ? '1' : '0') + hex.slice(1);
for (const field of ['prover_id', 'ticket', 'seed', 'comm_d', 'comm_r']) {
  save(`claim-${field}.json`, { ...claim, [field]: flipped(claim[field]) });
}
save('claim-sector_number.json', { ...claim, sector_number: claim.sector_number + 1 });
save('claim-registered_proof.json', { ...claim, registered_proof: 'StackedDrg2KiBV1' });
