import { toBytea } from '../../avalanche/evm.js';
import type { Batch } from '../../storage/session.js';

/** The owner of a token, and the transfer since which it is. */
export interface Transfer {
  /** Hex with 0x, as the hash. */
  owner?: string | undefined;
  lastTransferBlock?: bigint | undefined;
  lastTransferTimestamp?: bigint | undefined;
  lastTransferTxHash?: string | undefined;
}

/** A token of a row, with its transfer. */
export interface TransferredToken extends Transfer {
  evmChainId: bigint;
  address: string;
  tokenId: bigint;
}

/** The token as the key of its row, in PostgreSQL's texts. */
export const tokenKey = ({ evmChainId, address, tokenId }: TransferredToken) =>
  [evmChainId.toString(), toBytea(address.toLowerCase()), tokenId.toString()] as const;

/**
 * Calculates, from rows in the order of the import, what the tokens' rows must contain now: for each token
 * its newest transfer, or nothing if that is stored. Rows of one transfer are merged. A row without the time
 * of its transfer counts as newer than those before it; a row without a transfer changes none.
 */
export async function newestTransfers<Row extends TransferredToken>(
  client: Batch,
  rows: readonly Row[],
): Promise<Row[]> {
  const stored = await findTransfers(client, rows);
  const newest = new Map<string, Row>();
  for (const row of rows) {
    const key = tokenKey(row).join(' ');
    const known: Transfer | undefined = newest.get(key) ?? stored.get(key);
    if (known && (!saysTransfer(row) || isOlder(row, known))) continue;
    newest.set(key, known && isSame(row, known) ? { ...row, ...mergeTransfer(known, row) } : row);
  }
  return [...newest.values()];
}

const saysTransfer = ({
  owner,
  lastTransferBlock: block,
  lastTransferTimestamp: time,
  lastTransferTxHash: hash,
}: Transfer) => [owner, block, time, hash].some((each) => each !== undefined);

const whens = ['lastTransferBlock', 'lastTransferTimestamp', 'lastTransferTxHash'] as const;

/**
 * Whether both rows are about the same transfer: they agree on all values that both have, and there is at
 * least one.
 */
function isSame(row: Transfer, known: Transfer): boolean {
  const both = whens.filter((when) => row[when] !== undefined && known[when] !== undefined);
  const text = (value: unknown) => String(value).toLowerCase();
  return both.length > 0 && both.every((when) => text(row[when]) === text(known[when]));
}

function mergeTransfer(known: Transfer, row: Transfer): Transfer {
  return {
    owner: row.owner ?? known.owner,
    lastTransferBlock: row.lastTransferBlock ?? known.lastTransferBlock,
    lastTransferTimestamp: row.lastTransferTimestamp ?? known.lastTransferTimestamp,
    lastTransferTxHash: row.lastTransferTxHash ?? known.lastTransferTxHash,
  };
}

function isOlder(row: Transfer, known: Transfer): boolean {
  const before = (a: bigint | undefined, b: bigint | undefined) =>
    a !== undefined && b !== undefined && a < b;
  if (before(known.lastTransferBlock, row.lastTransferBlock)) return false;
  return (
    before(row.lastTransferBlock, known.lastTransferBlock) ||
    before(row.lastTransferTimestamp, known.lastTransferTimestamp)
  );
}

async function findTransfers(
  client: Batch,
  tokens: readonly TransferredToken[],
): Promise<Map<string, Transfer>> {
  type Stored = Record<'chain' | 'address' | 'token', string> &
    Record<'owner' | 'block' | 'time' | 'hash', string | null>;
  const keys = tokens.map(tokenKey);
  const { rows } = await client.query<Stored>(
    `SELECT t.evm_chain_id::text AS chain, '\\x' || encode(t.address, 'hex') AS address, t.token_id::text AS token,
       '0x' || encode(t.owner, 'hex') AS owner, t.last_transfer_block::text AS block,
       t.last_transfer_timestamp::text AS time, '0x' || encode(t.last_transfer_tx_hash, 'hex') AS hash
     FROM unnest($1::bigint[], $2::bytea[], $3::numeric[]) AS g(evm_chain_id, address, token_id)
     JOIN nft_token t ON (t.evm_chain_id, t.address, t.token_id) = (g.evm_chain_id, g.address, g.token_id)`,
    [0, 1, 2].map((index) => keys.map((key) => key[index])),
  );
  const number = (text: string | null) => (text === null ? undefined : BigInt(text));
  return new Map(
    rows.map(({ chain, address, token, owner, block, time, hash }) => [
      [chain, address, token].join(' '),
      {
        owner: owner ?? undefined,
        lastTransferTxHash: hash ?? undefined,
        lastTransferBlock: number(block),
        lastTransferTimestamp: number(time),
      },
    ]),
  );
}
