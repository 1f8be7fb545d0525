import { unlessRefused } from '../node/error.js';
import type { EvmNodes } from '../node/nodes.js';
import type { Timed } from './day-end.js';

/**
 * What the configuration of a chain does to balances, in the first block of a time or later: no transaction
 * shows it.
 */
export interface ConfigChange {
  /** Unix seconds. */
  readonly time: number;
  /** 0x and 40 digits in lower case. */
  readonly accounts: readonly string[];
}

/**
 * The precompiles of subnet-evm: the account of one that is disabled is removed, with the coins that were
 * sent to it.
 */
const precompiles = Array.from({ length: 6 }, (_, index) => `0x02${index.toString(16).padStart(38, '0')}`);

type Members = Readonly<Record<string, unknown>>;

/**
 * What upgrades of a chain of subnet-evm change, and the first coins of its minter (subnet-evm,
 * eth_getChainConfig): those of the genesis, and those of the node's own upgrade.json. Null of a chain of
 * another kind.
 *
 * @throws NodeError when none can answer
 */
export async function configChanges(
  { evm }: Pick<EvmNodes, 'evm'>,
  signal: AbortSignal,
): Promise<ConfigChange[] | null> {
  const config = evm.call('eth_getChainConfig', [], { signal });
  const given = await unlessRefused(config, ['method-missing'], null);
  return given === null ? null : changesOf(membersOf(given));
}

/** @param config of a genesis, or of a node */
export function changesOf(config: Members): ConfigChange[] {
  const { precompileUpgrades, stateUpgrades } = membersOf(config['upgrades']);
  const all = [config['contractNativeMinterConfig'], ...listOf(stateUpgrades)];
  all.push(...listOf(precompileUpgrades).flatMap((each) => Object.values(membersOf(each))));
  return all.map(membersOf).flatMap(({ blockTimestamp, accounts, initialMint, disable }) => {
    const named = [accounts, initialMint].flatMap((each) => accountsAmong(Object.keys(membersOf(each))));
    const touched = disable === true ? [...named, ...precompiles] : named;
    return touched.length === 0 ? [] : [{ time: Number(blockTimestamp ?? 0), accounts: touched }];
  });
}

/** Those texts that are accounts, 0x and 40 digits in lower case; writers may leave out 0x. */
export const accountsAmong = (texts: readonly string[]): string[] =>
  texts
    .map((text) => `0x${text.toLowerCase().replace(/^0x/, '')}`)
    .filter((text) => /^0x[0-9a-f]{40}$/.test(text));

const membersOf = (value: unknown): Members =>
  typeof value === 'object' && value !== null ? (value as Members) : {};
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/**
 * The accounts that changes touch in consecutive blocks, by the index of the block.
 *
 * @param timeBefore the time of the block before the first one, Unix seconds; not asked for where the first
 *   one is the genesis
 */
export async function changedIn(
  blocks: readonly Timed[],
  changes: readonly ConfigChange[],
  timeBefore: () => Promise<number>,
): Promise<ReadonlyMap<number, readonly string[]>> {
  const found = new Map<number, readonly string[]>();
  for (const { time, accounts } of changes) {
    const index = blocks.findIndex((block) => block.time >= time);
    if (index < 0) continue;
    // A later block than the one in which it was made.
    if (index === 0 && blocks[0]!.height > 0n && (await timeBefore()) >= time) continue;
    found.set(index, [...(found.get(index) ?? []), ...accounts]);
  }
  return found;
}
