import { Members } from './evm-members.js';
import { listRoot } from './list-root.js';
import { numberBytes, rlpBytes, rlpList } from './rlp.js';

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
  /** What its gas cost each, in wei: no hash proves it. Null if the node leaves it out, which is valid. */
  readonly effectiveGasPrice: bigint | null;
  readonly logs: readonly EvmLog[];
}

/** The same with its bytes, which prove it. */
export interface EncodedReceipt extends EvmReceipt {
  /** Its bytes in the tree of receipts (rlp.ts). */
  readonly encoded: string;
}

/** The root of these receipts of a block, as its header has it (`receiptsRoot`). */
export const receiptsRoot = (receipts: readonly EncodedReceipt[]): string =>
  listRoot(receipts.map(({ encoded }) => encoded));

/**
 * A receipt with its bytes: a type, unless it is 0, and the RLP of state, gas, bloom filter and logs
 * (EIP-2718, EIP-658; before Byzantium a root of the state instead of the status).
 *
 * @throws MemberError
 */
export function readReceipt(value: unknown): EncodedReceipt {
  const member = new Members(value, 'a receipt');
  const type = member.number('type', 0n);
  const status = member.has('status') ? member.shortest('status') : member.bytes('root', 32);
  const logs = member.list('logs').map(readLog);
  const list = rlpList([
    rlpBytes(status),
    rlpBytes(member.shortest('cumulativeGasUsed')),
    rlpBytes(member.bytes('logsBloom', 256)),
    rlpList(logs.map(encodeLog)),
  ]);
  return {
    transactionHash: member.text('transactionHash', 32),
    cumulativeGasUsed: member.number('cumulativeGasUsed'),
    effectiveGasPrice: readGasPrice((value as { effectiveGasPrice?: unknown }).effectiveGasPrice),
    logs,
    encoded: type === 0n ? list : numberBytes(type) + list,
  };
}

function readLog(value: unknown): EvmLog {
  const member = new Members(value, 'a receipt');
  return {
    address: member.text('address', 20),
    topics: member.texts('topics', 32),
    data: member.text('data'),
  };
}

const encodeLog = ({ address, topics, data }: EvmLog) =>
  rlpList([encodeText(address), rlpList(topics.map(encodeText)), encodeText(data)]);

const encodeText = (text: string) => rlpBytes(text.slice(2));

/** A gas price as nodes print it, in wei; null for anything else. */
export const readGasPrice = (value: unknown): bigint | null =>
  typeof value === 'string' && /^0x[0-9a-f]{1,64}$/i.test(value) ? BigInt(value) : null;
