import { keccak_256 } from '@noble/hashes/sha3.js';
import { isLE } from '@noble/hashes/utils.js';

/*
 * keccak256: FIPS 202 with the padding of before it was a standard. To prove blocks is little else, and steps
 * that are written out take less than half of the time of the library's loops. Each of the 25 lanes is two
 * numbers of 32 bits, the lower one first.
 */

/** Bytes that a permutation takes in. */
const RATE = 136;
const HASH_BYTES = 32;

// Kept between calls: nothing else runs during one.
const state = new Uint32Array(50);
const block = new Uint8Array(RATE);
const words = new Uint32Array(block.buffer);

/** @returns 32 bytes */
export const keccak256 = isLE ? absorb : keccak_256;

function absorb(bytes: Uint8Array): Uint8Array {
  state.fill(0);
  for (let at = 0; at <= bytes.length; at += RATE) {
    const taken = bytes.subarray(at, at + RATE);
    block.set(taken);
    if (taken.length < RATE) {
      block.fill(0, taken.length);
      block[taken.length]! ^= 0x01;
      block[RATE - 1]! ^= 0x80;
    }
    for (let index = 0; index < words.length; index += 1) state[index]! ^= words[index]!;
    permute(state as unknown as Lanes);
  }
  return new Uint8Array(state.buffer.slice(0, HASH_BYTES));
}

type Ten = [number, number, number, number, number, number, number, number, number, number];
/** As a tuple, because its indexes are checked then. */
type Lanes = [...Ten, ...Ten, ...Ten, ...Ten, ...Ten];

/** What step iota adds to the first lane, for each round. */
const constants = [
  0x0000000000000001n,
  0x0000000000008082n,
  0x800000000000808an,
  0x8000000080008000n,
  0x000000000000808bn,
  0x0000000080000001n,
  0x8000000080008081n,
  0x8000000000008009n,
  0x000000000000008an,
  0x0000000000000088n,
  0x0000000080008009n,
  0x000000008000000an,
  0x000000008000808bn,
  0x800000000000008bn,
  0x8000000000008089n,
  0x8000000000008003n,
  0x8000000000008002n,
  0x8000000000000080n,
  0x000000000000800an,
  0x800000008000000an,
  0x8000000080008081n,
  0x8000000000008080n,
  0x0000000080000001n,
  0x8000000080008008n,
];
const [lower, upper] = [
  constants.map((each) => Number(each & 0xffff_ffffn) | 0),
  constants.map((each) => Number(each >> 32n) | 0),
];

const b = new Uint32Array(50) as unknown as Lanes;
const d = new Uint32Array(10) as unknown as Ten;

function permute(s: Lanes): void {
  for (let round = 0; round < constants.length; round += 1) {
    theta(s);
    rhoAndPi(s);
    chi(s);
    s[0] ^= lower[round]!;
    s[1] ^= upper[round]!;
  }
}

/** The sums of columns, which the next step adds. */
// prettier-ignore
function theta(s: Lanes): void {
  const c0 = s[0] ^ s[10] ^ s[20] ^ s[30] ^ s[40];
  const c1 = s[1] ^ s[11] ^ s[21] ^ s[31] ^ s[41];
  const c2 = s[2] ^ s[12] ^ s[22] ^ s[32] ^ s[42];
  const c3 = s[3] ^ s[13] ^ s[23] ^ s[33] ^ s[43];
  const c4 = s[4] ^ s[14] ^ s[24] ^ s[34] ^ s[44];
  const c5 = s[5] ^ s[15] ^ s[25] ^ s[35] ^ s[45];
  const c6 = s[6] ^ s[16] ^ s[26] ^ s[36] ^ s[46];
  const c7 = s[7] ^ s[17] ^ s[27] ^ s[37] ^ s[47];
  const c8 = s[8] ^ s[18] ^ s[28] ^ s[38] ^ s[48];
  const c9 = s[9] ^ s[19] ^ s[29] ^ s[39] ^ s[49];
  d[0] = c8 ^ ((c2 << 1) | (c3 >>> 31)); d[1] = c9 ^ ((c3 << 1) | (c2 >>> 31));
  d[2] = c0 ^ ((c4 << 1) | (c5 >>> 31)); d[3] = c1 ^ ((c5 << 1) | (c4 >>> 31));
  d[4] = c2 ^ ((c6 << 1) | (c7 >>> 31)); d[5] = c3 ^ ((c7 << 1) | (c6 >>> 31));
  d[6] = c4 ^ ((c8 << 1) | (c9 >>> 31)); d[7] = c5 ^ ((c9 << 1) | (c8 >>> 31));
  d[8] = c6 ^ ((c0 << 1) | (c1 >>> 31)); d[9] = c7 ^ ((c1 << 1) | (c0 >>> 31));
}

// prettier-ignore
function rhoAndPi(s: Lanes): void {
  let [l, h] = [0, 0];
  l = s[0] ^ d[0]; h = s[1] ^ d[1]; b[0] = l; b[1] = h;
  l = s[2] ^ d[2]; h = s[3] ^ d[3]; b[20] = (l << 1) | (h >>> 31); b[21] = (h << 1) | (l >>> 31);
  l = s[4] ^ d[4]; h = s[5] ^ d[5]; b[40] = (h << 30) | (l >>> 2); b[41] = (l << 30) | (h >>> 2);
  l = s[6] ^ d[6]; h = s[7] ^ d[7]; b[10] = (l << 28) | (h >>> 4); b[11] = (h << 28) | (l >>> 4);
  l = s[8] ^ d[8]; h = s[9] ^ d[9]; b[30] = (l << 27) | (h >>> 5); b[31] = (h << 27) | (l >>> 5);
  l = s[10] ^ d[0]; h = s[11] ^ d[1]; b[32] = (h << 4) | (l >>> 28); b[33] = (l << 4) | (h >>> 28);
  l = s[12] ^ d[2]; h = s[13] ^ d[3]; b[2] = (h << 12) | (l >>> 20); b[3] = (l << 12) | (h >>> 20);
  l = s[14] ^ d[4]; h = s[15] ^ d[5]; b[22] = (l << 6) | (h >>> 26); b[23] = (h << 6) | (l >>> 26);
  l = s[16] ^ d[6]; h = s[17] ^ d[7]; b[42] = (h << 23) | (l >>> 9); b[43] = (l << 23) | (h >>> 9);
  l = s[18] ^ d[8]; h = s[19] ^ d[9]; b[12] = (l << 20) | (h >>> 12); b[13] = (h << 20) | (l >>> 12);
  l = s[20] ^ d[0]; h = s[21] ^ d[1]; b[14] = (l << 3) | (h >>> 29); b[15] = (h << 3) | (l >>> 29);
  l = s[22] ^ d[2]; h = s[23] ^ d[3]; b[34] = (l << 10) | (h >>> 22); b[35] = (h << 10) | (l >>> 22);
  l = s[24] ^ d[4]; h = s[25] ^ d[5]; b[4] = (h << 11) | (l >>> 21); b[5] = (l << 11) | (h >>> 21);
  l = s[26] ^ d[6]; h = s[27] ^ d[7]; b[24] = (l << 25) | (h >>> 7); b[25] = (h << 25) | (l >>> 7);
  l = s[28] ^ d[8]; h = s[29] ^ d[9]; b[44] = (h << 7) | (l >>> 25); b[45] = (l << 7) | (h >>> 25);
  l = s[30] ^ d[0]; h = s[31] ^ d[1]; b[46] = (h << 9) | (l >>> 23); b[47] = (l << 9) | (h >>> 23);
  l = s[32] ^ d[2]; h = s[33] ^ d[3]; b[16] = (h << 13) | (l >>> 19); b[17] = (l << 13) | (h >>> 19);
  l = s[34] ^ d[4]; h = s[35] ^ d[5]; b[36] = (l << 15) | (h >>> 17); b[37] = (h << 15) | (l >>> 17);
  l = s[36] ^ d[6]; h = s[37] ^ d[7]; b[6] = (l << 21) | (h >>> 11); b[7] = (h << 21) | (l >>> 11);
  l = s[38] ^ d[8]; h = s[39] ^ d[9]; b[26] = (l << 8) | (h >>> 24); b[27] = (h << 8) | (l >>> 24);
  l = s[40] ^ d[0]; h = s[41] ^ d[1]; b[28] = (l << 18) | (h >>> 14); b[29] = (h << 18) | (l >>> 14);
  l = s[42] ^ d[2]; h = s[43] ^ d[3]; b[48] = (l << 2) | (h >>> 30); b[49] = (h << 2) | (l >>> 30);
  l = s[44] ^ d[4]; h = s[45] ^ d[5]; b[18] = (h << 29) | (l >>> 3); b[19] = (l << 29) | (h >>> 3);
  l = s[46] ^ d[6]; h = s[47] ^ d[7]; b[38] = (h << 24) | (l >>> 8); b[39] = (l << 24) | (h >>> 8);
  l = s[48] ^ d[8]; h = s[49] ^ d[9]; b[8] = (l << 14) | (h >>> 18); b[9] = (h << 14) | (l >>> 18);
}

// prettier-ignore
function chi(s: Lanes): void {
  s[0] = b[0] ^ (~b[2] & b[4]); s[1] = b[1] ^ (~b[3] & b[5]);
  s[2] = b[2] ^ (~b[4] & b[6]); s[3] = b[3] ^ (~b[5] & b[7]);
  s[4] = b[4] ^ (~b[6] & b[8]); s[5] = b[5] ^ (~b[7] & b[9]);
  s[6] = b[6] ^ (~b[8] & b[0]); s[7] = b[7] ^ (~b[9] & b[1]);
  s[8] = b[8] ^ (~b[0] & b[2]); s[9] = b[9] ^ (~b[1] & b[3]);
  s[10] = b[10] ^ (~b[12] & b[14]); s[11] = b[11] ^ (~b[13] & b[15]);
  s[12] = b[12] ^ (~b[14] & b[16]); s[13] = b[13] ^ (~b[15] & b[17]);
  s[14] = b[14] ^ (~b[16] & b[18]); s[15] = b[15] ^ (~b[17] & b[19]);
  s[16] = b[16] ^ (~b[18] & b[10]); s[17] = b[17] ^ (~b[19] & b[11]);
  s[18] = b[18] ^ (~b[10] & b[12]); s[19] = b[19] ^ (~b[11] & b[13]);
  s[20] = b[20] ^ (~b[22] & b[24]); s[21] = b[21] ^ (~b[23] & b[25]);
  s[22] = b[22] ^ (~b[24] & b[26]); s[23] = b[23] ^ (~b[25] & b[27]);
  s[24] = b[24] ^ (~b[26] & b[28]); s[25] = b[25] ^ (~b[27] & b[29]);
  s[26] = b[26] ^ (~b[28] & b[20]); s[27] = b[27] ^ (~b[29] & b[21]);
  s[28] = b[28] ^ (~b[20] & b[22]); s[29] = b[29] ^ (~b[21] & b[23]);
  s[30] = b[30] ^ (~b[32] & b[34]); s[31] = b[31] ^ (~b[33] & b[35]);
  s[32] = b[32] ^ (~b[34] & b[36]); s[33] = b[33] ^ (~b[35] & b[37]);
  s[34] = b[34] ^ (~b[36] & b[38]); s[35] = b[35] ^ (~b[37] & b[39]);
  s[36] = b[36] ^ (~b[38] & b[30]); s[37] = b[37] ^ (~b[39] & b[31]);
  s[38] = b[38] ^ (~b[30] & b[32]); s[39] = b[39] ^ (~b[31] & b[33]);
  s[40] = b[40] ^ (~b[42] & b[44]); s[41] = b[41] ^ (~b[43] & b[45]);
  s[42] = b[42] ^ (~b[44] & b[46]); s[43] = b[43] ^ (~b[45] & b[47]);
  s[44] = b[44] ^ (~b[46] & b[48]); s[45] = b[45] ^ (~b[47] & b[49]);
  s[46] = b[46] ^ (~b[48] & b[40]); s[47] = b[47] ^ (~b[49] & b[41]);
  s[48] = b[48] ^ (~b[40] & b[42]); s[49] = b[49] ^ (~b[41] & b[43]);
}
