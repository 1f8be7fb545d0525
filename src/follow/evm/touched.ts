import { bloomBits, type BloomBits } from '../../avalanche/codec/bloom.js';
import type { AtomicTransaction } from '../../avalanche/codec/types.js';
import type { EvmLog } from '../../avalanche/codec/evm-receipt.js';
import { toHex } from '../../avalanche/hex.js';
import type { OwnerOfTokens } from '../node/evm-apis.js';
import { nftEvents, nftTopics, nftTransfersOf } from './nft-transfers.js';

/** Events of wrapped coins, which need not tell a Transfer: Deposit(address,uint256) and Withdrawal(address,uint256). */
const wrapped: readonly string[] = [
  '0xe1fffcc4923d04b559f4d29a8bfc6cda04eb5b0d3c460751c2402c5c5cc9109c',
  '0x7fcf532c15f0a6db0bd6d0e038bea71d30d808c7d98cb3bf7268a95bf5081b65',
];

/** An owner whose number of tokens may have changed. */
export interface TouchedOwner extends OwnerOfTokens {
  readonly kind: 'erc20' | 'nft';
}

/** An owner whose number of tokens of an id of ERC-1155 may have changed. */
export interface TouchedId extends OwnerOfTokens {
  readonly tokenId: bigint;
}

/** Digits of a word of the ABI. */
const WORD = 64;
const ZERO_ADDRESS = `0x${'0'.repeat(40)}`;

/** What a block's header must have for a log that counts: one of these topics. */
export const touchingTopics: readonly BloomBits[] = [...Object.values(nftTopics), ...wrapped].map(bloomBits);

/**
 * The owners that a log of a contract that is followed names. The zero address owns nothing: it stands for what is made or
 * burned.
 *
 * @param tokens whether a contract is followed, in lower case
 */
export function ownersIn(
  { address, topics, data }: EvmLog,
  tokens: Pick<ReadonlySet<string>, 'has'>,
): TouchedOwner[] {
  const [topic = '', ...indexed] = topics;
  if (!tokens.has(address)) return [];
  const touched = (kind: TouchedOwner['kind'], owners: readonly string[]) =>
    ownersOf(owners).map((owner) => ({ kind, contract: address, owner }));
  switch (nftEvents.get(topic)) {
    // Of ERC-2309: the first id, and then from whom and to whom as in the others; the last id is its data.
    case 'consecutive':
      return indexed.length === 3 && data.length === 2 + WORD ? touched('nft', indexed.slice(1)) : [];
    case 'transfer':
      if (indexed.length === 3 && data === '0x') return touched('nft', indexed.slice(0, 2));
      return indexed.length === 2 ? touched('erc20', indexed) : [];
    // By id: see idsIn.
    case 'single':
    case 'batch':
      return [];
    case undefined:
      return wrapped.includes(topic) && indexed.length === 1 ? touched('erc20', indexed) : [];
  }
}

/** The same of ERC-1155, of TransferSingle and TransferBatch: by whom, from whom, to whom. */
export function idsIn(log: EvmLog, tokens: ReadonlySet<string>): TouchedId[] {
  const { address: contract, topics } = log;
  if (!tokens.has(contract) || (topics[0] !== nftTopics.single && topics[0] !== nftTopics.batch)) return [];
  const owners = ownersOf(topics.slice(2));
  return nftTransfersOf(log).flatMap(({ tokenId }) => owners.map((owner) => ({ contract, owner, tokenId })));
}

const ownersOf = (words: readonly string[]) =>
  words.map((word) => `0x${word.slice(-40)}`).filter((owner) => owner !== ZERO_ADDRESS);

/** The accounts that imports credit and exports debit. */
export const accountsOf = (transactions: readonly AtomicTransaction[]): string[] =>
  transactions
    .flatMap((each) => (each.type === 'ImportTx' ? each.evmOutputs : each.evmInputs))
    .map(({ address }) => toHex(address));
