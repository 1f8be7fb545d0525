import type { FollowNetwork } from '../generated/prisma/client.js';
import { withSnapshot } from '../export/snapshot.js';
import { streamOf, type PipelineName } from '../follow/pipeline.js';
import { pipelineTable } from '../state/following.js';
import type { Connection } from '../storage/session.js';
import type { Storage } from '../storage/storage.js';
import { compareTable } from './compare-tables.js';
import { notCompared, type Outcome } from './finding.js';
import { askAgain, gapsOutcome, readKnownGaps } from './known-gaps.js';
import { comparePastValidators, RandomValidatorSets } from './past-validators.js';
import { compareRandomBlocks } from './random-blocks.js';
import { replay, type ReplayDeps, type Stretch } from './replay.js';
import { RowsOfGaps } from './rows-of-gaps.js';
import { balanceTables, followedTables, stateTables, type ProvedTable, type Scope } from './tables.js';

const by = 'the blocks of the node, followed again';

/**
 * Follows the blocks that a database has once more, in an empty one, and compares every row of every table
 * that a follower fills. What the first database gets meanwhile is followed at the end, so that both have the
 * same blocks.
 *
 * @param mostBlocks of a chain: of a network with a longer one only random blocks are followed again; null:
 *   no bound
 * @throws FollowError, NodeError; what the databases throw
 */
export async function againstNode(
  stored: Storage,
  given: Omit<ReplayDeps, 'tokens' | 'ownersOf'>,
  mostBlocks: bigint | null,
): Promise<Outcome[]> {
  const { cEvmChainId } = given.identity;
  const [tokens, before] = await stored.session(
    async (session) =>
      [await tokensOf(session, cEvmChainId), await stretchesOf(session, given.identity)] as const,
  );
  const options = { ...given, ...tokens };
  const isLong = mostBlocks !== null && before.some(({ first, next }) => next - first > mostBlocks);
  // Of blocks of the past that are read in ranges only some are stored.
  if (isLong || (await stored.prisma.followRange.count()) > 0)
    // A balance of a day depends on all blocks of the day.
    return compareRandomBlocks(
      stored,
      before.filter((one) => !isOfBalances(one)),
      options,
    );
  const validators = new RandomValidatorSets();
  const watched = { ...options, watch: validators.note };
  await replay(before, watched);
  const outcomes = await compareReplayed(stored, watched);
  return [...outcomes, ...(await comparePastValidators(validators.sets, options.nodes, options.signal))];
}

/** Follows what the database got meanwhile too, and compares. */
function compareReplayed(stored: Storage, deps: ReplayDeps): Promise<Outcome[]> {
  const { network } = deps.identity;
  return withSnapshot(stored, async (ours) => {
    const stretches = await stretchesOf(ours, deps.identity);
    const problems = await replay(stretches, deps);
    const incomplete = [...problems].map(([name, why]) =>
      notCompared(pipelineTable.name, by, `${name}: ${why}`),
    );
    if (incomplete.length > 0) return incomplete;
    const scope: NonNullable<Scope> = { network, cEvmChainId: deps.identity.cEvmChainId };
    const known = await readKnownGaps(ours, scope);
    const said = await askAgain(known, deps.nodes, deps.signal);
    return withSnapshot(deps.storage, async (proved) => {
      const sides = { stored: ours, proved };
      const gaps = new RowsOfGaps(sides, scope, said.touched);
      const outcomes: Outcome[] = [];
      for (const table of provedTables(stretches))
        outcomes.push(await compareTable(sides, table, { scope, by, gaps }));
      return [...outcomes, ...(await gaps.notProved(by)), ...gapsOutcome(known, said)];
    });
  });
}

/**
 * The tables that follow from these blocks alone. A state that began in the middle was taken from the node.
 */
function provedTables(stretches: readonly Stretch[]): readonly ProvedTable[] {
  const isWhole = stretches.every(({ name, first }) => name !== 'p' || first === 0n);
  const all = [...followedTables, ...(isWhole ? stateTables : [])];
  return stretches.some(isOfBalances) ? all : all.filter(({ name }) => !balanceTables.includes(name));
}

const isOfBalances = ({ name }: Stretch) => streamOf(name) === 'balances';

/**
 * The contracts of a chain whose tokens are followed by name, and others of whose tokens balances are stored.
 */
async function tokensOf(
  connection: Connection,
  evmChainId: bigint,
): Promise<Pick<ReplayDeps, 'tokens' | 'ownersOf'>> {
  const { rows } = await connection.query<{ contract: string; isNamed: boolean }>(
    `SELECT '0x' || encode(contract, 'hex') AS contract, bool_or(named) AS "isNamed" FROM (
       SELECT contract, false AS named FROM evm_holding WHERE kind <> 'native' AND evm_chain_id = $1
       UNION ALL SELECT contract, true FROM follow_token WHERE evm_chain_id = $1) each GROUP BY contract`,
    [String(evmChainId)],
  );
  const [tokens, ownersOf] = [true, false].map((named) =>
    rows.filter(({ isNamed }) => isNamed === named).map(({ contract }) => contract),
  );
  return { tokens: tokens!, ownersOf: ownersOf! };
}

/** The networks that a database has of nodes. */
export async function identitiesOf(storage: Storage): Promise<readonly FollowNetwork[]> {
  return storage.prisma.followNetwork.findMany({ orderBy: { network: 'asc' } });
}

/** Of the primary network, with the streams of its C-chain: other EVM chains have nodes of their own. */
async function stretchesOf(
  connection: Connection,
  { network, cEvmChainId }: FollowNetwork,
): Promise<Stretch[]> {
  const { rows } = await connection.query<{ name: PipelineName; first: string; next: string }>(
    `SELECT name, first_height::text AS first, next_height::text AS next FROM ${pipelineTable.name}
     WHERE network = $1::network AND split_part(name, ':', 2) IN ('', $2) ORDER BY name`,
    [network, String(cEvmChainId)],
  );
  return rows.map(({ name, first, next }) => ({ name, first: BigInt(first), next: BigInt(next) }));
}
