import type { Random } from '../random.js';

/* What strangers may write: texts, numbers and JSON that something between them and a reply may not take. */

const U64 = 2n ** 64n - 1n;

/** Of 64 bits: the edges of what numbers, times and columns hold, or any. */
export function absurdU64(random: Random): bigint {
  if (random.chance(0.2))
    return BigInt(Math.floor(random.next() * 2 ** 53)) * 2048n + BigInt(random.below(2048));
  return random.one([
    0n,
    1n,
    2n ** 31n,
    2n ** 32n,
    99_999_999_999n,
    100_000_000_000n,
    8_640_000_000_001n,
    2n ** 53n,
    2n ** 63n - 1n,
    2n ** 63n,
    U64 - 1n,
    U64,
  ]);
}

export const absurdU32 = (random: Random): number =>
  random.one([0, 1, 255, 256, 2 ** 31 - 1, 2 ** 31, 2 ** 32 - 1]);

export function bytesOf(random: Random, length: number): Buffer {
  return Buffer.from(Array.from({ length }, () => random.below(256)));
}

/** Bytes that need not be a text. */
export function absurdText(random: Random, longest: number): Buffer {
  const texts = [
    '',
    '\0',
    'a\0b',
    '\\u0000',
    '\\N',
    '\\.',
    '{}',
    '{"a":1}',
    "'; DROP TABLE utxo; --",
    '\r\n\t',
    '\u202e\u200b\ufeff',
    '👩‍👩‍👧',
    '__proto__',
    'constructor',
    'null',
    'NaN',
    '𝒳'.repeat(30),
    '%s%n',
    '<script>',
    '"',
    '\u0001\u001f\u007f',
  ];
  const made = random.one([
    () => Buffer.from(random.one(texts)),
    () => bytesOf(random, random.below(80)),
    // Half of a surrogate pair, an overlong zero, a cut character.
    () => Buffer.from(random.one(['eda080', 'c080', 'f09f98', 'ff', 'fefe', '00']), 'hex'),
    () => Buffer.alloc(longest, random.one([0, 0x41, 0xff, 0xc3])),
    () => Buffer.concat([Buffer.alloc(longest - 1, 0x61), Buffer.from([0xc3])]),
  ])();
  return made.subarray(0, longest);
}

/** A chain's genesis, and whether it is one as an EVM chain's should be. */
export interface AbsurdGenesis {
  readonly bytes: Buffer;
  readonly isSound: boolean;
}

const deep = (levels: number, open = '[', close = ']') => open.repeat(levels) + close.repeat(levels);

export function absurdGenesis(random: Random): AbsurdGenesis {
  const sound = () => ({
    config: { chainId: 1 + random.below(1e9), feeConfig: { gasLimit: 8_000_000 }, berlinBlock: 0 },
    alloc: { [random.below(1e9).toString(16).padStart(40, '0')]: { balance: '0x1' } },
    gasLimit: 1e7,
    nonce: '0x0',
  });
  if (random.chance(0.15)) return { bytes: Buffer.from(JSON.stringify(sound())), isSound: true };
  const value = random.one([
    '1e999',
    '-0',
    '1'.repeat(400),
    '-1',
    '0.1',
    '18446744073709551616',
    // A number of 64 bits that PostgreSQL's bigint does not hold.
    '9999999999999999999',
    '"\\u0000"',
    '"\\ud800"',
    '"\\udc00x"',
    'null',
    '[]',
    '{}',
    '[null]',
    'true',
    '""',
    '"0x"',
    deep(3000),
    deep(62),
    deep(61),
    deep(58),
    deep(200_000),
    `{"__proto__":{"a":1}}`,
    `{"a":1,"a":2}`,
    `"${'9'.repeat(100_000)}"`,
    `{"isLosslessNumber":true,"value":"x"}`,
    `{"toJSON":1}`,
    `"${'x'.repeat(900_000)}"`,
    `[${'0,'.repeat(200_000)}0]`,
  ]);
  const key = random.one([
    'extraData',
    'x',
    '\\u0000',
    '\\ud800',
    '__proto__',
    'constructor',
    'toString',
    'nonce',
    'gasLimit',
    'airdropHash',
    'baseFeePerGas',
    'airdropAmount',
    'hasOwnProperty',
    '',
  ]);
  const inConfig = random.one([
    'chainId',
    'feeConfig',
    'warpConfig',
    'txAllowListConfig',
    'eip150Hash',
    'allowFeeRecipients',
    'upgrades',
    key,
  ]);
  const member = random.one([
    `"${key}":${value}`,
    `"config":{"chainId":1,"${inConfig}":${value}}`,
    `"config":{"chainId":1,"feeConfig":{"gasLimit":${value}}}`,
    `"config":{"txAllowListConfig":{"adminAddresses":${value},"blockTimestamp":0}}`,
    `"alloc":{"${key}":${value}}`,
    `"alloc":{"00":{"balance":${value}}}`,
  ]);
  const text = `{"config":{"chainId":1},"alloc":{},${member}}`;
  const bytes = random.one([
    () => Buffer.from(text),
    () => Buffer.from(text),
    () => Buffer.from(text),
    () => Buffer.concat([Buffer.from(text.slice(0, -1)), Buffer.from(',"\xff":1}', 'latin1')]),
    () => Buffer.from(`\ufeff${text}`),
    () => Buffer.from(value),
    () => absurdText(random, 70_000),
    () => bytesOf(random, random.below(2000)),
    () => Buffer.alloc(1_100_000, random.one([0, 0x20, 0x5b, 0x22])),
  ])();
  return { bytes, isSound: false };
}
