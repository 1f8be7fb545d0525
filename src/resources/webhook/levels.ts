import { identityOf } from '../../avalanche/identity.js';
import type { Network, PrimaryChain } from '../../avalanche/networks.js';
import type { Reader } from '../../storage/reader.js';
import { bind, statement } from '../../storage/statement.js';
import { l1ValidatorTable, stakingTable } from '../../state/staking.js';
import { publishedKinds, type HeldNode } from '../address/fields.js';
import { readChainBalances } from '../address/store.js';
import { blockchainIdSql } from '../primary-chain/fields.js';
import { l1StateOf } from '../l1-validator/fields.js';
import { subEventsOf, type NewWebhook, type WebhookMetadata } from './fields.js';
import type { Level } from './store.js';
import {
  eventOf,
  getsEntry,
  targetColumns,
  type MadeEvent,
  type EntryContext,
  type Target,
} from './targets.js';

/** A webhook's address whose balance an output changed. */
export interface Touched {
  readonly target: Target;
  readonly address: string;
}

/** A level that changed, or is known first. */
export interface NewLevel extends Level {
  /** Of the webhook, decimal digits. */
  readonly rowId: string;
}

/** What thresholds tell, and on which side of them everything is now. */
export interface Crossed {
  readonly events: MadeEvent[];
  readonly levels: NewLevel[];
}

interface Watched {
  network: Network;
  chain: PrimaryChain;
  metadata: WebhookMetadata;
}

/** The balance in AVAX of an address, of the kind that a webhook watches, now; nAVAX. */
async function balanceOf(
  storage: Reader,
  { network, chain, metadata }: Watched,
  address: string,
): Promise<bigint> {
  const kind = publishedKinds[chain][metadata.balanceThresholdFilter?.balanceType ?? ''];
  const query = {
    network,
    blockchainId: chain,
    addresses: [address],
    at: String(Math.floor(Date.now() / 1000)),
  };
  const { rows } = await readChainBalances(storage, query);
  const avax = identityOf(network).nativeAssetId;
  return rows
    .filter((row) => row.kind === kind)
    .map(({ text }) => JSON.parse(text) as HeldNode)
    .reduce((sum, held) => sum + (held.assetId === avax ? BigInt(held.amount) : 0n), 0n);
}

/** On which side of its threshold each address of a webhook is now; none where it has no threshold. */
export function levelsOf(
  storage: Reader,
  webhook: Pick<NewWebhook, 'network' | 'chain' | 'metadata'>,
  addresses: readonly string[],
): Promise<Level[]> {
  const { balanceThresholdFilter } = webhook.metadata;
  if (!balanceThresholdFilter) return Promise.resolve([]);
  const threshold = BigInt(balanceThresholdFilter.balanceThreshold);
  return Promise.all(
    addresses.map(async (subject) => ({
      subject,
      isAbove: (await balanceOf(storage, webhook, subject)) >= threshold,
    })),
  );
}

const knownLevels = statement(
  'webhook_levels',
  `SELECT given.nth::int AS nth, l.is_above AS "isAbove"
   FROM unnest(:rowIds::bigint[], :subjects::text[]) WITH ORDINALITY given(webhook_id, subject, nth)
   JOIN webhook_level l ON l.webhook_id = given.webhook_id AND l.subject = given.subject`,
);

/** Which addresses are on the other side of their threshold since their outputs changed. */
export async function crossedBalances(storage: Reader, touched: readonly Touched[]): Promise<Crossed> {
  const watching = touched.filter(({ target }) => subEventsOf(target.metadata).includes('balance_threshold'));
  const once = [...new Map(watching.map((each) => [`${each.target.rowId} ${each.address}`, each])).values()];
  if (once.length === 0) return { events: [], levels: [] };
  const rows = await storage.read<{ nth: number; isAbove: boolean }>(
    knownLevels,
    bind(knownLevels, {
      rowIds: once.map(({ target }) => target.rowId),
      subjects: once.map(({ address }) => address),
    }),
  );
  const known = new Map(rows.map(({ nth, isAbove }) => [nth - 1, isAbove]));
  const crossed: Crossed = { events: [], levels: [] };
  for (const [index, { target, address }] of once.entries()) {
    const { balanceType, balanceThreshold } = target.metadata.balanceThresholdFilter!;
    const balance = await balanceOf(storage, target, address);
    const isAbove = balance >= BigInt(balanceThreshold);
    if (known.get(index) === isAbove) continue;
    crossed.levels.push({ rowId: target.rowId, subject: address, isAbove });
    const { network } = target;
    const chainId = identityOf(network).blockchainIds[target.chain];
    const side = isAbove ? 'above' : 'below';
    const what = { network, chainId, address, balanceType, balanceThreshold, balance: `${balance}`, side };
    crossed.events.push(eventOf(target, 'balance_threshold', what));
  }
  return crossed;
}

const staking = stakingTable.as('c');
const validator = l1ValidatorTable.as('f');
const balance = `CASE WHEN ${validator.endFee} > 0 THEN ${validator.endFee} - ${staking.accrued} ELSE 0 END`;
const threshold = `(w.metadata ->> 'l1ValidatorFeeBalanceThreshold')`;

const crossedFees = statement(
  'webhook_crossed_fees',
  `SELECT ${targetColumns}, ARRAY[s.subject] AS keys, ${validator.validationId} AS "validationId",
     ${validator.nodeId} AS "nodeId", ${validator.subnetId} AS "subnetId", (${balance})::text AS balance,
     ${balance} >= ${threshold}::numeric AS "isAbove", l.is_above AS "wasAbove",
     ${blockchainIdSql('w.network', 'w.chain')} AS "chainId"
   FROM webhook w JOIN api_key k ON k.id = w.key_id JOIN webhook_subject s ON s.webhook_id = w.id
   JOIN ${validator.from} ON ${validator.network} = w.network AND ${validator.weight} > 0
     AND s.subject = CASE w.metadata ->> 'keyType' WHEN 'nodeId' THEN ${validator.nodeId} ELSE ${validator.subnetId} END
   JOIN ${staking.from} ON ${l1StateOf('w.network')}
   LEFT JOIN webhook_level l ON l.webhook_id = w.id AND l.subject = ${validator.validationId}
   WHERE w.network = :network::network AND ${threshold} IS NOT NULL AND ${getsEntry}
     AND coalesce(w.metadata -> 'nodeIds' @> to_jsonb(${validator.nodeId}), true)
     AND coalesce(w.metadata -> 'subnetIds' @> to_jsonb(${validator.subnetId}), true)
     AND (${balance} >= ${threshold}::numeric) IS DISTINCT FROM l.is_above`,
);

interface CrossedFee extends Target {
  readonly validationId: string;
  readonly nodeId: string;
  readonly subnetId: string;
  readonly balance: string;
  readonly isAbove: boolean;
  /** Null: it was not known. */
  readonly wasAbove: boolean | null;
  readonly chainId: string;
}

/** Which L1 validators of a network are on the other side of a webhook's threshold. */
export async function crossedFeeBalances(
  storage: Reader,
  network: Network,
  context: EntryContext,
): Promise<Crossed> {
  const rows = await storage.read<CrossedFee>(crossedFees, bind(crossedFees, { network, ...context }));
  const crossed: Crossed = { events: [], levels: [] };
  for (const row of rows) {
    const { rowId, metadata, validationId, nodeId, subnetId, isAbove, wasAbove, balance, chainId } = row;
    crossed.levels.push({ rowId, subject: validationId, isAbove });
    // Of one that is not known yet, only that it is below is news.
    if (wasAbove === null && isAbove) continue;
    const side = isAbove ? 'above' : 'below';
    const feeThreshold = metadata.l1ValidatorFeeBalanceThreshold;
    const what = {
      network,
      chainId,
      nodeId,
      subnetId,
      validationId,
      balance,
      balanceThreshold: feeThreshold,
      side,
    };
    crossed.events.push(eventOf(row, 'l1_validator_balance_threshold', what));
  }
  return crossed;
}
