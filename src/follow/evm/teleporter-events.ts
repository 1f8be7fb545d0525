import { decodeEventLog, parseAbi, toEventSelector, type Hex } from 'viem';
import { encodeCb58 } from '../../avalanche/cb58.js';
import type { EvmLog } from '../../avalanche/codec/evm-receipt.js';
import { icmMessageId } from '../../avalanche/icm.js';

/**
 * What TeleporterMessenger logs (ITeleporterMessenger): all but the redeeming of rewards.
 * TeleporterMessengerV2 logs the same (ITeleporterMessengerV2), but a message that it sends contains its own
 * address too.
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

const idOf = (word: string) => encodeCb58(Buffer.from(word.slice(2), 'hex'));

/** The other chain that an event names; null where it names none. CB58. */
export function otherChainOf({ eventName, args }: MessageEvent): string | null {
  switch (eventName) {
    case 'SendCrossChainMessage':
      return idOf(args.destinationBlockchainID);
    case 'ReceiveCrossChainMessage':
      return idOf(args.sourceBlockchainID);
    // These name a chain too, and their rows do not.
    case 'MessageExecuted':
    case 'MessageExecutionFailed':
    case 'ReceiptReceived':
    case 'BlockchainIDInitialized':
    case 'AddFeeAmount':
      return null;
  }
}

/**
 * Why an event cannot be one of a messenger of this chain, for people, or null: the id of a message is the
 * hash of its contract, its chains and its nonce.
 */
export function eventFault(event: MessageEvent, contract: string, blockchainId: string): string | null {
  switch (event.eventName) {
    case 'BlockchainIDInitialized': {
      const given = idOf(event.args.blockchainID);
      return given === blockchainId ? null : `it names its chain ${given}, and this one is ${blockchainId}`;
    }
    case 'SendCrossChainMessage':
    case 'ReceiveCrossChainMessage':
      return messageFault(event, contract, blockchainId);
    // They have the id of a message, and not what it is the hash of.
    case 'AddFeeAmount':
    case 'MessageExecuted':
    case 'MessageExecutionFailed':
    case 'ReceiptReceived':
      return null;
  }
}

function messageFault(
  { eventName, args }: Extract<MessageEvent, { eventName: `${'Send' | 'Receive'}CrossChainMessage` }>,
  contract: string,
  blockchainId: string,
): string | null {
  const isSent = eventName === 'SendCrossChainMessage';
  const destination = idOf(args.message.destinationBlockchainID);
  const source = isSent ? blockchainId : idOf(args.sourceBlockchainID);
  const nonce = String(args.message.messageNonce);
  const computed = icmMessageId({ contract, source, destination, nonce });
  if (`0x${computed}` !== args.messageID)
    return `the message ${args.messageID} from ${source} to ${destination} with the nonce ${nonce} would have the id ${computed}`;
  if (
    'originTeleporterAddress' in args.message &&
    args.message.originTeleporterAddress.toLowerCase() !== contract
  )
    return `it sent the message ${args.messageID} in the name of the contract ${args.message.originTeleporterAddress}`;
  return isSent || destination === blockchainId ? null : `it received a message to ${destination}`;
}

/** The fee that an event names; null where it names none. */
export function feeOf({ eventName, args }: MessageEvent): MessageFee | null {
  switch (eventName) {
    case 'SendCrossChainMessage':
      return args.feeInfo;
    case 'AddFeeAmount':
      return args.updatedFeeInfo;
    // The fee that a receipt names is the one that its message had.
    case 'ReceiptReceived':
    case 'ReceiveCrossChainMessage':
    case 'MessageExecuted':
    case 'MessageExecutionFailed':
    case 'BlockchainIDInitialized':
      return null;
  }
}
