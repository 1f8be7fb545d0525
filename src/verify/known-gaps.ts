import { shorten } from '../errors.js';
import { callsOf } from '../follow/evm/frames.js';
import type { TransactionTrace } from '../follow/node/evm-apis.js';
import { NodeError } from '../follow/node/error.js';
import type { EvmNodes } from '../follow/node/nodes.js';
import { streamOf, type MissingTransactions, type PipelineName } from '../follow/pipeline.js';
import { proved } from '../follow/node/proof.js';
import { gapTable } from '../state/following.js';
import type { Connection } from '../storage/session.js';
import { noDifference, type Outcome } from './finding.js';
import type { Scope } from './tables.js';

/** Transactions of gaps that a node is asked for: there may be any number. */
const MOST_ASKED = 1000;
/** Milliseconds for all of them: a node may take a minute for one. */
const ASKING_MS = 120_000;
/** Blocks, and transactions of each, that are shown. */
const MOST_SHOWN = 5;
/** Longest part of what a node said, characters. */
const SHOWN_REASON = 200;

/** A block with a gap: every node refused some of its rows. */
export interface KnownGap extends MissingTransactions {
  readonly network: string;
  readonly name: PipelineName;
  readonly height: bigint;
}

/** The lowest gaps of a database, and how many there are. */
export interface KnownGaps {
  readonly gaps: readonly KnownGap[];
  readonly count: number;
}

/** What a node says of transactions that every node refused before. */
export interface AskedAgain {
  readonly asked: ReadonlySet<string>;
  /** Those that it traces. */
  readonly given: ReadonlySet<string>;
  /** The addresses whose balances they may have changed, 0x and 40 digits in lower case. */
  readonly touched: ReadonlySet<string>;
}

const isOfScope = `($1::network IS NULL OR network = $1::network AND split_part(name, ':', 2) IN ('', $2))`;

/** Reads gaps, as many as a node is asked for. @param scope whose; null: all */
export async function readKnownGaps(connection: Connection, scope: Scope): Promise<KnownGaps> {
  const values = [scope?.network ?? null, String(scope?.cEvmChainId ?? '')];
  const { rows: counted } = await connection.query<{ count: string }>(
    `SELECT count(*)::text AS count FROM ${gapTable.name} WHERE ${isOfScope}`,
    values,
  );
  const { rows } = await connection.query<Omit<KnownGap, 'height'> & { height: string }>(
    `SELECT network::text AS network, name, height::text AS height, transactions, reason FROM ${gapTable.name}
     WHERE ${isOfScope} ORDER BY ${gapTable.name}.network, name, ${gapTable.name}.height LIMIT ${MOST_ASKED}`,
    values,
  );
  return {
    gaps: rows.map((row) => ({ ...row, height: BigInt(row.height) })),
    count: Number(counted[0]?.count),
  };
}

/** Asks a node once for the traces of what was refused. @throws the signal's reason */
export async function askAgain(
  { gaps }: KnownGaps,
  { evm }: Pick<EvmNodes, 'evm'>,
  signal: AbortSignal,
): Promise<AskedAgain> {
  const [given, touched] = [new Set<string>(), new Set<string>()];
  const ending = AbortSignal.any([signal, AbortSignal.timeout(ASKING_MS)]);
  // Gaps of these are refused receipts, which do not say whom a transaction touches.
  const traced = gaps.filter(({ name }) => !['nfts', 'messages'].includes(streamOf(name)));
  const wanted = traced.flatMap((gap) => gap.transactions.map((hash) => ({ ...gap, hash })));
  const some = wanted.slice(0, MOST_ASKED);
  await Promise.all(
    some.map(async ({ name, height, hash }) => {
      const read = ({ trace }: TransactionTrace) =>
        proved(`the trace of transaction ${hash}`, () => callsOf(trace).accounts);
      try {
        const { value } = await evm.trace(hash, height, { signal: ending, patienceMs: 0, read });
        given.add(hash);
        if (streamOf(name) === 'balances') value.forEach((each) => touched.add(each));
      } catch (error) {
        signal.throwIfAborted();
        if (!(error instanceof NodeError || ending.aborted)) throw error;
      }
    }),
  );
  return { asked: new Set(some.map(({ hash }) => hash)), given, touched };
}

/** The gaps as an outcome; nothing where there are none. @param said null where no node is asked */
export function gapsOutcome({ gaps, count }: KnownGaps, said: AskedAgain | null): Outcome[] {
  if (count === 0) return [];
  const lines = gaps.slice(0, MOST_SHOWN).flatMap((gap) => inWords(gap, said));
  if (count > MOST_SHOWN) lines.push(`and ${(count - MOST_SHOWN).toLocaleString('en')} more`);
  return [{ ...noDifference('gaps', 'what every node refused so far', count), gaps: lines }];
}

function inWords(
  { network, name, height, transactions, reason }: KnownGap,
  said: AskedAgain | null,
): string[] {
  const where = `${network} ${name}, block ${height.toLocaleString('en')}`;
  const lines = transactions
    .slice(0, MOST_SHOWN)
    .map(
      (hash) =>
        `${where}, transaction ${hash}: not stored, because every node refused it; it is asked for again${nowOf(hash, said)}. It said: ${shorten(reason, SHOWN_REASON)}`,
    );
  const more = transactions.length - MOST_SHOWN;
  return more > 0 ? [...lines, `${where}: and ${more.toLocaleString('en')} more transactions`] : lines;
}

function nowOf(hash: string, said: AskedAgain | null): string {
  if (!said?.asked.has(hash)) return '';
  return said.given.has(hash)
    ? '. This node gives it: follow it too, and the gap is filled'
    : '. This node does not give it either';
}
