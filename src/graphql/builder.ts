import SchemaBuilder from '@pothos/core';
import RelayPlugin from '@pothos/plugin-relay';
import type { Network } from '../avalanche/networks.js';
import type { TransactionObjects } from '../resources/transaction/schema.js';
import type { UtxoObjects } from '../resources/utxo/schema.js';
import type { AssetObjects } from '../resources/asset/schema.js';
import { badInput } from '../errors.js';
import type { Context } from './context.js';
import type { ConnectionSource } from './connection.js';

const MAX_NODES = 100;

export interface SchemaTypes {
  Context: Context;
  DefaultFieldNullability: false;
  /** What resolvers of each object type receive. Each resource declares its own. */
  Objects: AssetObjects & UtxoObjects & TransactionObjects;
  Scalars: {
    ID: { Input: string; Output: string };
    BigNumber: { Input: string; Output: string };
    Long: { Input: number | string; Output: number | string | bigint };
    Decimal: { Input: string; Output: string };
    Json: { Input: never; Output: unknown };
    JsonText: { Input: never; Output: string };
  };
  Connection: ConnectionSource;
}

export type Builder = ReturnType<typeof createBuilder>;

/** A fresh builder: a schema is made from it once, and nothing is shared between two of them. */
export function createBuilder() {
  const builder = new SchemaBuilder<SchemaTypes>({
    plugins: [RelayPlugin],
    defaultFieldNullability: false,
    relay: {
      clientMutationId: 'omit',
      cursorType: 'String',
      edgesFieldOptions: { nullable: false },
      nodeFieldOptions: { nullable: false },
      nodesOnConnection: { description: 'The rows of this page, without their cursors.' },
      nodeQueryOptions: {
        description: 'Any object by its global id; null when it is not held.',
      },
      nodesQueryOptions: {
        description: `Objects by their global ids, in the order of the ids; at most ${MAX_NODES}. Null in place of one that is not held.`,
        resolve: (_root, { ids }, _context, _info, resolveNodes) => {
          if (ids.length > MAX_NODES) throw badInput(`ids: ${ids.length} are too many; at most ${MAX_NODES}`);
          return resolveNodes(ids);
        },
      },
      nodeTypeOptions: { description: 'An object with a global id.' },
      pageInfoTypeOptions: { description: 'Where a page stands in its list.' },
    },
  });
  builder.queryType({ description: 'Reads of everything that this gateway holds.' });
  return builder;
}

/** The natural key behind a global id of the form `network:key`; null when it has another form. */
export function splitNetworkKey(id: string): { network: Network; key: string } | null {
  const at = id.indexOf(':');
  const network = id.slice(0, at);
  return network === 'mainnet' || network === 'fuji' ? { network, key: id.slice(at + 1) } : null;
}
