/** Opcodes of the EVM that the tests' contracts use (Ethereum yellow paper, appendix H). */
const opcodes = {
  STOP: 0x00,
  ADD: 0x01,
  SUB: 0x03,
  EQ: 0x14,
  SHA3: 0x20,
  CALLER: 0x33,
  CALLVALUE: 0x34,
  CALLDATALOAD: 0x35,
  CALLDATASIZE: 0x36,
  CALLDATACOPY: 0x37,
  CODECOPY: 0x39,
  LOG1: 0xa1,
  LOG2: 0xa2,
  LOG3: 0xa3,
  DELEGATECALL: 0xf4,
  POP: 0x50,
  MSTORE: 0x52,
  SLOAD: 0x54,
  SSTORE: 0x55,
  JUMPI: 0x57,
  GAS: 0x5a,
  JUMPDEST: 0x5b,
  LOG4: 0xa4,
  CREATE: 0xf0,
  CALL: 0xf1,
  RETURN: 0xf3,
  CREATE2: 0xf5,
  REVERT: 0xfd,
  SELFDESTRUCT: 0xff,
} as const;

/** An opcode by name, or a value that is pushed: a number as one or more bytes, 0x… digits as they are. */
export type Step = keyof typeof opcodes | number | `0x${string}`;

const hex = (value: number) => {
  const digits = value.toString(16);
  return digits.length % 2 === 0 ? digits : `0${digits}`;
};

/** The bytes of a program, without 0x. */
export const assemble = (...steps: readonly Step[]): string =>
  steps
    .map((step) => {
      if (typeof step === 'string' && !step.startsWith('0x'))
        return hex(opcodes[step as keyof typeof opcodes]);
      const digits = typeof step === 'number' ? hex(step) : step.slice(2);
      return hex(0x5f + digits.length / 2) + digits;
    })
    .join('');

/** The code of a creation that leaves a program as the contract. */
export function deploying(program: string): string {
  const size = program.length / 2;
  const start = (from: number) => assemble(size, from, 0, 'CODECOPY', size, 0, 'RETURN');
  return start(start(1).length / 2) + program;
}

/** Sends `value` to an address with what gas there is, and drops whether it worked. */
export const sends = (to: `0x${string}`, value: number): Step[] => [
  ...([0, 0, 0, 0, value, to, 'GAS', 'CALL', 'POP'] as const),
];

/** Creates a contract from up to 32 bytes of code. @param salt for CREATE2; null: CREATE */
export const creates = (code: string, value: number, salt: number | null): Step[] => [
  `0x${code.padEnd(64, '0')}` as const,
  0,
  'MSTORE' as const,
  ...(salt === null ? ([32, 0, value, 'CREATE'] as const) : ([salt, 32, 0, value, 'CREATE2'] as const)),
  'POP',
];

/** A contract that runs what it is sent as if it were its own program: the code of a creation. */
export const runsWhatItIsSent = (): string =>
  assemble(
    ...(['CALLDATASIZE', 0, 0, 'CALLDATACOPY', 0, 0, 0, 0, 'CALLDATASIZE', 0, 0, 'CREATE'] as const),
    ...(['GAS', 'DELEGATECALL', 'STOP'] as const),
  );

/** Logs one event. @param data 0x and whole words @param topics one to four words, 0x and 64 digits */
export function logs(topics: readonly `0x${string}`[], data: string): Step[] {
  const words = data.slice(2).match(/.{64}/g) ?? [];
  // Memory is zero where no log of the same transaction was before: a program has no room for thousands of
  // zeros.
  const stored = words.flatMap((word, index): Step[] =>
    index < 64 || /[^0]/.test(word) ? [`0x${word}`, 32 * index, 'MSTORE'] : [],
  );
  const opcode = `LOG${topics.length}` as 'LOG1' | 'LOG2' | 'LOG3' | 'LOG4';
  return [...stored, ...topics.toReversed(), 32 * words.length, 0, opcode];
}

/**
 * A contract that answers a call with the three words that it stores from the one on that the call begins
 * with.
 */
export const saysWhatItStores = (): string =>
  assemble(
    ...([
      0,
      'CALLDATALOAD',
      'SLOAD',
      0,
      'MSTORE',
      1,
      0,
      'CALLDATALOAD',
      'ADD',
      'SLOAD',
      32,
      'MSTORE',
    ] as const),
    ...([2, 0, 'CALLDATALOAD', 'ADD', 'SLOAD', 64, 'MSTORE', 96, 0, 'RETURN'] as const),
  );

/** Event Transfer of ERC-20 and ERC-721. */
export const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';

/**
 * A contract of NFTs that anybody moves: two words of data, an id and its new owner; ownerOf(uint256) says
 * the present one.
 */
export function nftProgram(): string {
  const move = (label: number): Step[] => [
    ...(['CALLDATASIZE', 36, 'EQ', label, 'JUMPI'] as const),
    ...([0, 'CALLDATALOAD', 32, 'CALLDATALOAD', 0, 'CALLDATALOAD', 'SLOAD', TRANSFER, 0, 0, 'LOG4'] as const),
    ...([32, 'CALLDATALOAD', 0, 'CALLDATALOAD', 'SSTORE', 'STOP'] as const),
  ];
  const label = assemble(...move(1)).length / 2;
  return assemble(
    ...move(label),
    ...(['JUMPDEST', 4, 'CALLDATALOAD', 'SLOAD', 0, 'MSTORE', 32, 0, 'RETURN'] as const),
  );
}
