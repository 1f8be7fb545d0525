import type { BlockType } from '../generated/things/graphql.js';
import { Badge } from './badge.js';

const tones: Partial<Record<BlockType, string>> = {
  commit: 'is-spendable',
  abort: 'is-bad',
  proposal: 'is-waiting',
};

/** What a block of the P-chain is for; blocks of other chains are all of one kind. */
export const BlockKind = ({ type }: { type: BlockType | null }) =>
  type ? <Badge tone={tones[type] ?? ''}>{type}</Badge> : <span class="unknown">–</span>;
