import { decodeEventLog, parseAbi, toEventSelector, type Hex } from 'viem';
import type { EvmLog } from '../../avalanche/codec/evm-receipt.js';

/**
 * What TeleporterMessenger logs (ITeleporterMessenger): all but who has redeemed a reward. TeleporterMessengerV2 logs a message that it
 * sends with its own address, and else the same (ITeleporterMessengerV2).
 */
const abi = parseAbi([
  'struct Receipt { uint256 receivedMessageNonce; address relayerRewardAddress; }',
  'struct Message { uint256 messageNonce; address originSenderAddress; bytes32 destinationBlockchainID; address destinationAddress; uint256 requiredGasLimit; address[] allowedRelayerAddresses; Receipt[] receipts; bytes message; }',
  'struct MessageV2 { uint256 messageNonce; address originSenderAddress; address originTeleporterAddress; bytes32 destinationBlockchainID; address destinationAddress; uint256 requiredGasLimit; address[] allowedRelayerAddresses; Receipt[] receipts; bytes message; }',
  'struct Fee { address feeTokenAddress; uint256 amount; }',
  'event BlockchainIDInitialized(bytes32 indexed blockchainID)',
  'event SendCrossChainMessage(bytes32 indexed messageID, bytes32 indexed destinationBlockchainID, Message message, Fee feeInfo)',
  'event SendCrossChainMessage(bytes32 indexed messageID, bytes32 indexed destinationBlockchainID, MessageV2 message, Fee feeInfo)',
  'event AddFeeAmount(bytes32 indexed messageID, Fee updatedFeeInfo)',
  'event ReceiveCrossChainMessage(bytes32 indexed messageID, bytes32 indexed sourceBlockchainID, address indexed deliverer, address rewardRedeemer, Message message)',
  'event MessageExecuted(bytes32 indexed messageID, bytes32 indexed sourceBlockchainID)',
  'event MessageExecutionFailed(bytes32 indexed messageID, bytes32 indexed sourceBlockchainID, Message message)',
  'event ReceiptReceived(bytes32 indexed messageID, bytes32 indexed destinationBlockchainID, address indexed relayerRewardAddress, Fee feeInfo)',
]);

/** The first topics of these events. */
export const messageTopics: readonly string[] = abi
  .filter((item) => item.type === 'event')
  .map((item) => toEventSelector(item));

const known: ReadonlySet<string> = new Set(messageTopics);

/** Whether it is an event about messages of one of these contracts, in lower case. */
export const isOfMessages = ({ address, topics }: EvmLog, contracts: ReadonlySet<string>): boolean =>
  contracts.has(address) && known.has(topics[0] ?? '');

/** A log's event and its values: ids as 0x and 64 digits. @throws Error of viem for a log of another shape */
export const readMessageEvent = ({ topics, data }: EvmLog) =>
  decodeEventLog({ abi, topics: topics as [Hex, ...Hex[]], data: data as Hex });

export type MessageEvent = ReturnType<typeof readMessageEvent>;
/** The message as the contracts hand it on. */
export type SentMessage = Extract<MessageEvent, { eventName: 'SendCrossChainMessage' }>['args']['message'];
export type MessageFee = Extract<MessageEvent, { eventName: 'SendCrossChainMessage' }>['args']['feeInfo'];
