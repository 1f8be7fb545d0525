import { hash } from 'node:crypto';
import { encodeCb58 } from '../../src/avalanche/cb58.js';
import type { Goals } from './report.js';

/** One query for both, in the schema of each; their answers are compared. */
export interface Question {
  name: string;
  ours: string;
  theirs: string;
  /** Values of the variable `value`, used in turn; one null if there is none. */
  values: readonly (string | null)[];
  /** Compared with PostGraphile; absent: GOALS. */
  goals?: Partial<Goals>;
  /** Its rows are in another order, so that answers differ. */
  isOtherOrder?: boolean;
  /**
   * What each request has in its text that no other has: in place of ONCE: an id, or an alias. Absent: one
   * text for all.
   */
  once?: 'id' | 'alias';
}

const utxoFields = 'utxoId amount addresses blockTimestamp utxoType';
const txFields = 'txHash txType blockTimestamp';
// What the gateway calls an output's list of a transaction is a table of its own to PostGraphile.
const inputs = (first: number, fields: string) =>
  `consumedUtxos: transactionInputRecordsByTransactionId(first: ${first}) { nodes { utxo: utxoByUtxoRowId { ${fields} } } }`;
const outputs = (first: number, fields: string) =>
  `emittedUtxos: transactionOutputsByTransactionId(first: ${first}) { nodes { utxo: utxoByUtxoRowId { ${fields} } } }`;
// For a reward's output the transaction that emitted it, which the output itself does not name.
const creating = `transactionOutputsByUtxoRowId(first: 1) { one: nodes { transaction: transactionByTransactionId { ${txFields} } } }`;
const oneOfTheirs = 'transactionByNetworkAndChainAndTxHash(network: fuji, chain: p, txHash: $value)';
const oneOfOurs = 'transaction(network: fuji, blockchainId: "p-chain", txHash: $value)';
const unspentOfTheirs = (first: number) =>
  `utxoOwnersByAddressId(condition: { chain: p, spent: false }, orderBy: [TIME_DESC, TIE_DESC, UTXO_ROW_ID_DESC], first: ${first})`;
const utxoPage = (first: number) => ({
  ours: `{ utxos(network: fuji, blockchainId: "p-chain", first: ${first}) { nodes { ${utxoFields} } } }`,
  theirs: `{ addressByNetworkAndAddress(network: fuji, address: "") {
    utxos: ${unspentOfTheirs(first)} { nodes { utxo: utxoByUtxoRowId { ${utxoFields} } } } } }`,
});

/** The names of the questions that differ in where their ids are. */
export const [TEXTS, VARIABLES] = [
  'a transaction and its outputs, ids written into each text',
  'the same with the ids as variables',
];

/**
 * @param transactions hashes of transactions of the P-chain of fuji
 * @param addresses of that network
 */
export function questions(transactions: readonly string[], addresses: readonly string[]): Question[] {
  return [
    {
      name: 'a transaction by hash, its consumed and emitted UTXOs',
      ours: `query ($value: String!) { ${oneOfOurs} {
        ${txFields} consumedUtxos { nodes { ${utxoFields} } } emittedUtxos { nodes { ${utxoFields} } } } }`,
      theirs: `query ($value: String!) { ${oneOfTheirs} {
        ${txFields} ${inputs(10, utxoFields)} ${outputs(10, utxoFields)} } }`,
      values: transactions,
    },
    {
      name: "25 transactions, their emitted UTXOs, each one's consuming transaction",
      ours: `{ transactions(network: fuji, blockchainId: "p-chain", first: 25) { nodes {
        ${txFields} emittedUtxos { nodes { utxoId amount consumingTransaction { ${txFields} } } } } } }`,
      theirs: `{ allTransactions(condition: { network: fuji, chain: p }, orderBy: [BLOCK_TIMESTAMP_DESC, TIE_DESC, ROW_ID_DESC], first: 25) { nodes {
        ${txFields} ${outputs(10, `utxoId amount consumingTransaction { ${txFields} }`)} } } }`,
      values: [null],
    },
    { name: '25 UTXOs, five fields', ...utxoPage(25), values: [null] },
    { name: '100 UTXOs, five fields', ...utxoPage(100), values: [null] },
    {
      name: '25 UTXOs of a chain, spent ones too',
      ours: `{ utxos(network: fuji, blockchainId: "p-chain", includeSpent: true, first: 25) { nodes { ${utxoFields} } } }`,
      // It has no index for our order that it knows to use: by its primary key instead. Nor has it one for
      // the chain, so that it refuses the condition: of all chains, which is less work.
      theirs: `{ allUtxos(condition: { network: fuji }, orderBy: ROW_ID_DESC, first: 25) { nodes { ${utxoFields} } } }`,
      values: [null],
      goals: { rate: 1.8 },
      isOtherOrder: true,
    },
    {
      name: 'a transaction, its inputs, the transactions that made them',
      ours: `query ($value: String!) { ${oneOfOurs} {
        txHash consumedUtxos { nodes { utxoId creatingTransaction { ${txFields} } } } } }`,
      theirs: `query ($value: String!) { ${oneOfTheirs} {
        txHash ${inputs(10, `utxoId creatingTransaction: ${creating}`)} } }`,
      values: transactions,
    },
    {
      name: TEXTS,
      goals: { rate: 8 },
      ours: `{ ${oneOfOurs.replace('$value', '"VALUE"')} { ${txFields} emittedUtxos { nodes { ${utxoFields} } } }
        missing: ${oneOfOurs.replace('$value', '"ONCE"')} { txHash } }`,
      theirs: `{ transaction: ${oneOfTheirs.replace('$value', '"VALUE"')} { ${txFields} ${outputs(10, utxoFields)} }
        missing: ${oneOfTheirs.replace('$value', '"ONCE"')} { txHash } }`,
      values: transactions,
      once: 'id',
    },
    {
      name: VARIABLES,
      ours: `query ($value: String!, $once: String!) { ${oneOfOurs} { ${txFields} emittedUtxos { nodes { ${utxoFields} } } }
        missing: ${oneOfOurs.replace('$value', '$once')} { txHash } }`,
      theirs: `query ($value: String!, $once: String!) { transaction: ${oneOfTheirs} { ${txFields} ${outputs(10, utxoFields)} }
        missing: ${oneOfTheirs.replace('$value', '$once')} { txHash } }`,
      values: transactions,
    },
    {
      name: 'a transaction and its outputs, each text with an alias of its own',
      ours: `query ($value: String!) { ${oneOfOurs} { ONCE: txHash ${txFields} emittedUtxos { nodes { ${utxoFields} } } } }`,
      theirs: `query ($value: String!) { ${oneOfTheirs} { ONCE: txHash ${txFields} ${outputs(10, utxoFields)} } }`,
      values: transactions,
      once: 'alias',
    },
    {
      name: 'an address, its balances and outputs',
      ours: `query ($value: String!) { address(network: fuji, address: $value) {
        address balances(blockchainId: "p-chain") { nodes { unspent received asset { symbol } } }
        utxos(blockchainId: "p-chain") { nodes { ${utxoFields} } } } }`,
      theirs: `query ($value: String!) { addressByNetworkAndAddress(network: fuji, address: $value) {
        address
        balances: addressBalancesByAddressId(condition: { chain: p }, first: 10) { nodes { unspent received asset: assetByAssetRowId { symbol } } }
        utxos: ${unspentOfTheirs(10)} { nodes { utxo: utxoByUtxoRowId { ${utxoFields} } } } } }`,
      values: addresses,
    },
    {
      name: '25 ICM messages with their chains',
      ours: `{ icmMessages(network: fuji, first: 25) { nodes {
        sourceChain { chainId chainName } destinationChain { chainId chainName } } } }`,
      theirs: `{ allIcmMessages(condition: { network: fuji }, orderBy: [TIMESTAMP_DESC, ROW_ID_DESC], first: 25) { nodes {
        sourceChain: icmChainBySourceId { chain { chainId: evmChainId chainName } }
        destinationChain: icmChainByDestinationId { chain { chainId: evmChainId chainName } } } } }`,
      values: [null],
    },
  ];
}

/** What no other text has. @param number of the text */
export const onceOf = ({ once }: Question, number: number): string =>
  once === 'alias' ? `a${number}` : encodeCb58(hash('sha256', String(number), 'buffer'));

/**
 * The body of a request. @param once a text that no other request has; the same one for requests to be
 * compared
 */
export function bodyOf(query: string, value: string | null, once: string): string {
  const text = query.replace('ONCE', once).replace('"VALUE"', `"${value}"`);
  const variables = { ...(text.includes('$value') && { value }), ...(text.includes('$once') && { once }) };
  return JSON.stringify({ query: text, variables });
}

/**
 * An answer without differences of style: an object with one member becomes that member, numbers become
 * texts, and a list called `one` becomes its only row. So the names of the fields around rows disappear, and
 * those of the rows must be equal.
 */
export function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value === 'number') return String(value);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([key, each]): [string, unknown] => [key, plain(each)]);
  const [only] = members;
  if (members.length !== 1 || !only) return Object.fromEntries(members);
  return only[0] === 'one' && Array.isArray(only[1]) ? (only[1][0] ?? null) : only[1];
}
