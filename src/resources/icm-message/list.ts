import { toBytea, type EvmChainName } from '../../avalanche/evm.js';
import { networks, type Network } from '../../avalanche/networks.js';
import { defineFind } from '../../lists/find.js';
import type { Range, ValueOf } from '../../lists/list.js';
import { defineList } from '../../lists/read.js';
import type { IcmMessageQuery } from './arguments.js';
import { icmMessageRows } from './fields.js';
import type { IcmMessageRow } from './row.js';

const order = ['timestamp', 'message_id', 'id'];
const of = (alias: string) => order.map((column) => `${alias}.${column}`);

/**
 * Messages, newest first. Whatever is filtered by, the page's keys come from one range of one index for each network and
 * chain that the filters name, merged; then the rows. Cursors are row ids.
 */
export const icmMessageList = defineList<IcmMessageQuery, IcmMessageRow>({
  name: 'icm',
  values: {
    networks: 'network[]',
    ...{ sourceId: 'text', sourceEvm: 'numeric', destinationId: 'text', destinationEvm: 'numeric' },
    ...{ either: 'text', from: 'bytea', to: 'bytea' },
  },
  bind: ({ network, sourceBlockchainId, destinationBlockchainId, blockchainId, from, to }) => ({
    networks: network ? [network] : networks,
    ...endOf('source', sourceBlockchainId),
    ...endOf('destination', destinationBlockchainId),
    either: blockchainId,
    from: from && toBytea(from),
    to: to && toBytea(to),
  }),
  from: 'icm_message m',
  where: () => 'm.network = n.network',
  filters: {
    ...{ sourceId: {}, sourceEvm: {}, destinationId: {}, destinationEvm: {}, either: {} },
    from: { sql: (value) => `m.from_address = ${value('from')}` },
    to: { sql: (value) => `m.to_address = ${value('to')}` },
  },
  ranges: (value, filters) => {
    const source = chainTests('source', value, filters);
    const destination = chainTests('destination', value, filters);
    if (!filters.includes('either'))
      return { parts: [rangeOf(value, { source, destination })], overlap: false };
    const either = `c.blockchain_id = ${value('either')}`;
    return {
      parts: [
        rangeOf(value, { source: [...source, either], destination }),
        rangeOf(value, { source, destination: [...destination, either] }),
      ],
      // A message from a chain to itself has the chain on both sides.
      overlap: true,
    };
  },
  order: { name: '', direction: 'desc', columns: of('m'), position: of },
  cursor: { table: 'icm_message', at: (alias, id) => `${alias}.id = ${id}` },
  columns: icmMessageRows.columns,
  lookup: { from: icmMessageRows.from, on: 'm.id = page.k3' },
});

type End = 'source' | 'destination';

function endOf(end: End, chain: EvmChainName | null) {
  return {
    [`${end}Id`]: chain && 'blockchainId' in chain ? chain.blockchainId : null,
    [`${end}Evm`]: chain && 'evmChainId' in chain ? chain.evmChainId : null,
  };
}

/** The conditions under which the chain `c` is the one that a filter names. */
function chainTests(end: End, value: ValueOf, filters: readonly string[]): string[] {
  const [id, evm] = [`${end}Id`, `${end}Evm`];
  if (filters.includes(id)) return [`c.blockchain_id = ${value(id)}`];
  if (!filters.includes(evm)) return [];
  return [
    `(c.evm_chain_id = ${value(evm)} OR c.blockchain_id IN (
      SELECT held.blockchain_id FROM chain held WHERE held.evm_chain_id = ${value(evm)}))`,
  ];
}

/** The messages of each network between the chains of which the tests hold; any, where there are none. */
function rangeOf(value: ValueOf, tests: Readonly<Record<End, readonly string[]>>): Range {
  const ends = Object.entries(tests).filter(([, conditions]) => conditions.length > 0);
  const chains = ends.map(
    ([end, conditions]) => `CROSS JOIN LATERAL (
      SELECT c.id FROM icm_chain c WHERE c.network = n.network AND ${conditions.join(' AND ')} OFFSET 0) ${end}`,
  );
  return {
    each: [`unnest(${value('networks')}) AS n(network)`, ...chains].join(' '),
    where: ends.map(([end]) => `m.${end}_id = ${end}.id`).join(' AND '),
  };
}

/** What identifies a message. */
export interface IcmMessageKey {
  network: Network;
  /** 64 hexadecimal digits in lower case. */
  messageId: string;
}

export const findIcmMessages = defineFind<IcmMessageKey, IcmMessageRow>('icm_by_key', icmMessageRows, {
  network: ['network', 'm.network'],
  messageId: ['bytea', 'm.message_id', (digits) => `\\x${digits}`],
});
