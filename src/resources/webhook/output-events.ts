import { identityOf, parseBlockchainId } from '../../avalanche/identity.js';
import type { FeedEntry } from '../../live/entry.js';
import type { Reader } from '../../storage/reader.js';
import { utxoFields, type UtxoNode } from '../utxo/fields.js';
import { liveUtxos } from '../utxo/live.js';
import { subEventsOf } from './fields.js';
import type { Touched } from './levels.js';
import { eventOf, findTargets, type MadeEvent, type EntryContext, type Target } from './targets.js';

/** What an entry of outputs that were stored or spent is news of, and whose balances it changed. */
export async function outputEvents(
  storage: Reader,
  entry: FeedEntry,
  context: EntryContext,
): Promise<{ events: MadeEvent[]; touched: Touched[] }> {
  const { network } = entry;
  if (!network) return { events: [], touched: [] };
  const outputs = (await liveUtxos.read(storage, entry)).filter((output) => output !== null);
  const owners = [...new Set(outputs.flatMap(({ addresses }) => addresses))];
  const targets = await findTargets(storage, 'primary_network_address_activity', network, owners, context);
  const events: MadeEvent[] = [];
  const touched: Touched[] = [];
  for (const output of targets.length > 0 ? outputs : [])
    for (const target of targets.filter((each) => isOnChain(output, each))) {
      const addresses = output.addresses.filter((address) => target.keys.includes(address));
      if (addresses.length === 0) continue;
      events.push(...eventsOf(target, entry, output, addresses));
      touched.push(...addresses.map((address): Touched => ({ target, address })));
    }
  return { events, touched };
}

/** As the list of the chain has it: an exported output is in those of both chains. */
const isOnChain = ({ network, createdOnChainId, consumedOnChainId }: UtxoNode, { chain }: Target): boolean =>
  [createdOnChainId, consumedOnChainId].some((id) => parseBlockchainId(network, id) === chain);

function eventsOf(
  target: Target,
  { kind }: FeedEntry,
  output: UtxoNode,
  addresses: readonly string[],
): MadeEvent[] {
  const wanted = subEventsOf(target.metadata);
  const { network } = output;
  const chainId = identityOf(network).blockchainIds[target.chain];
  const what = { network, chainId, addresses, utxo: shownOutput(output) };
  const change = kind === 'spent_utxo' ? 'spent' : 'created';
  return [
    ...(wanted.includes('balance_change') ? [eventOf(target, 'balance_change', { ...what, change })] : []),
    ...(wanted.includes('reward_distribution') && change === 'created' && output.rewardType
      ? [eventOf(target, 'reward_distribution', what)]
      : []),
  ];
}

/** An output as REST has it, but what is not known is left out. */
function shownOutput(output: UtxoNode): object {
  // A member without a value is left out.
  const asset = { ...output.asset, network: undefined };
  const members = Object.keys(utxoFields).map((name) => [name, output[name as keyof UtxoNode] ?? undefined]);
  return { ...(Object.fromEntries(members) as object), asset };
}
