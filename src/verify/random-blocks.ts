import { randomInt } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { typesWhere } from '../avalanche/chain/transactions.js';
import { withSnapshot } from '../export/snapshot.js';
import { gapTable, networkTable } from '../state/following.js';
import type { Connection } from '../storage/session.js';
import type { Storage } from '../storage/storage.js';
import { ComparedBlocks } from './compared-blocks.js';
import { Findings, type Outcome } from './finding.js';
import { askAgain, gapsOutcome, readKnownGaps } from './known-gaps.js';
import { isUnsaid } from './compare-tables.js';
import { replay, type ReplayDeps, type Stretch } from './replay.js';
import { isLessExact, shown, valuesOf } from './row-values.js';
import { inOrder, selectOf, type NaturalRow } from './table-rows.js';
import { RowsOfGaps } from './rows-of-gaps.js';
import { followedTables, stateTables, tableNamed, type ProvedTable, type Scope } from './tables.js';

const by = 'random blocks of the node, followed again';
/** Ranges of a chain, and blocks of each. */
const RANGES = 8;
const RANGE_BLOCKS = 500;
const PAGE = 500;

/** What blocks say by themselves, whatever was before them. */
const tables = [
  'block',
  'transaction',
  'transaction_output',
  'transaction_input',
  'utxo',
  'internal_tx',
  'icm_message',
].map(tableNamed);
/** Fields of transactions that come from the state of stakers. */
const ofState = ['details.estimatedReward', 'details.l1ValidatorDetails'];
/** Of messages: what another block says, or the other chain, or the list of chains. */
const ofOthers = [
  'details.status',
  'details.rewardDetails',
  'details.messageExecuted',
  'details.receiptDelivered',
  // A message that was sent again was sent by the first transaction.
  'source_id',
  'destination_id',
  'timestamp',
  'tie',
  'details.sourceTransaction',
];

/**
 * Follows random ranges of long chains once more, each chain by itself, and compares what their blocks say.
 * What they do not say, such as what spent an output later, is not compared.
 *
 * @throws FollowError, NodeError; what the databases throw
 */
export async function compareRandomBlocks(
  stored: Storage,
  stretches: readonly Stretch[],
  deps: ReplayDeps,
): Promise<Outcome[]> {
  const findings = new Map(tables.map(({ name }) => [name, new Findings()]));
  const compared = new Map<string, number>();
  const blocks = new ComparedBlocks(by);
  const { network, cEvmChainId } = deps.identity;
  const scope: NonNullable<Scope> = { network, cEvmChainId };
  const refused = new Map<string, Outcome>();
  for (let round = 0; round < RANGES; round += 1) {
    const ranges = stretches.map(rangeOf);
    await beginAnew(deps.storage);
    const problems = await replay(ranges, deps);
    for (const { name, first, next } of ranges) blocks.note(name, next - first, problems.get(name));
    await withSnapshot(deps.storage, (proved) =>
      withSnapshot(stored, async (ours) => {
        const gaps = new RowsOfGaps({ stored: ours, proved }, scope, new Set());
        for (const table of tables) {
          const noted = { findings: findings.get(table.name) as Findings, gaps };
          const count = await compareNoted(ours, proved, table, noted);
          compared.set(table.name, (compared.get(table.name) ?? 0) + count);
        }
        for (const outcome of await gaps.notProved(by)) refused.set(outcome.name, outcome);
      }),
    );
  }
  const known = await stored.session((session) => readKnownGaps(session, scope));
  return [
    ...tables.map(({ name }) => (findings.get(name) as Findings).outcome(name, by, compared.get(name) ?? 0)),
    ...blocks.outcomes(),
    ...refused.values(),
    ...gapsOutcome(known, await askAgain(known, deps.nodes, deps.signal)),
  ];
}

function rangeOf({ name, first, next }: Stretch): Stretch {
  const room = Number(next - first) - RANGE_BLOCKS;
  const begin = first + BigInt(room > 0 ? randomInt(room) : 0);
  const end = begin + BigInt(RANGE_BLOCKS);
  return { name, first: begin, next: end < next ? end : next };
}

/** All that following fills but the network itself, and the rows that others name. */
const filled = [
  ...[...followedTables, ...stateTables]
    .filter(({ name, isDictionary }) => isDictionary !== true && name !== networkTable.name)
    .map(({ name }) => name),
  gapTable.name,
];

/** The scratch database follows another range: nothing of the one before is left. */
async function beginAnew(scratch: Storage): Promise<void> {
  await scratch.session((session) => session.query(`TRUNCATE ${filled.join(', ')}`));
}

/** Where differences are noted. */
interface Noted {
  readonly findings: Findings;
  readonly gaps: RowsOfGaps;
}

/** Compares the rows of a table that one side has with those of the same keys. */
async function compareNoted(
  stored: Connection,
  proved: Connection,
  table: ProvedTable,
  noted: Noted,
): Promise<number> {
  const select = await selectOf(proved, table, null);
  let page: NaturalRow[] = [];
  let count = 0;
  const flush = async () => {
    count += page.length;
    const known = await rowsOf(stored, table, page);
    for (const { key, row } of page) await compareOne(table, key, known.get(key), row, noted);
    page = [];
  };
  for await (const row of inOrder(proved, table.name, select)) {
    page.push(row);
    if (page.length === PAGE) await flush();
  }
  await flush();
  return count;
}

const isHash = (part: string) => part.length > 20;

/** The stored rows of some keys, found by an index: by the id of the row, of its transaction, or a number. */
async function rowsOf(
  stored: Connection,
  table: ProvedTable,
  page: readonly NaturalRow[],
): Promise<Map<string, string>> {
  const names = page.map(({ key }) => key.split(' ')).map((parts) => parts.find(isHash) ?? parts.at(-1));
  const select = await selectOf(stored, table, null);
  const condition = {
    utxo: 't.utxo_id = ANY($1)',
    transaction: 't.tx_hash = ANY($1)',
    block:
      't.network = ANY(enum_range(NULL::network)) AND t.chain = ANY(enum_range(NULL::primary_chain)) AND t.number = ANY($1::numeric[])',
    internal_tx: 't.tx_hash = ANY($1::bytea[])',
    icm_message: 't.message_id = ANY($1::bytea[])',
  }[table.name];
  const { rows } = await stored.query<NaturalRow>(
    `${select} WHERE ${condition ?? 't.transaction_id IN (SELECT id FROM transaction WHERE tx_hash = ANY($1))'}`,
    [names],
  );
  return new Map(rows.map(({ key, row }) => [key, row]));
}

async function compareOne(
  table: ProvedTable,
  key: string,
  stored: string | undefined,
  proved: string,
  { findings, gaps }: Noted,
): Promise<void> {
  const { name } = table;
  if (stored === undefined) {
    const missing = { key, column: null, stored: null, proved: valuesOf(proved) };
    if ((await gaps.whose(name, missing)) === 'stored') findings.noteMissing();
    else findings.add({ row: key, column: null, stored: 'no such row', proved });
    return;
  }
  const [ours, theirs] = [valuesOf(stored), valuesOf(proved)];
  for (const [column, value] of theirs) {
    const isUnknown = value === null || (Array.isArray(value) && value.length === 0);
    if (isUnknown || isLater(name, column, theirs) || isUnsaid(table, column, ours)) continue;
    const held = ours.get(column);
    if (!isDeepStrictEqual(held, value) && !isLessExact(table.sortKey, column, held))
      findings.add({ row: key, column, stored: shown(held), proved: shown(value) });
  }
}

/** Whether a value depends on what is before or after the blocks. */
function isLater(table: string, column: string, row: ReadonlyMap<string, unknown>): boolean {
  if (table === 'utxo') return ['staked', 'reward_type'].includes(column);
  if (table === 'icm_message') return ofOthers.includes(column);
  if (table !== 'transaction') return false;
  // What is left of a balance is an output of these.
  const returns = typesWhere('l1Balance', 'returns').some((type) => type === row.get('tx_type'));
  return ofState.includes(column) || (returns && column.startsWith('details.'));
}
