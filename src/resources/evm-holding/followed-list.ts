import type { Find } from '../../lists/find.js';
import { pipelineTable } from '../../state/following.js';
import { bind, statement } from '../../storage/statement.js';

const followed = pipelineTable.as('followed');

const followedBlocks = statement(
  'evm_holding_followed',
  `SELECT min(${followed.lastTime})::text AS time
   FROM unnest(:chains::bigint[]) WITH ORDINALITY AS wanted(chain, ordinal)
   LEFT JOIN ${followed.from} ON ${followed.name} = 'balances:' || wanted.chain
   GROUP BY wanted.ordinal ORDER BY wanted.ordinal`,
);

/**
 * The time of the newest block whose balances are stored, by EVM chain id (decimal): Unix seconds; null for a
 * chain whose balances are not followed.
 */
export const findFollowedTimes: Find<string, bigint> = async (storage, chains) => {
  const rows = await storage.read<{ time: string | null }>(followedBlocks, bind(followedBlocks, { chains }));
  return rows.map(({ time }) => (time === null ? null : BigInt(time)));
};
