import type { Network, PrimaryChain } from '../../avalanche/networks.js';
import { fieldsText, unknownBits } from '../../fields/field.js';
import { parseJson } from '../../json.js';
import type { Find } from '../../lists/find.js';
import type { Reader } from '../../storage/reader.js';
import { bind, statement } from '../../storage/statement.js';
import { sqlTexts, typesWhere } from '../../avalanche/chain/transactions.js';
import { countedAmountSql } from '../utxo/amount.js';
import { ownersOf } from '../address/query.js';
import {
  activityFields,
  assetEffectFields,
  restoreUnknown,
  type ActivityNode,
  type EffectNode,
} from './fields.js';

/** A transaction, and the addresses whose effect is wanted. */
export interface EffectKey {
  /** Row id, a decimal text. */
  transactionId: string;
  addresses: readonly string[];
}

const effects = statement(
  'history_effects',
  `SELECT wanted.ordinal::int AS ordinal, effect.text
   FROM unnest(:transactionIds::bigint[], :indexes::int[]) WITH ORDINALITY AS wanted(transaction_id, owner, ordinal)
   JOIN transaction t ON t.id = wanted.transaction_id
   CROSS JOIN LATERAL (SELECT (:owners::text[])[wanted.owner]::text[] AS owners OFFSET 0) requested
   CROSS JOIN LATERAL (
     WITH moved AS (
       SELECT u.asset_row_id, ${countedAmountSql} AS amount, link.is_input, u.addresses && requested.owners AS is_own,
         u.addresses <@ requested.owners AND u.addresses <> '{}' AS is_own_alone
       FROM (
         SELECT utxo_row_id, false AS is_input FROM transaction_output WHERE transaction_id = t.id
         UNION ALL SELECT utxo_row_id, true FROM transaction_input WHERE transaction_id = t.id) link
       JOIN utxo u ON u.id = link.utxo_row_id
     ), burned AS (
       SELECT a.id AS asset_row_id, (item.value->>'amount')::numeric AS amount
       FROM jsonb_array_elements(t.details->'amountBurned') AS item(value)
       JOIN asset a ON a.network = t.network AND a.asset_id = item.value->>'assetId'
     ), sides AS (
       SELECT count(*) FILTER (WHERE is_input) > 0
           OR t.tx_type IN (${sqlTexts(typesWhere('hasInputs', false))})
           -- An export of the C-chain takes from accounts and consumes no output.
           OR jsonb_array_length(coalesce(t.details->'evmInputs', '[]')) > 0 AS inputs,
         coalesce(bool_and(is_own_alone) FILTER (WHERE is_input), false) AS is_alone
       FROM moved
     ), known AS (
       SELECT inputs, is_alone, inputs OR EXISTS (SELECT 1 FROM burned) AS burn FROM sides
     )
     SELECT concat('{"signedAlone":', (SELECT CASE WHEN inputs THEN is_alone::text ELSE 'null' END FROM known),
       ',"assets":[', string_agg(${fieldsText(assetEffectFields)}, ',' ORDER BY a.asset_id COLLATE "C"), ']}') AS text
     FROM (
       SELECT asset_row_id, sum(received) AS received, sum(sent) AS sent, sum(fee) AS fee
       FROM (
         SELECT asset_row_id, CASE WHEN is_input THEN 0 ELSE amount END AS received,
           CASE WHEN is_input THEN amount ELSE 0 END AS sent, 0 AS fee
         FROM moved WHERE is_own
         UNION ALL SELECT asset_row_id, 0, 0, amount FROM burned) part
       GROUP BY asset_row_id) e
     JOIN asset a ON a.id = e.asset_row_id
     CROSS JOIN known) effect`,
);

/**
 * Effects of transactions on addresses, which count as one owner: in the order of the keys, null for one that
 * is not stored.
 */
export const findEffects: Find<EffectKey, EffectNode> = async (storage, keys) => {
  // In a list of many addresses each row has the same addresses.
  const owners = new Map<string, number>();
  const indexes = keys.map(({ addresses }) => {
    const text = `{${addresses.join(',')}}`;
    const index = owners.get(text) ?? owners.size + 1;
    owners.set(text, index);
    return index;
  });
  const transactionIds = keys.map(({ transactionId }) => transactionId);
  const rows = await storage.read<{ text: string; ordinal: number }>(
    effects,
    bind(effects, { transactionIds, indexes, owners: [...owners.keys()] }),
  );
  const found = keys.map((): EffectNode | null => null);
  for (const row of rows) found[row.ordinal - 1] = parseJson(row.text) as EffectNode;
  return found;
};

const bound = (name: string) => `:${name}::${name === 'network' ? 'network' : 'text[]'}`;

const activity = statement(
  'last_activity',
  `SELECT ${fieldsText(activityFields)} AS text, ${unknownBits(activityFields)} AS unknown
   FROM (
     SELECT newest.transaction_id FROM ${ownersOf(bound)} CROSS JOIN LATERAL (
       SELECT h.time, h.tie, h.transaction_id FROM address_transaction h
       WHERE h.address_id = owner.id AND h.chain = :blockchainId::primary_chain
       ORDER BY h.time DESC, h.tie DESC, h.transaction_id DESC LIMIT 1) newest
     ORDER BY newest.time DESC, newest.tie DESC, newest.transaction_id DESC LIMIT 1) last
   JOIN transaction t ON t.id = last.transaction_id
   CROSS JOIN LATERAL (
     SELECT u.utxo_id, link.is_consumed
     FROM (
       SELECT utxo_row_id, position, false AS is_consumed FROM transaction_output WHERE transaction_id = t.id
       UNION ALL SELECT utxo_row_id, position, true FROM transaction_input WHERE transaction_id = t.id) link
     JOIN utxo u ON u.id = link.utxo_row_id
     WHERE u.addresses && ${bound('addresses')}
     ORDER BY link.is_consumed, link.position DESC LIMIT 1) u`,
);

/** Addresses on a chain. */
export interface ActivityQuery {
  network: Network;
  blockchainId: PrimaryChain;
  addresses: readonly string[];
}

/** The newest thing that happened to outputs of addresses on a chain; null if nothing did. */
export async function findLastActivity(storage: Reader, query: ActivityQuery): Promise<ActivityNode | null> {
  const [row] = await storage.read<{ text: string; unknown: number }>(
    activity,
    bind(activity, query as never),
  );
  if (!row) return null;
  const { network, blockchainId: chain } = query;
  const node = Object.assign(parseJson(row.text) as ActivityNode, { network, chain, text: row.text });
  restoreUnknown(node, row.unknown);
  return node;
}
