import { getAddress, type Hex } from 'viem';
import { icmMessageId } from '../../src/avalanche/icm.js';
import { TELEPORTER } from './followed.js';
import { logsEvent, wordOf, type MessageChain } from './message-chain.js';
import type { Random } from './random.js';
import type { Step } from './evm-code.js';

type Transaction = Awaited<ReturnType<MessageChain['run']>>;

/** What the actor knows of a message: what must be shown of it. */
interface Message {
  readonly id: Hex;
  readonly nonce: bigint;
  readonly source: MessageChain;
  readonly destination: MessageChain;
  readonly sent: Record<string, unknown> & {
    receipts: { receivedMessageNonce: bigint; relayerRewardAddress: Hex }[];
  };
  readonly token: RewardToken;
  fee: bigint;
  sourceTransaction: Transaction | undefined;
  destinationTransaction: (Transaction & { rewardRedeemer: Hex; delivererAddress: Hex }) | undefined;
  isExecuted: boolean;
  hasReceipt: boolean;
}

/** A token of rewards, with what is shown of it. */
export interface RewardToken {
  readonly address: Hex;
  readonly name: string;
  readonly symbol: string;
  readonly decimals: number;
}

const addressAt = (number: number) => getAddress(`0x${number.toString(16).padStart(40, '7')}`);

/**
 * Sends messages from both of two chains to the other one, delivers, executes, fails, retries, adds fees; and
 * notes it all.
 */
export class MessageActor {
  private readonly messages: Message[] = [];

  constructor(
    private readonly chains: readonly [MessageChain, MessageChain],
    private readonly tokens: readonly RewardToken[],
    private readonly random: Random,
  ) {}

  /** Each turn is a transaction, or several. */
  async act(turns: number): Promise<void> {
    for (let turn = 0; turn < turns; turn += 1) {
      const message = this.messages[this.random.below(this.messages.length)];
      const actions = [
        () => this.send(),
        ...(message ? [() => this.sendAgain(message), () => this.addFee(message)] : []),
        ...(message
          ? [() => this.deliver(message), () => this.retry(message), () => this.confirm(message)]
          : []),
      ];
      await actions[this.random.below(actions.length)]!();
    }
  }

  /** What must be shown of every message, by id. */
  shown(): Map<string, Record<string, unknown>> {
    return new Map(this.messages.map((message) => [message.id.slice(2), shownOf(message)]));
  }

  private async send(): Promise<void> {
    const { random } = this;
    const [source, destination] = random.below(2) === 0 ? this.chains : [this.chains[1], this.chains[0]];
    const nonce = BigInt(this.messages.length + 1);
    const ids = { source: source.chain.blockchainId, destination: destination.chain.blockchainId };
    const id: Hex = `0x${icmMessageId({ contract: TELEPORTER, ...ids, nonce: String(nonce) })}`;
    const sent = {
      messageNonce: nonce,
      originSenderAddress: addressAt(random.below(9)),
      destinationBlockchainID: wordOf(ids.destination),
      destinationAddress: addressAt(random.below(9)),
      requiredGasLimit: 100_000n,
      allowedRelayerAddresses: [addressAt(1)].slice(random.below(2)),
      receipts: Array.from({ length: random.below(3) }, (_, at) => ({
        receivedMessageNonce: BigInt(at),
        relayerRewardAddress: addressAt(20 + at),
      })),
      message: `0x${'5a'.repeat(random.below(80))}`,
    };
    const token = this.tokens[random.below(this.tokens.length)]!;
    const fee = token.address === `0x${'0'.repeat(40)}` ? 0n : BigInt(random.below(1000));
    const state = { sourceTransaction: undefined, destinationTransaction: undefined };
    const more = { isExecuted: false, hasReceipt: false };
    const message: Message = { id, nonce, source, destination, sent, token, fee, ...state, ...more };
    this.messages.push(message);
    message.sourceTransaction = await source.run(this.sending(message));
  }

  /** Logs the sending again: the first time counts. */
  private async sendAgain(message: Message): Promise<void> {
    await message.source.run(this.sending(message));
  }

  private sending({ id, sent, token, fee }: Message): Step[] {
    const feeInfo = { feeTokenAddress: token.address, amount: fee };
    const { destinationBlockchainID } = sent;
    return logsEvent('SendCrossChainMessage', {
      messageID: id,
      destinationBlockchainID,
      message: sent,
      feeInfo,
    });
  }

  private async addFee(message: Message): Promise<void> {
    if (message.token.address === `0x${'0'.repeat(40)}`) return;
    message.fee += BigInt(1 + this.random.below(1000));
    const updatedFeeInfo = { feeTokenAddress: message.token.address, amount: message.fee };
    await message.source.run(logsEvent('AddFeeAmount', { messageID: message.id, updatedFeeInfo }));
  }

  /** Delivered, and executed in the same transaction, or not, or only later. */
  private async deliver(message: Message): Promise<void> {
    if (message.destinationTransaction) return;
    const ends = { rewardRedeemer: addressAt(this.random.below(9)), delivererAddress: addressAt(50) };
    const { id: messageID, sent } = message;
    const sourceBlockchainID = wordOf(message.source.chain.blockchainId);
    const steps = logsEvent('ReceiveCrossChainMessage', {
      messageID,
      sourceBlockchainID,
      deliverer: ends.delivererAddress,
      rewardRedeemer: ends.rewardRedeemer,
      message: sent,
    });
    const outcome = this.random.below(3);
    if (outcome === 0) steps.push(...logsEvent('MessageExecuted', { messageID, sourceBlockchainID }));
    if (outcome === 1)
      steps.push(...logsEvent('MessageExecutionFailed', { messageID, sourceBlockchainID, message: sent }));
    if (outcome === 0) message.isExecuted = true;
    // What is undone in the same transaction was not logged.
    await message.destination.run([...steps, 0, 0, 'REVERT']);
    message.destinationTransaction = { ...(await message.destination.run(steps)), ...ends };
  }

  private async retry(message: Message): Promise<void> {
    if (!message.destinationTransaction || message.isExecuted) return;
    const sourceBlockchainID = wordOf(message.source.chain.blockchainId);
    await message.destination.run(
      logsEvent('MessageExecuted', { messageID: message.id, sourceBlockchainID }),
    );
    message.isExecuted = true;
  }

  private async confirm(message: Message): Promise<void> {
    if (!message.destinationTransaction) return;
    const destinationBlockchainID = wordOf(message.destination.chain.blockchainId);
    const feeInfo = { feeTokenAddress: message.token.address, amount: message.fee };
    await message.source.run(
      logsEvent('ReceiptReceived', {
        messageID: message.id,
        destinationBlockchainID,
        relayerRewardAddress: addressAt(20),
        feeInfo,
      }),
    );
    message.hasReceipt = true;
  }
}

function shownOf(message: Message): Record<string, unknown> {
  const { id, nonce, source, destination, sent, token, fee, sourceTransaction, destinationTransaction } =
    message;
  return {
    messageId: id.slice(2),
    icmContractAddress: getAddress(TELEPORTER),
    messageNonce: String(nonce),
    sourceBlockchainId: source.chain.blockchainId,
    sourceEvmChainId: String(source.chain.evmChainId),
    destinationBlockchainId: destination.chain.blockchainId,
    destinationEvmChainId: String(destination.chain.evmChainId),
    from: sent['originSenderAddress'],
    to: sent['destinationAddress'],
    data: sent['message'],
    receipts: sent.receipts.map(({ receivedMessageNonce, relayerRewardAddress }) => ({
      receivedMessageNonce: String(receivedMessageNonce),
      relayerRewardAddress,
    })),
    messageExecuted: message.isExecuted,
    receiptDelivered: message.hasReceipt,
    rewardDetails: { ...token, ercType: 'ERC-20', value: String(fee) },
    sourceTransaction,
    ...(destinationTransaction && { destinationTransaction }),
    status: destinationTransaction ? 'delivered' : 'pending',
  };
}
