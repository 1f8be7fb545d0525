import { typesWhere } from '../../avalanche/chain/transactions.js';
import type { Network } from '../../avalanche/networks.js';
import type { ValueOf } from '../../lists/list.js';
import { defineList } from '../../lists/read.js';
import { stakerTable } from '../../state/staking.js';
import { listsOfReferences } from '../reference/list.js';
import { followsNetwork } from '../reference/present.js';
import { linksByTime } from '../transaction/list.js';
import { pendingRewardRows, type PendingRewardNode } from './fields.js';

/** An address of a network. */
interface AddressKey {
  network: Network;
  address: string;
}

const addressId = (value: ValueOf) =>
  `(SELECT id FROM address WHERE network = ${value('network')} AND address = ${value('address')})`;

/** The transactions that name an address as one that is paid a reward, or that paid it one; newest first. */
export const rewardTransactionList = listsOfReferences<AddressKey>('reward_transaction', 'address_id', {
  values: { network: 'network', address: 'text' },
  rowId: addressId,
}).all('reward_transactions');

const staker = stakerTable.as('f');
export const stakes = [...typesWhere('stake', 'validates'), ...typesWhere('stake', 'delegates')];

/**
 * The stakes of now whose reward an address is paid, the newest first. Cursors are row ids of transactions.
 */
export const pendingRewardList = defineList<AddressKey, PendingRewardNode, never>({
  name: 'pending_rewards',
  values: { network: 'network', address: 'text' },
  parent: ['network', 'address'],
  from: `reward_transaction l JOIN transaction t ON t.id = l.transaction_id
    JOIN ${staker.from} ON ${staker.network} = t.network AND ${staker.txId} = t.tx_hash`,
  where: (value) => `l.address_id = ${addressId(value)} AND ${followsNetwork(value('network'))}`,
  ranges: () => ({
    parts: stakes.map((type) => ({
      where: `l.tx_type = '${type}' AND l.is_open`,
    })),
    overlap: false,
  }),
  ...linksByTime('l'),
  columns: pendingRewardRows.columns,
  toNode: pendingRewardRows.toNode,
  lookup: { from: pendingRewardRows.from, on: 't.id = page.k3' },
});
