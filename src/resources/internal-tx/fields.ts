import { EVM_MAX, toBytea } from '../../avalanche/evm.js';
import { columnOf, type RecordOf } from '../../fields/column.js';
import {
  boolean,
  choice,
  digits,
  evmAddress,
  evmHash,
  fieldsText,
  is,
  object,
  plain,
  small,
  uri,
  whole,
} from '../../fields/field.js';
import type { Details, Fields, Kind, NodeOf } from '../../fields/field.js';
import { asHash, asUint256 } from '../../rows/check-evm.js';
import { asBoolean, asDigits, asMember, asSeconds } from '../../rows/check.js';
import { parseJson } from '../../json.js';
import type { NodeSource } from '../../lists/list.js';

/** The types of frames that are stored (docs/contract.md, "Internal transactions"), with what they do. */
export const internalTxTypes = {
  CALL: 'Called an address with a value.',
  CALLCODE: "Ran another contract's code in its own storage, with a value.",
  CREATE: "Created a contract at an address derived from the creator's nonce.",
  CREATE2: 'Created a contract at an address derived from its code and a salt.',
  CREATE3: 'Created a contract at an address derived from a salt alone.',
};
export type InternalTxType = keyof typeof internalTxTypes;
/** Types of the specification's closed set that are never stored. */
export const foreignTypes = ['UNKNOWN', 'DELEGATECALL', 'STATICCALL'] as const;
const storedTypes = Object.keys(internalTxTypes) as InternalTxType[];

const party = {
  address: is(evmAddress, 'Address, hex with the mixed case of EIP-55'),
  name: is(plain, "The token's full name", 'where unknown'),
  symbol: is(plain, "The token's short name", 'where unknown'),
  decimals: is(
    small,
    'Number of decimals of the token: one token is 10^decimals of its smallest unit',
    'where unknown',
  ),
  logoUri: is(uri, "URL of the token's logo", 'where unknown'),
} satisfies Details;

/** A side of an internal transaction, which is stored as JSON. */
export const tokenParty = {
  description:
    'The sender or recipient of an internal transaction; a token contract if more than the address is given.',
  fields: party,
};

export type TokenPartyNode = NodeOf<typeof party> & {
  /** The chain of the address. */
  evmChainId: string;
};

// The specification's closed set, although some of it is never stored.
const typeOfFrame: Kind<InternalTxType> = {
  ...choice('InternalTxType', storedTypes),
  schema: { type: 'string', enum: [...storedTypes, ...foreignTypes] },
};

const side = object<TokenPartyNode>('TokenParty');
const i = <const Name extends string, T>(
  name: Name,
  type: string,
  read: (value: unknown, name: string) => T,
) => columnOf('i', name, type, read);
const hash = <const Name extends string>(name: Name) => ({
  ...i(name, 'bytea', (value, field) => toBytea(asHash(value, field))),
  sql: `'0x' || encode(i.${name}, 'hex')`,
});
/** Most frames in a transaction: the largest integer of PostgreSQL. */
export const MAX_POSITION = 2 ** 31 - 1;

const amount = <const Name extends string>(name: Name) => i(name, 'numeric(78, 0)', asUint256);

export const internalTxDescription = 'A frame of an EVM transaction that moved value or created a contract.';

/** The fields of an internal transaction in the order of its JSON, over `internal_tx i`. */
export const internalTxFields = {
  blockNumber: {
    ...i('block_number', 'bigint', asDigits(EVM_MAX - 1n)),
    ...is(digits, 'Number of its block'),
  },
  blockTimestamp: {
    ...i('block_timestamp', 'bigint', asSeconds),
    ...is(whole, 'When its block was made, Unix seconds'),
  },
  blockHash: { ...hash('block_hash'), ...is(evmHash, 'Hash of its block, hex') },
  txHash: { ...hash('tx_hash'), ...is(evmHash, 'Hash of its transaction, hex') },
  from: { sql: 'i.from_party::text', ...is(side, 'The address that called, or that created the contract') },
  to: { sql: 'i.to_party::text', ...is(side, 'The address that was called, or the created contract') },
  internalTxType: {
    ...i('type', 'internal_tx_type', asMember(storedTypes)),
    ...is(typeOfFrame, 'What the frame did'),
  },
  value: { ...amount('value'), ...is(digits, "Amount in the native token's smallest unit") },
  isReverted: {
    ...i('is_reverted', 'boolean', asBoolean),
    ...is(boolean, 'Whether its effects were reverted'),
  },
  gasUsed: { ...amount('gas_used'), ...is(digits, 'Gas that it used') },
  gasLimit: { ...amount('gas_limit'), ...is(digits, 'Gas that it was allowed') },
} satisfies Fields;

/** The columns that are read from an import row, except its sides. */
export type InternalTxColumns = RecordOf<typeof internalTxFields>;

export interface InternalTxKey {
  evmChainId: string;
  /** Hex with 0x. */
  txHash: string;
  position: number;
  /** Different for frames of one position; a decimal text. */
  sortKey: string;
}

export type InternalTxNode = NodeOf<typeof internalTxFields> & InternalTxKey;

export const internalTxSource = {
  keys: { evmChainId: 'i.evm_chain_id' },
  id: `concat_ws(':', i.evm_chain_id, ${internalTxFields.txHash.sql}, i.position, i.tie)`,
};

export const internalTxRows = {
  from: 'internal_tx i',
  columns: {
    id: 'i.id',
    evmChainId: 'i.evm_chain_id',
    position: 'i.position',
    sortKey: 'i.tie',
    text: fieldsText(internalTxFields),
  },
  toNode: ({ text, evmChainId, position, sortKey }: InternalTxKey & { text: string }) => {
    const node = parseJson(text) as InternalTxNode;
    node.from.evmChainId = evmChainId;
    node.to.evmChainId = evmChainId;
    return Object.assign(node, { evmChainId, position, sortKey });
  },
} satisfies NodeSource<InternalTxNode>;
