import { readWithdrawal, withdrawalsRoot } from '../../avalanche/codec/evm-withdrawal.js';
import { contradiction } from '../node/error.js';
import type { EvmBlock } from '../node/evm-apis.js';
import type { Nodes } from '../node/nodes.js';
import type { ForkTimes } from '../network/node-facts.js';
import { extraDataFault, proveById, readExtraData } from './extra-data.js';
import type { ProvedHead } from './proved-head.js';
import { accountsOf } from './touched.js';

/** What a block does to balances in addition to its transactions and their fees. */
export interface BlockCredits {
  /** Why it contradicts the block's proved header; null where it does not. */
  readonly fault: string | null;
  /** The accounts, 0x and 40 digits in lower case. @throws NodeError */
  readonly accounts: (signal: AbortSignal) => Promise<readonly string[]>;
}

/** @throws what its codec throws for what it cannot read */
export type ReadCredits = (block: EvmBlock, head: Pick<ProvedHead, 'height' | 'time'>) => BlockCredits;

/** Of the C-chain: imports credit, and exports debit. */
export const atomicCredits =
  (
    nodes: Pick<Nodes, 'avax'>,
    forks: Pick<ForkTimes, 'apricotPhase1Time' | 'apricotPhase5Time'>,
  ): ReadCredits =>
  (block, { height, time }) => {
    const extra = readExtraData(block, time, forks);
    return {
      fault: extraDataFault({ ...extra, height, time }, forks),
      async accounts(signal) {
        if (!extra.isCommitted) await proveById(nodes, { height, ...extra }, signal);
        return accountsOf(extra.transactions);
      },
    };
  };

/** keccak256 of the RLP of no headers. */
const NO_UNCLES = '0x1dcc4de8dec75d7aab85b567b6ccd41ad312451b948a7413f0a142fd40d49347';

/** Of any other chain: withdrawals of Ethereum's form credit; subnet-evm has none. */
export const withdrawalCredits: ReadCredits = ({ header, withdrawals }, { height }) => {
  const read = withdrawals.map(readWithdrawal);
  const said = header['withdrawalsRoot']?.toLowerCase() ?? null;
  const root = said === null && read.length === 0 ? null : withdrawalsRoot(read);
  return {
    fault: root === said ? null : `the withdrawals of block ${height} have another root than its header says`,
    accounts: () =>
      header['sha3Uncles']?.toLowerCase() === NO_UNCLES
        ? Promise.resolve(read.map(({ address }) => address))
        : Promise.reject(
            contradiction(
              `block ${height} rewards uncle miners, whom no response names: balances of a chain with proof of work cannot be followed. Leave balances out with --only`,
            ),
          ),
  };
};
