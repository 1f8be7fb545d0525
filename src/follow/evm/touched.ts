import { addressIn, WORD } from '../../avalanche/abi.js';
import { bloomBits, type BloomBits } from '../../avalanche/codec/bloom.js';
import type { AtomicTransaction } from '../../avalanche/codec/types.js';
import type { EvmLog } from '../../avalanche/codec/evm-receipt.js';
import { tokenEvents, tokenTopics, wrappedTopics } from '../../avalanche/evm-events.js';
import { toHex } from '../../avalanche/hex.js';
import type { OwnerOfTokens } from '../node/evm-apis.js';
import { nftTransfersOf } from './nft-transfers.js';

/** An owner whose number of tokens may have changed. */
export interface TouchedOwner extends OwnerOfTokens {
  readonly kind: 'erc20' | 'nft';
}

/** An owner whose number of tokens of an id of ERC-1155 may have changed. */
export interface TouchedId extends OwnerOfTokens {
  readonly tokenId: bigint;
}

/** What a block's header must have for a log that counts: one of these topics. */
export const touchingTopics: readonly BloomBits[] = [...Object.values(tokenTopics), ...wrappedTopics].map(
  bloomBits,
);

/**
 * The owners that a log of a followed contract names.
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
  switch (tokenEvents.get(topic)) {
    // Of ERC-2309: the first id, then sender and recipient as in the others; the last id is its data.
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
      return wrappedTopics.includes(topic) && indexed.length === 1 ? touched('erc20', indexed) : [];
  }
}

/** The same for TransferSingle and TransferBatch of ERC-1155: operator, sender, recipient. */
export function idsIn(log: EvmLog, tokens: ReadonlySet<string>): TouchedId[] {
  const { address: contract, topics } = log;
  if (!tokens.has(contract) || (topics[0] !== tokenTopics.single && topics[0] !== tokenTopics.batch))
    return [];
  const owners = ownersOf(topics.slice(2));
  return nftTransfersOf(log).flatMap(({ tokenId }) => owners.map((owner) => ({ contract, owner, tokenId })));
}

const ownersOf = (words: readonly string[]) => words.map(addressIn).filter((owner) => owner !== undefined);

/** The accounts that imports credit and exports debit. */
export const accountsOf = (transactions: readonly AtomicTransaction[]): string[] =>
  transactions
    .flatMap((each) => (each.type === 'ImportTx' ? each.evmOutputs : each.evmInputs))
    .map(({ address }) => toHex(address));
