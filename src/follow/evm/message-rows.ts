import type { MessageFacts } from '../../resources/icm-message/import-facts.js';
import { statusOf, type IcmMessageLine } from '../../resources/icm-message/import-row.js';
import { LONGEST_MESSAGE } from '../../rows/bounds.js';
import { NO_TOKEN, type RewardToken } from './reward-tokens.js';
import { otherChainOf, type MessageEvent, type MessageFee, type SentMessage } from './teleporter-events.js';

/** Where an event was logged. */
export interface EventContext {
  readonly height: bigint;
  /** Unix seconds. */
  readonly time: number;
  readonly txHash: string;
  /** Its position among the logs of the block. */
  readonly logIndex: number;
  /** Of its transaction, in wei. */
  readonly gasSpent: bigint;
  /** The messenger, 0x and 40 digits. */
  readonly contract: string;
}

/** What is known of the chain that logged the events, and of others. */
export interface MessageWorld {
  /** CB58. */
  readonly blockchainId: string;
  readonly evmChainId: bigint;
  /** EVM chain ids of other chains by blockchain id, as far as they are known. */
  readonly others: ReadonlyMap<string, string>;
  /** Of each contract that a fee names. */
  readonly tokens: ReadonlyMap<string, RewardToken>;
}

/** What an event says, as rows: of a message, or of one that it only names. */
export interface EventRows {
  readonly message?: IcmMessageLine;
  readonly facts?: MessageFacts;
}

const noReward = {
  address: NO_TOKEN,
  name: '',
  symbol: '',
  decimals: 0,
  ercType: 'ERC-20',
  value: '0',
} as const;
const nothing = { messageExecuted: false, receiptDelivered: false, rewardDetails: null };
/** An EVM chain id that is not known. */
const UNKNOWN = '0';

/** What an event says of a message. */
export function rowsOfEvent(event: MessageEvent, context: EventContext, world: MessageWorld): EventRows {
  const { eventName, args } = event;
  if (eventName === 'BlockchainIDInitialized') return {};
  const messageId = args.messageID.slice(2);
  const facts = { messageId, blockchainId: world.blockchainId, ...nothing };
  const other = otherChainOf(event) ?? '';
  const own = { blockchainId: world.blockchainId, evmChainId: String(world.evmChainId) };
  const far = { blockchainId: other, evmChainId: world.others.get(other) ?? UNKNOWN };
  const { txHash, time: timestamp } = context;
  const transaction = { txHash, timestamp, gasSpent: String(context.gasSpent) };
  switch (eventName) {
    case 'SendCrossChainMessage': {
      const more = {
        rewardDetails: rewardOf(args.feeInfo, world),
        sourceTransaction: transaction,
        sourceBlockNumber: String(context.height),
        sourceLogIndex: context.logIndex,
      };
      return {
        message: { ...messageOf(messageId, args.message, context, own, far), ...more, ...withStatus(more) },
      };
    }
    case 'ReceiveCrossChainMessage': {
      const { rewardRedeemer, deliverer: delivererAddress } = args;
      const more = { destinationTransaction: { ...transaction, rewardRedeemer, delivererAddress } };
      return {
        message: { ...messageOf(messageId, args.message, context, far, own), ...more, ...withStatus(more) },
      };
    }
    case 'AddFeeAmount':
      return { facts: { ...facts, rewardDetails: rewardOf(args.updatedFeeInfo, world) } };
    case 'MessageExecuted':
      return { facts: { ...facts, messageExecuted: true } };
    case 'ReceiptReceived':
      return { facts: { ...facts, receiptDelivered: true } };
    case 'MessageExecutionFailed':
      // It may be retried until it is executed.
      return {};
  }
}

const withStatus = (ends: Parameters<typeof statusOf>[0]) => ({ status: statusOf(ends)! });

interface ChainName {
  readonly blockchainId: string;
  readonly evmChainId: string;
}

function messageOf(
  messageId: string,
  sent: SentMessage,
  { contract }: EventContext,
  source: ChainName,
  destination: ChainName,
): Omit<IcmMessageLine, 'status'> {
  return {
    messageId,
    icmContractAddress: contract,
    sourceBlockchainId: source.blockchainId,
    sourceEvmChainId: source.evmChainId,
    destinationBlockchainId: destination.blockchainId,
    destinationEvmChainId: destination.evmChainId,
    messageNonce: String(sent.messageNonce),
    from: sent.originSenderAddress,
    to: sent.destinationAddress,
    // Longer data fit in no warp message: a contract that only looks like a messenger logged them. The rest
    // is stored.
    ...(sent.message.length <= LONGEST_MESSAGE && { data: sent.message }),
    messageExecuted: false,
    receiptDelivered: false,
    rewardDetails: noReward,
    receipts: sent.receipts.map(({ receivedMessageNonce, relayerRewardAddress }) => ({
      receivedMessageNonce: String(receivedMessageNonce),
      relayerRewardAddress,
    })),
  };
}

function rewardOf({ feeTokenAddress, amount }: MessageFee, { tokens }: MessageWorld) {
  const token = tokens.get(feeTokenAddress)!;
  return { address: feeTokenAddress, ...token, ercType: 'ERC-20' as const, value: String(amount) };
}
