import { setTimeout as sleep } from 'node:timers/promises';
import {
  encodeAbiParameters,
  encodeEventTopics,
  parseAbi,
  toFunctionSelector,
  type Abi,
  type AbiEvent,
  type Hex,
} from 'viem';
import { decodeCb58 } from '../../src/avalanche/cb58.js';
import { toHex } from '../../src/avalanche/hex.js';
import { startAnvil, type Anvil } from './anvil.js';
import { assemble, deploying, logs, runsWhatItIsSent, saysWhatItStores, type Step } from './evm-code.js';
import { TELEPORTER } from './followed.js';

/** A chain of the recorded P-chain: its EVM chain id and the transaction that made it. */
export interface ChainOfL1 {
  readonly evmChainId: number;
  readonly blockchainId: string;
}

export const chainsOfL1s: readonly [ChainOfL1, ChainOfL1] = [
  { evmChainId: 62_642, blockchainId: 'nhbso9w6h79x2oPJ7PNX5uBg25t7rGniPRCctJfGzv1ob9hPg' },
  { evmChainId: 64_992, blockchainId: '8ZiC753Ff6NqtXvKdAKgMicm7cGznsvaAUVjugd75h1ceYCQq' },
];

/** As the contract's interface declares them (ITeleporterMessenger). */
export const messengerAbi = parseAbi([
  'struct R { uint256 receivedMessageNonce; address relayerRewardAddress; }',
  'struct M { uint256 messageNonce; address originSenderAddress; bytes32 destinationBlockchainID; address destinationAddress; uint256 requiredGasLimit; address[] allowedRelayerAddresses; R[] receipts; bytes message; }',
  'struct F { address feeTokenAddress; uint256 amount; }',
  'event BlockchainIDInitialized(bytes32 indexed blockchainID)',
  'event SendCrossChainMessage(bytes32 indexed messageID, bytes32 indexed destinationBlockchainID, M message, F feeInfo)',
  'event AddFeeAmount(bytes32 indexed messageID, F updatedFeeInfo)',
  'event ReceiveCrossChainMessage(bytes32 indexed messageID, bytes32 indexed sourceBlockchainID, address indexed deliverer, address rewardRedeemer, M message)',
  'event MessageExecuted(bytes32 indexed messageID, bytes32 indexed sourceBlockchainID)',
  'event MessageExecutionFailed(bytes32 indexed messageID, bytes32 indexed sourceBlockchainID, M message)',
  'event ReceiptReceived(bytes32 indexed messageID, bytes32 indexed destinationBlockchainID, address indexed relayerRewardAddress, F feeInfo)',
]);
type EventName = Extract<(typeof messengerAbi)[number], { type: 'event' }>['name'];

/** The event that TeleporterMessengerV2 logs otherwise (ITeleporterMessengerV2). */
export const messengerV2Abi = parseAbi([
  'struct R { uint256 receivedMessageNonce; address relayerRewardAddress; }',
  'struct M2 { uint256 messageNonce; address originSenderAddress; address originTeleporterAddress; bytes32 destinationBlockchainID; address destinationAddress; uint256 requiredGasLimit; address[] allowedRelayerAddresses; R[] receipts; bytes message; }',
  'struct F { address feeTokenAddress; uint256 amount; }',
  'event SendCrossChainMessage(bytes32 indexed messageID, bytes32 indexed destinationBlockchainID, M2 message, F feeInfo)',
]);

/** The topics and the data of an event. @param args by name */
export function encodedEvent(
  eventName: EventName,
  args: Record<string, unknown>,
  abi: Abi = messengerAbi,
): { topics: [Hex, ...Hex[]]; data: Hex } {
  const { inputs } = abi.find((item): item is AbiEvent => item.type === 'event' && item.name === eventName)!;
  const topics = encodeEventTopics({ abi, eventName, args }) as [Hex, ...Hex[]];
  const plain = inputs.filter((input) => !('indexed' in input && input.indexed));
  const values = plain.map(({ name = '' }) => args[name]);
  return { topics, data: encodeAbiParameters(plain, values as never) };
}

/** Steps that log an event. @param args by name */
export function logsEvent(
  eventName: EventName,
  args: Record<string, unknown>,
  abi: Abi = messengerAbi,
): Step[] {
  const { topics, data } = encodedEvent(eventName, args, abi);
  return logs(topics, data);
}

export const wordOf = (blockchainId: string): Hex => toHex(decodeCb58(blockchainId)!);

/** The precompile by which a chain says its blockchain id. */
export const WARP = '0x0200000000000000000000000000000000000005';

/** Makes an Anvil say this blockchain id by that precompile. */
export async function saysItsId(anvil: Anvil, blockchainId: string): Promise<void> {
  const said = assemble(wordOf(blockchainId), 0, 'MSTORE', 32, 0, 'RETURN');
  await anvil.call('anvil_setCode', WARP, `0x${said}`);
}

/** An Anvil with a messenger that logs what it is given, and that precompile. */
export class MessageChain {
  private constructor(
    readonly anvil: Anvil,
    readonly chain: ChainOfL1,
    private readonly account: string,
  ) {}

  static async start(chain: ChainOfL1): Promise<MessageChain> {
    const anvil = await startAnvil(chain.evmChainId);
    const [account] = await anvil.call<[string]>('eth_accounts');
    await saysItsId(anvil, chain.blockchainId);
    const made = new MessageChain(anvil, chain, account);
    await made.deployMessenger(TELEPORTER);
    return made;
  }

  deployMessenger(address: string): Promise<unknown> {
    return this.anvil.call('anvil_setCode', address, `0x${runsWhatItIsSent()}`);
  }

  /** Makes the contract of a token that says these of itself. */
  async makeToken(address: string, name: string, symbol: string, decimals: number): Promise<void> {
    await this.anvil.call('anvil_setCode', address, `0x${saysWhatItStores()}`);
    const hex = (value: bigint) => `0x${value.toString(16).padStart(64, '0')}`;
    const store = async (of: string, words: readonly bigint[]) => {
      const slot = BigInt(toFunctionSelector(`${of}()`).padEnd(66, '0'));
      for (const [at, word] of words.entries())
        await this.anvil.call('anvil_setStorageAt', address, hex(slot + BigInt(at)), hex(word));
    };
    const textWords = (text: string) => [
      32n,
      BigInt(text.length),
      BigInt(`0x${Buffer.from(text).toString('hex').padEnd(64, '0')}`),
    ];
    await store('name', textWords(name));
    await store('symbol', textWords(symbol));
    await store('decimals', [BigInt(decimals)]);
  }

  /** Runs steps in the messenger's name; gives the transaction as a message has it. */
  async run(steps: readonly Step[], messenger = TELEPORTER) {
    const hash = await this.anvil.call<string>('eth_sendTransaction', {
      from: this.account,
      to: messenger,
      gas: '0x989680',
      data: `0x${deploying(assemble(...steps))}`,
    });
    for (;;) {
      const receipt = await this.anvil.call<Record<string, string> | null>('eth_getTransactionReceipt', hash);
      if (receipt === null) {
        await sleep(2);
        continue;
      }
      const block = await this.anvil.call<{ timestamp: string }>(
        'eth_getBlockByNumber',
        receipt['blockNumber'],
        false,
      );
      return {
        txHash: hash,
        timestamp: Number(block.timestamp),
        gasSpent: String(BigInt(receipt['gasUsed']!) * BigInt(receipt['effectiveGasPrice']!)),
      };
    }
  }
}
