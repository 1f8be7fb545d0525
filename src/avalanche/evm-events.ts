import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { keccak256 } from './keccak.js';

const topicOf = (signature: string): string => `0x${bytesToHex(keccak256(utf8ToBytes(signature)))}`;

/**
 * The first topics of the logs of tokens: keccak256 of an event's signature. Those of messages are in
 * follow/evm/teleporter-events.ts.
 */
export const tokenTopics = {
  /** Of ERC-20, and of ERC-721 with the id as a topic too. */
  transfer: topicOf('Transfer(address,address,uint256)'),
  /** Of ERC-1155, as the next one. */
  single: topicOf('TransferSingle(address,address,address,uint256,uint256)'),
  batch: topicOf('TransferBatch(address,address,address,uint256[],uint256[])'),
  /** Of ERC-2309: tokens of ERC-721 by a range of ids. */
  consecutive: topicOf('ConsecutiveTransfer(uint256,uint256,address,address)'),
} as const;

export const tokenEvents: ReadonlyMap<string, keyof typeof tokenTopics> = new Map(
  Object.entries(tokenTopics).map(([event, topic]) => [topic, event as keyof typeof tokenTopics]),
);

/** Of wrapped coins, which need not log a Transfer. */
export const wrappedTopics: readonly string[] = [
  topicOf('Deposit(address,uint256)'),
  topicOf('Withdrawal(address,uint256)'),
];

/** The event of the precompile that makes coins: by whom and for whom; logged since Durango. */
export const mintedTopic = topicOf('NativeCoinMinted(address,address,uint256)');
