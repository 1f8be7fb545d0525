import { hrpOf, publicIdentities } from '../avalanche/identity.js';
import { networks, type Network } from '../avalanche/networks.js';
import {
  asId,
  asList,
  asMember,
  asObject,
  asText,
  asWhole,
  INT64_MAX,
  ifGiven,
  wrong,
} from '../rows/check.js';
import { RowError } from '../rows/errors.js';
import { CHECKPOINT_FORMAT } from './checkpoint-tables.js';
import { IngestError } from './errors.js';
import { parseLine } from './line-value.js';
import { readChunks, splitLines } from './lines.js';

/** A followed network, by the columns of its table. */
export interface ExportedNetwork {
  readonly network: Network;
  readonly network_id: string;
  readonly genesis: string;
  readonly x_chain_id: string;
  readonly c_chain_id: string;
  readonly avax_asset_id: string;
  readonly c_evm_chain_id: string;
  readonly hrp: string;
}

/** Whether it is none of the public ones. */
export const isOwn = ({ network, network_id }: ExportedNetwork): boolean =>
  BigInt(network_id) !== publicIdentities[network].networkId;

/** The first line of a file of checkpoints. */
export interface ExportHeader {
  readonly networks: readonly ExportedNetwork[];
  /**
   * The names of all files of the export, without endings, with their rows; null of a part, whose rows
   * nothing follows.
   */
  readonly files: ReadonlyMap<string, number> | null;
}

/** @throws IngestError */
export async function readHeader(path: string): Promise<ExportHeader> {
  try {
    return headerOf(parseLine(await firstLine(path)));
  } catch (error) {
    if (!(error instanceof RowError)) throw error;
    throw new IngestError(`${path}:1: ${error.message}. Nothing was imported`, { cause: error });
  }
}

async function firstLine(path: string): Promise<string> {
  for await (const [line] of splitLines(readChunks(path, () => undefined)))
    if (line) {
      if (line.text === null || line.number > 1) break;
      return line.text;
    }
  throw new RowError('the first line, which says what is exported, is missing');
}

function headerOf(value: unknown): ExportHeader {
  const { format, version, networks: given, files } = asObject<Record<string, unknown>>(value, 'the line');
  const number = Number(asWhole(INT64_MAX, 1n)(format, 'format'));
  if (number > CHECKPOINT_FORMAT)
    throw new RowError(
      `it was written by Moraine ${asText(version, 'version')} in format ${number}, and this version reads up to ${CHECKPOINT_FORMAT}: import it with that version or a newer one`,
    );
  const named = asList(asNetwork, networks.length)(given, 'networks');
  if (named.length !== new Set(named.map(({ network }) => network)).size || named.length === 0)
    throw new RowError('networks: must be one or two networks, each once');
  return { networks: named, files: ifGiven(asFiles, files, 'files') };
}

function asNetwork(value: unknown, name: string): ExportedNetwork {
  const row = asObject<ExportedNetwork>(value, name);
  const network = asMember(networks)(row.network, `${name}.network`);
  const networkId = asWhole(2n ** 32n - 1n)(row.network_id, `${name}.network_id`);
  const known = networks.find((each) => publicIdentities[each].networkId === BigInt(networkId));
  if (network !== (known ?? 'fuji'))
    throw wrong(`${name}.network_id`, networkId, `the number of a network that is shown as ${network}`);
  const read = {
    network,
    network_id: networkId,
    genesis: asId(row.genesis, `${name}.genesis`),
    x_chain_id: asId(row.x_chain_id, `${name}.x_chain_id`),
    c_chain_id: asId(row.c_chain_id, `${name}.c_chain_id`),
    avax_asset_id: asId(row.avax_asset_id, `${name}.avax_asset_id`),
    c_evm_chain_id: asWhole(INT64_MAX)(row.c_evm_chain_id, `${name}.c_evm_chain_id`),
    hrp: hrpOf(BigInt(networkId)),
  };
  if (!isOwn(read)) checkPublic(read, name);
  return read;
}

function checkPublic({ network, ...row }: ExportedNetwork, name: string): void {
  const { blockchainIds, nativeAssetId, evmChainId } = publicIdentities[network];
  const known = [blockchainIds.x, blockchainIds.c, nativeAssetId, evmChainId.toString()];
  if (known.join() !== [row.x_chain_id, row.c_chain_id, row.avax_asset_id, row.c_evm_chain_id].join())
    throw new RowError(`${name}: has the number of ${network}, but its chains are not those of ${network}`);
}

const asRows = asWhole(INT64_MAX);

function asFiles(value: unknown, name: string): ReadonlyMap<string, number> {
  const files = Object.entries(asObject(value, name));
  return new Map(files.map(([file, rows]) => [file, Number(asRows(rows, `${name}.${file}`))]));
}
