import { isDeepStrictEqual } from 'node:util';
import { formatAddress } from '../../../src/avalanche/address.js';
import { parseJson } from '../../../src/json.js';
import type { Storage } from '../../../src/storage/storage.js';
import type { AbsurdTransaction, Written, WrittenOutput } from './ledger.js';

/** Bytes that a text or a memo may have in a row. */
const LONGEST = { text: 65_536, name: 256, symbol: 64, memo: 256, createdMemo: 131_072, genesis: 2_097_154 };

interface StoredDetails {
  memo?: string;
  subnetOwnershipInfo?: object;
  blockchainInfo?: { chainName: string; genesisData?: string | object };
}

/** A text as a row has it: what is no character, or none that PostgreSQL stores, is U+FFFD, and it is cut. */
function textOf(bytes: Uint8Array, longest: number): string {
  const whole = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes).replaceAll('\0', '\uFFFD');
  let text = '';
  let size = 0;
  for (const character of whole) {
    size += Buffer.byteLength(character);
    if (size > longest) break;
    text += character;
  }
  return text;
}

const hex = (bytes: Uint8Array) => `0x${Buffer.from(bytes).toString('hex')}`;
const ownersOf = ({ addresses, ...owner }: WrittenOutput | NonNullable<Written['owner']>) => ({
  locktime: String(owner.locktime),
  threshold: String(owner.threshold),
  addresses: addresses.map((each) => formatAddress('fuji', each)),
});

/** What of stored transactions and outputs is not what was written, for people. */
export async function differencesOf(
  { prisma }: Pick<Storage, 'prisma'>,
  all: readonly AbsurdTransaction<{ id: string; type: string }>[],
): Promise<string[]> {
  const differences: string[] = [];
  const compare = (what: string, stored: unknown, written: unknown) => {
    if (!isDeepStrictEqual(stored, written))
      differences.push(
        `${what}: ${JSON.stringify(stored)?.slice(0, 200)} instead of ${JSON.stringify(written)?.slice(0, 200)}`,
      );
  };
  // As text: whole numbers of 64 bits would be rounded.
  const stored = await prisma.$queryRaw<{ id: string; text: string }[]>`
    SELECT tx_hash AS id, details::text AS text FROM transaction`;
  const rows = new Map(stored.map(({ id, text }) => [id, parseJson(text) as StoredDetails]));
  const outputs = await prisma.utxo.findMany({ orderBy: { outputIndex: 'asc' } });
  const assets = new Map((await prisma.asset.findMany()).map((asset) => [asset.assetId, asset]));
  for (const { transaction, written } of all) {
    const { id, type } = transaction;
    const row = rows.get(id);
    if (!row) {
      differences.push(`${type} ${id} is not stored`);
      continue;
    }
    const { memo, subnetOwnershipInfo, blockchainInfo } = row;
    const longestMemo = type === 'CreateAssetTx' ? LONGEST.createdMemo : LONGEST.memo;
    const { memo: bytes = new Uint8Array(0) } = written;
    compare(`${id} memo`, memo, bytes.length > longestMemo ? undefined : hex(bytes));
    if (written.owner) compare(`${id} owner`, inDigits(subnetOwnershipInfo), ownersOf(written.owner));
    if (written.chain) differences.push(...chainFaults(id, written.chain, blockchainInfo));
    const asset = assets.get(id);
    if (written.asset && asset) {
      const { name, symbol, denomination } = written.asset;
      compare(`${id} name`, asset.name, textOf(name, LONGEST.name));
      compare(`${id} symbol`, asset.symbol, textOf(symbol, LONGEST.symbol));
      compare(`${id} denomination`, asset.denomination, denomination);
    }
    const made = outputs.filter(({ txHash }) => txHash === id).slice(0, written.outputs.length);
    const held = made.map((each) => ({
      locktime: each.platformLocktime?.toFixed(0),
      threshold: String(each.threshold),
      addresses: each.addresses,
      amount: each.amount.toFixed(0),
      lock: each.stakeableLocktime?.toFixed(0) ?? null,
    }));
    const given = written.outputs.map(({ amount, stakeableLocktime: lock, ...owner }) => ({
      ...ownersOf({ ...owner, amount, stakeableLocktime: lock }),
      amount: String(amount),
      lock: lock === null ? null : String(lock),
    }));
    // Those of an asset stand after them.
    compare(`${id} outputs`, held, given);
  }
  return differences;
}

const inDigits = (value: object | undefined) =>
  value &&
  Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, Array.isArray(each) ? each : String(each)]),
  );

function chainFaults(
  id: string,
  { name, genesis }: NonNullable<Written['chain']>,
  stored: StoredDetails['blockchainInfo'],
): string[] {
  const faults: string[] = [];
  const text = textOf(name, LONGEST.text);
  if (stored?.chainName !== text)
    faults.push(`${id} chain name: ${JSON.stringify(stored?.chainName).slice(0, 200)}`);
  const encoded = genesis.bytes.toString('base64');
  const { genesisData } = stored ?? {};
  const isRight =
    typeof genesisData === 'object'
      ? Object.keys(genesisData).every((key) =>
          Object.hasOwn(JSON.parse(genesis.bytes.toString()) as object, key),
        )
      : !genesis.isSound && genesisData === (encoded.length > LONGEST.genesis ? undefined : encoded);
  return isRight
    ? faults
    : [
        ...faults,
        `${id} genesis: ${JSON.stringify(genesisData)?.slice(0, 200)} of ${genesis.bytes.toString().slice(0, 200)}`,
      ];
}
