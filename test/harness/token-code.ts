import { assemble, TRANSFER, type Step } from './evm-code.js';

/** Events by their first topic: of a wrapped coin, and of ERC-1155. */
const DEPOSIT = '0xe1fffcc4923d04b559f4d29a8bfc6cda04eb5b0d3c460751c2402c5c5cc9109c';
const WITHDRAWAL = '0x7fcf532c15f0a6db0bd6d0e038bea71d30d808c7d98cb3bf7268a95bf5081b65';
const SINGLE = '0xc3d58168c5ae7397731d063d5bbf3d657854427343f4c083240f7aacaa2d0f62';
const BATCH = '0x4a39dc06d4c0dbc64b70af90fd698a233a518aa5d07e595d983b8c0526c8f7fb';

/**
 * A contract that tells calls apart by how many bytes they have. Any other call ends without doing anything.
 */
function byLength(cases: Readonly<Record<number, readonly Step[]>>): string {
  const entries = Object.entries(cases);
  const jump = (size: string, label: number): Step[] => [
    ...(['CALLDATASIZE', Number(size), 'EQ', `0x${label.toString(16).padStart(4, '0')}`, 'JUMPI'] as const),
  ];
  const length = (steps: readonly Step[]) => assemble(...steps).length / 2;
  let label = length(entries.flatMap(([size]) => jump(size, 0))) + 1;
  const head: Step[] = [];
  for (const [size, body] of entries) {
    head.push(...jump(size, label));
    label += length(body) + 2;
  }
  return assemble(...head, 'STOP', ...entries.flatMap(([, body]): Step[] => ['JUMPDEST', ...body, 'STOP']));
}

/** The word of the call at a byte. */
const word = (at: number): Step[] => [at, 'CALLDATALOAD'];
const store = (value: readonly Step[], at: number): Step[] => [...value, at, 'MSTORE'];
/** Adds an amount to what stands at a place, or takes it away. */
const change = (slot: readonly Step[], how: 'ADD' | 'SUB', amount: readonly Step[]): Step[] => [
  ...([...amount, ...slot, 'SLOAD', how, ...slot, 'SSTORE'] as const),
];
const answer = (slot: readonly Step[]): Step[] => [...store([...slot, 'SLOAD'], 0), 32, 0, 'RETURN'];
/** Logs the first bytes of the memory. */
const log = (bytes: number, ...topics: readonly (readonly Step[])[]): Step[] => [
  ...topics.toReversed().flat(),
  ...([bytes, 0, `LOG${topics.length}`] as Step[]),
];

const caller: readonly Step[] = ['CALLER'];

/**
 * A coin that is wrapped, and an ERC-20 token that anybody makes. A call of no bytes deposits its value; one
 * word withdraws as much; two words transfer: to whom, and how much; three, of which the last one is not
 * read, make tokens for somebody.
 */
export function coinProgram(): string {
  return byLength({
    0: [...change(caller, 'ADD', ['CALLVALUE']), ...store(['CALLVALUE'], 0), ...log(32, [DEPOSIT], caller)],
    32: [
      ...change(caller, 'SUB', word(0)),
      ...([0, 0, 0, 0, ...word(0), 'CALLER', 'GAS', 'CALL', 'POP'] as const),
      ...store(word(0), 0),
      ...log(32, [WITHDRAWAL], caller),
    ],
    36: answer(word(4)),
    64: [
      ...change(caller, 'SUB', word(32)),
      ...change(word(0), 'ADD', word(32)),
      ...store(word(32), 0),
      ...log(32, [TRANSFER], caller, word(0)),
    ],
    96: [...change(word(0), 'ADD', word(32)), ...store(word(32), 0), ...log(32, [TRANSFER], [0], word(0))],
  });
}

/**
 * NFTs of ERC-721 that anybody moves, makes and burns: two words, an id, which is no address, and its new
 * owner. One word answers who owns an id, and how many an address owns.
 */
export function countedNftProgram(): string {
  const owner: readonly Step[] = [...word(0), 'SLOAD'];
  return byLength({
    36: answer(word(4)),
    64: [
      ...change(owner, 'SUB', [1]),
      ...change(word(32), 'ADD', [1]),
      ...log(0, [TRANSFER], owner, word(32), word(0)),
      ...([...word(32), ...word(0), 'SSTORE'] as const),
    ],
  });
}

/**
 * Tokens of ERC-1155 that anybody moves, makes and burns: from whom, to whom, and an id and an amount, or two
 * of both. The address and id of a balance are words, as `balanceOf` has them.
 */
export function idsProgram(): string {
  const slot = (owner: number, id: number): Step[] => [
    ...([...store(word(owner), 0), ...store(word(id), 32), 64, 0, 'SHA3'] as const),
  ];
  const move = (id: number): Step[] => [
    ...change(slot(0, id), 'SUB', word(id + 32)),
    ...change(slot(32, id), 'ADD', word(id + 32)),
  ];
  const parties = [caller, word(0), word(32)] as const;
  const lists = [[0x40], [0xa0], [2], word(64), word(128), [2], word(96), word(160)] as const;
  return byLength({
    68: answer(slot(4, 36)),
    128: [...move(64), ...store(word(64), 0), ...store(word(96), 32), ...log(64, [SINGLE], ...parties)],
    192: [
      ...move(64),
      ...move(128),
      ...lists.flatMap((value, at) => store(value, 32 * at)),
      ...log(256, [BATCH], ...parties),
    ],
  });
}
