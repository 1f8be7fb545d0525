import type { Find } from '../../lists/find.js';
import { bind, statement } from '../../storage/statement.js';

const followedBlocks = statement(
  'evm_holding_followed',
  `SELECT min(followed.last_time)::text AS time
   FROM unnest(:chains::bigint[]) WITH ORDINALITY AS wanted(chain, place)
   LEFT JOIN follow_pipeline followed ON followed.name = 'balances:' || wanted.chain
   GROUP BY wanted.place ORDER BY wanted.place`,
);

/**
 * The time of the newest block whose balances are stored, by EVM chain id (decimal): Unix seconds; null for a chain whose
 * balances are not followed.
 */
export const findFollowedTimes: Find<string, bigint> = async (storage, chains) => {
  const rows = await storage.read<{ time: string | null }>(followedBlocks, bind(followedBlocks, { chains }));
  return rows.map(({ time }) => (time === null ? null : BigInt(time)));
};
