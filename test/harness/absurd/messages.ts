import type { Hex } from 'viem';
import { icmMessageId } from '../../../src/avalanche/icm.js';
import { encodeCb58 } from '../../../src/avalanche/cb58.js';
import { TELEPORTER } from '../followed.js';
import { encodedEvent, wordOf } from '../message-chain.js';
import type { Random } from '../random.js';
import { absurdText, bytesOf } from './values.js';

const hex = (bytes: Uint8Array): Hex => `0x${Buffer.from(bytes).toString('hex')}`;

/** A message as it was written. */
export interface WrittenMessage {
  readonly messageId: string;
  readonly source: string;
  readonly destination: string;
  readonly nonce: string;
  readonly from: string;
  readonly to: string;
  readonly data: string;
}

/**
 * What TeleporterMessenger of a chain logs when strangers send through it what they can, and to chains that
 * strangers made.
 */
export class AbsurdMessenger {
  readonly written: WrittenMessage[] = [];

  /**
   * @param own blockchain id of the chain that logs, CB58
   * @param others those of chains that strangers made
   */
  constructor(
    private readonly random: Random,
    private readonly own: string,
    private readonly others: () => readonly string[],
  ) {}

  /** One of its logs. */
  log(): { address: string; topics: string[]; data: string } {
    const { random } = this;
    const known = this.written.length > 0 && random.chance(0.4) ? random.one(this.written) : null;
    const messageID: Hex = `0x${known?.messageId ?? bytesOf(random, 32).toString('hex')}`;
    const chain = wordOf(known?.destination ?? this.other());
    const feeInfo = this.fee();
    return random.one([
      () => this.sent(),
      () => this.sent(),
      () => this.received(),
      () => encoded('AddFeeAmount', { messageID, updatedFeeInfo: feeInfo }),
      () => encoded('MessageExecuted', { messageID, sourceBlockchainID: chain }),
      () =>
        encoded('MessageExecutionFailed', {
          messageID,
          sourceBlockchainID: chain,
          message: this.message(chain),
        }),
      () =>
        encoded('ReceiptReceived', {
          messageID,
          destinationBlockchainID: chain,
          relayerRewardAddress: this.account(),
          feeInfo,
        }),
    ])();
  }

  private sent() {
    const destination = this.other();
    const message = this.message(wordOf(destination));
    const messageID = this.note(this.own, destination, message);
    return encoded('SendCrossChainMessage', {
      messageID,
      destinationBlockchainID: wordOf(destination),
      message,
      feeInfo: this.fee(),
    });
  }

  private received() {
    const source = this.other();
    const message = this.message(wordOf(this.own));
    const messageID = this.note(source, this.own, message);
    return encoded('ReceiveCrossChainMessage', {
      messageID,
      sourceBlockchainID: wordOf(source),
      deliverer: this.account(),
      rewardRedeemer: this.account(),
      message,
    });
  }

  private note(source: string, destination: string, message: ReturnType<AbsurdMessenger['message']>): Hex {
    const nonce = String(message.messageNonce);
    const messageId = icmMessageId({ contract: TELEPORTER, source, destination, nonce });
    const { originSenderAddress: from, destinationAddress: to, message: data } = message;
    this.written.push({ messageId, source, destination, nonce, from, to, data });
    return `0x${messageId}`;
  }

  private message(destinationBlockchainID: Hex) {
    const { random } = this;
    const receipts = Array.from({ length: random.below(6) }, () => ({
      receivedMessageNonce: this.number(),
      relayerRewardAddress: this.account(),
    }));
    return {
      // A messenger counts them up; so each message has an id of its own.
      messageNonce: BigInt(this.written.length + 1),
      originSenderAddress: this.account(),
      destinationBlockchainID,
      destinationAddress: this.account(),
      requiredGasLimit: this.number(),
      allowedRelayerAddresses: Array.from({ length: random.one([0, 1, 300]) }, () => this.account()),
      receipts,
      message: hex(absurdText(random, random.one([100, 20_000]))),
    };
  }

  private other(): string {
    const made = this.others();
    return made.length > 0 && this.random.chance(0.8)
      ? this.random.one(made)
      : encodeCb58(this.random.one([new Uint8Array(32), bytesOf(this.random, 32)]));
  }

  private account(): Hex {
    return hex(this.random.one([new Uint8Array(20), bytesOf(this.random, 20)]));
  }

  private number(): bigint {
    return this.random.one([0n, 1n, 2n ** 63n, 2n ** 64n, 2n ** 255n, 2n ** 256n - 1n]);
  }

  /** In a token whose contract says what it likes. */
  private fee() {
    return { feeTokenAddress: this.account(), amount: this.number() };
  }
}

const encoded = (eventName: Parameters<typeof encodedEvent>[0], args: Record<string, unknown>) => ({
  address: TELEPORTER,
  ...encodedEvent(eventName, args),
});
