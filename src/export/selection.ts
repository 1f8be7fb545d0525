import type { Connection } from '../storage/session.js';
import { EVM_MAX } from '../avalanche/evm.js';
import { identityOf } from '../avalanche/identity.js';
import { chainName, networkOf, networks, parseNetwork, primaryChains } from '../avalanche/networks.js';
import { ExportError } from './errors.js';
import type { ExportKind, Selection } from './kind.js';

/** What to export, as the command line says it; an option that is absent selects everything. */
export interface SelectionOptions {
  network?: readonly string[];
  /** p, x, c or EVM chain ids. */
  chain?: readonly string[];
  kind?: readonly string[];
  /** A day or an ISO 8601 time, inclusive. */
  since?: string;
  /** The same, exclusive. */
  until?: string;
  withSecrets?: boolean;
}

/** The part of the selection that is known without the database. */
export interface Wanted {
  kinds: readonly ExportKind[];
  select: (client: Connection) => Promise<Selection>;
}

/**
 * @param exportKinds every kind, in the order in which they are written
 * @throws ExportError that names the first option that selects nothing known
 */
export function readSelection(options: SelectionOptions, exportKinds: readonly ExportKind[]): Wanted {
  const kinds = options.kind ?? exportKinds.map(({ name }) => name);
  const unknown = kinds.find((kind) => !exportKinds.some(({ name }) => name === kind));
  if (unknown !== undefined)
    throw wrong('kind', unknown, `one of ${exportKinds.map(({ name }) => name).join(', ')}`);
  const chosen = options.network?.map(
    (text) => parseNetwork(text) ?? fail(wrong('network', text, networks.join(' or '))),
  );
  const { primary, evm } = readChains(options.chain);
  const range = { since: readTime('since', options.since), until: readTime('until', options.until) };
  return {
    kinds: exportKinds.filter(({ name }) => kinds.includes(name)),
    async select(client) {
      const testChains = new Set([String(identityOf('fuji').evmChainId)]);
      for (const kind of exportKinds)
        for (const id of (await kind.testChains?.(client)) ?? []) testChains.add(id);
      return {
        networks: networks.filter((network) => chosen?.includes(network) ?? true),
        chains: primary ?? primaryChains,
        hasEvmChain: (id) =>
          (evm?.includes(id) ?? true) && (chosen?.includes(networkOf(testChains.has(id))) ?? true),
        ...range,
        installation: options.withSecrets ?? false,
        whole: [options.network, options.chain, options.kind, options.since, options.until].every(
          (option) => option === undefined,
        ),
        collate: (await comparesCodeUnits(client)) ? '' : ' COLLATE "C"',
      };
    },
  };
}

function readChains(texts: readonly string[] | undefined) {
  if (!texts) return { primary: null, evm: null };
  const found = texts.map((text) => {
    const primary = primaryChains.find((chain) => text === chain || text === chainName(chain));
    const evm = /^\d{1,19}$/.test(text) && BigInt(text) <= EVM_MAX ? BigInt(text).toString() : undefined;
    if (!primary && evm === undefined) throw wrong('chain', text, 'p, x, c or an EVM chain id');
    return { primary, evm };
  });
  return {
    primary: primaryChains.filter((chain) => found.some(({ primary }) => primary === chain)),
    evm: found.flatMap(({ evm }) => evm ?? []),
  };
}

function readTime(name: string, text: string | undefined): bigint | null {
  if (text === undefined) return null;
  const time = Date.parse(text);
  if (!/^\d{4}-\d\d-\d\d(T.+(Z|[+-]\d\d:\d\d))?$/.test(text) || Number.isNaN(time))
    throw wrong(name, text, 'a day such as 2026-01-31 (UTC) or a time such as 2026-01-31T12:00:00Z');
  return BigInt(Math.floor(time / 1000));
}

// Otherwise an index of a text column is not in the order that every installation shares.
async function comparesCodeUnits(client: Connection): Promise<boolean> {
  const { rows } = await client.query<{ provider: string; collation: string }>(
    `SELECT datlocprovider AS provider, datcollate AS collation FROM pg_database
     WHERE datname = current_database()`,
  );
  const [{ provider, collation } = { provider: '', collation: '' }] = rows;
  return provider === 'b' || (provider === 'c' && ['C', 'POSIX'].includes(collation));
}

function wrong(option: string, text: string, expected: string): ExportError {
  return new ExportError(`--${option} ${JSON.stringify(text)} is not ${expected}`);
}

function fail(error: ExportError): never {
  throw error;
}
