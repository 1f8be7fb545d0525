import { digits, is, object, type Fields, type NodeOf } from '../../fields/field.js';
import { jsonText } from '../../storage/json-text.js';
import type { AddressNode } from '../address/row.js';
import { IN_UNITS } from './fields.js';

/** The fields of an address's balance, over `address o` and the key `page.k1` of its list. */
export const holderFields = {
  address: {
    sql: jsonText([
      { name: 'network', form: 'plain', sql: 'o.network' },
      { name: 'address', form: 'plain', sql: 'o.address' },
    ]),
    ...is(object<AddressNode>('Address'), 'The holder'),
  },
  unspent: {
    sql: 'page.k1',
    ...is(
      digits,
      `Sum of the holder's unspent outputs of the asset in the list of the chain, staked ones included, ${IN_UNITS}`,
    ),
  },
} satisfies Fields;

export type HolderNode = NodeOf<typeof holderFields>;
