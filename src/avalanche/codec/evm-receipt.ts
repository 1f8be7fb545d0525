import { listRoot } from './list-root.js';
import { numberBytes, rlpBytes, rlpList } from './rlp.js';
import { concat } from './writer.js';

/** A log of a transaction. */
export interface EvmLog {
  /** Of the contract: 0x and 40 digits in lower case. */
  readonly address: string;
  /** 0x and 64 digits in lower case each; four at most. */
  readonly topics: readonly string[];
  /** 0x and digits. */
  readonly data: string;
}

/** A receipt as eth_getBlockReceipts gives it. */
export interface EvmReceipt {
  /** 0x and 64 digits. */
  readonly transactionHash: string;
  /** Gas of this transaction and of those before it in its block. */
  readonly cumulativeGasUsed: bigint;
  /** What its gas cost each, in wei: no hash proves it. Null of a node that leaves it out, which is right all the same. */
  readonly effectiveGasPrice: bigint | null;
  readonly logs: readonly EvmLog[];
  /** Its bytes in the tree of receipts. */
  readonly encoded: Uint8Array;
}

/** A member of a receipt that is missing or is not what it should be, for people. */
export class ReceiptError extends Error {}

/** The root of these receipts of a block, as its header has it (`receiptsRoot`). */
export const receiptsRoot = (receipts: readonly EvmReceipt[]): string =>
  listRoot(receipts.map(({ encoded }) => encoded));

/**
 * A receipt with its bytes: a type, unless it is 0, and the RLP of state, gas, bloom filter and logs (EIP-2718, EIP-658; before
 * Byzantium a root of the state in place of the status).
 *
 * @throws ReceiptError
 */
export function readReceipt(value: unknown): EvmReceipt {
  const member = membersOf(value, 'a receipt');
  const type = number(member, 'type', 0n);
  const status =
    member['status'] === undefined ? bytes(member, 'root', 32) : numberBytes(number(member, 'status'));
  const cumulativeGasUsed = number(member, 'cumulativeGasUsed');
  const logs = listOf(member, 'logs').map(readLog);
  const list = rlpList([
    rlpBytes(status),
    rlpBytes(numberBytes(cumulativeGasUsed)),
    rlpBytes(bytes(member, 'logsBloom', 256)),
    rlpList(logs.map(encodeLog)),
  ]);
  return {
    transactionHash: text(member, 'transactionHash', 32),
    cumulativeGasUsed,
    effectiveGasPrice: readGasPrice(member['effectiveGasPrice']),
    logs,
    encoded: type === 0n ? list : concat([numberBytes(type), list]),
  };
}

function readLog(value: unknown): EvmLog {
  const member = membersOf(value, 'a log');
  const topics = listOf(member, 'topics').map((topic) => text({ topic }, 'topic', 32));
  return { address: text(member, 'address', 20), topics, data: text(member, 'data') };
}

const fromHex = (digits: string) => Buffer.from(digits.slice(2), 'hex');

const encodeLog = ({ address, topics, data }: EvmLog) =>
  rlpList([
    rlpBytes(fromHex(address)),
    rlpList(topics.map((topic) => rlpBytes(fromHex(topic)))),
    rlpBytes(fromHex(data)),
  ]);

type Members = Readonly<Record<string, unknown>>;

function membersOf(value: unknown, what: string): Members {
  if (typeof value === 'object' && value !== null) return value as Members;
  throw new ReceiptError(`${what} is not an object`);
}

function listOf(member: Members, name: string): readonly unknown[] {
  const value = member[name];
  if (Array.isArray(value)) return value;
  throw new ReceiptError(`${name} of a receipt is not a list`);
}

/** Bytes in hexadecimal digits, in lower case. @param length how many there must be, if that is fixed */
function text(member: Members, name: string, length?: number): string {
  const value = member[name];
  const isBytes = typeof value === 'string' && /^0x(?:[0-9a-f]{2})*$/i.test(value);
  if (isBytes && (length === undefined || value.length === 2 + 2 * length)) return value.toLowerCase();
  throw new ReceiptError(`${name} of a receipt is not ${length ?? 'whole'} bytes in hexadecimal digits`);
}

const bytes = (member: Members, name: string, length: number) => fromHex(text(member, name, length));

function number(member: Members, name: string, absent?: bigint): bigint {
  const value = member[name];
  if (value === undefined && absent !== undefined) return absent;
  if (typeof value === 'string' && /^0x[0-9a-f]{1,64}$/i.test(value)) return BigInt(value);
  throw new ReceiptError(`${name} of a receipt is not a whole number in hexadecimal digits`);
}

/** A gas price as nodes print it, in wei; null for anything else. */
export const readGasPrice = (value: unknown): bigint | null =>
  typeof value === 'string' && /^0x[0-9a-f]{1,64}$/i.test(value) ? BigInt(value) : null;
