import type { FieldMap } from '@pothos/core';
import { identityOf } from '../../avalanche/identity.js';
import { chainName, type Network, type PrimaryChain } from '../../avalanche/networks.js';
import type { FieldBuilder } from '../../graphql/add-field.js';
import { sqlOf } from '../../graphql/sql-source.js';
import { blockchainAlias, blockchainIdSql } from './fields.js';

/** The chain of an object of the primary network. */
export interface ChainFields<Node> {
  /** The chain's relation to the object, without a full stop at the end. */
  description: string;
  chainOf: (node: Node) => PrimaryChain;
  /** SQL of the same, over the tables of the object's rows. */
  sql: { network: string; chain: string };
}

/** The fields network, blockchainId and blockchainAlias. */
export function chainFields<Node extends { network: Network }>(
  t: FieldBuilder<Node>,
  { description, chainOf, sql }: ChainFields<Node>,
): FieldMap {
  const fields = {
    network: t.field({
      type: 'Network',
      description: 'Its network.',
      extensions: sqlOf({ value: { form: 'plain', sql: sql.network } }),
      resolve: ({ network }: Node) => network,
    }),
    blockchainId: t.string({
      description: `Blockchain id of ${description}, CB58.`,
      extensions: sqlOf({ value: { form: 'plain', sql: blockchainIdSql(sql.network, sql.chain) } }),
      resolve: (node: Node) => identityOf(node.network).blockchainIds[chainOf(node)],
    }),
    blockchainAlias: t.string({
      description: `Alias of ${description}: p-chain, x-chain or c-chain, a value that arguments named blockchainId accept.`,
      extensions: sqlOf({ value: { form: 'plain', sql: blockchainAlias(sql.chain) } }),
      resolve: (node: Node) => chainName(chainOf(node)),
    }),
  };
  return fields;
}
