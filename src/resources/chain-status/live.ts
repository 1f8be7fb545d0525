import type { ArgumentValues } from '../../arguments/argument.js';
import type { LiveList } from '../../live/live-list.js';
import type { chainStatusArguments } from './arguments.js';
import type { ChainStatusNode } from './fields.js';
import { chainStatusStatement, readChainStatus } from './store.js';

/** Chains of the primary network of which more was stored. */
export const liveChainStatus: LiveList<ArgumentValues<typeof chainStatusArguments>, ChainStatusNode> = {
  name: 'chainStatus',
  kinds: ['chain_status'],
  async read(storage, { network, keys }) {
    const all = await readChainStatus(() => storage.read(chainStatusStatement, []));
    return keys.map((key) => all.find((each) => each.network === network && each.chain === key) ?? null);
  },
  matches: { network: (value, node) => node.network === value },
};
