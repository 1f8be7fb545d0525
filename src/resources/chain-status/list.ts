import type { Network, PrimaryChain } from '../../avalanche/networks.js';
import { defineList } from '../../lists/read.js';
import { blockRows, type BlockNode } from '../block/fields.js';
import { LAST_LISTED } from '../block/list.js';
import { transactionRows, type TransactionNode } from '../transaction/fields.js';
import { byTime } from '../transaction/list.js';

interface ChainKey {
  network: Network;
  chain: PrimaryChain;
}

const ofChain = {
  values: { network: 'network', chain: 'primary_chain' },
  parent: ['network', 'chain'],
};

/** The blocks of each of several chains, newest first. Cursors are their numbers. */
export const blocksOfChains = defineList<ChainKey, BlockNode, never>({
  name: 'blocks_of_chains',
  ...ofChain,
  ...blockRows,
  where: (value) =>
    `b.network = ${value('network')} AND b.chain = ${value('chain')} AND b.number <= ${LAST_LISTED}`,
  order: { name: '', direction: 'desc', columns: ['b.number'] },
});

/** The transactions of each of several chains, newest first. Cursors are row ids. */
export const transactionsOfChains = defineList<ChainKey, TransactionNode, never>({
  name: 'transactions_of_chains',
  ...ofChain,
  ...transactionRows,
  where: (value) => `t.network = ${value('network')} AND t.chain = ${value('chain')}`,
  ...byTime,
});
