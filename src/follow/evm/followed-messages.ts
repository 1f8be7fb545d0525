import { BaseError } from 'viem';
import { readGasPrice, type EvmLog, type EvmReceipt } from '../../avalanche/codec/evm-receipt.js';
import { messageOf } from '../../errors.js';
import { messageChainRows } from '../../resources/icm-message/import-chains.js';
import { messageFactsRows } from '../../resources/icm-message/import-facts.js';
import { icmMessageRows } from '../../resources/icm-message/import.js';
import type { NetworkScope } from '../../write/scope.js';
import { contradiction, NodeError } from '../node/error.js';
import type { DigestContext, KindRows } from '../pipeline.js';
import { evmChainIdsOf, unnamedChains } from './blockchain-id.js';
import { messengerIdOf, type ChainDeps } from './chain.js';
import { rowsOfEvent, type EventContext } from './message-rows.js';
import { RewardTokens } from './reward-tokens.js';
import { eventFault, feeOf, isOfMessages, otherChainOf, readMessageEvent } from './teleporter-events.js';
import type { MessageEvent } from './teleporter-events.js';

/** A log of a messenger. */
export interface MessageLog {
  readonly log: EvmLog;
  readonly context: EventContext;
}

export interface MessageDeps extends ChainDeps {
  /** Contracts whose messages are followed, in lower case. */
  readonly teleporters: readonly string[];
}

/** What the messengers of an EVM chain log, as rows. */
export class FollowedMessages {
  private readonly contracts: ReadonlySet<string>;
  private readonly tokens: RewardTokens;
  /** CB58; null until it is known. */
  private blockchainId: string | null = null;
  /** Whether the chains that were not known before were looked up since the start. */
  private hasNamed = false;

  constructor(private readonly deps: MessageDeps) {
    this.contracts = new Set(deps.teleporters);
    this.tokens = new RewardTokens(deps.nodes);
  }

  /**
   * The logs of messengers in the receipts of a block, with what their transactions cost.
   *
   * @param prices what the gas of each transaction costs each, in wei; null: what nodes say
   * @throws NodeError
   */
  async logsIn(
    receipts: readonly EvmReceipt[],
    prices: readonly bigint[] | null,
    { height, time }: Pick<EventContext, 'height' | 'time'>,
    signal: AbortSignal,
  ): Promise<MessageLog[]> {
    const found: MessageLog[] = [];
    let before = 0;
    for (const [at, receipt] of receipts.entries()) {
      const first = before;
      before += receipt.logs.length;
      const numbered = receipt.logs.map((log, index) => ({ log, logIndex: first + index }));
      const logs = numbered.filter(({ log }) => isOfMessages(log, this.contracts));
      if (logs.length === 0) continue;
      const { transactionHash: txHash, cumulativeGasUsed } = receipt;
      const gas = cumulativeGasUsed - (receipts[at - 1]?.cumulativeGasUsed ?? 0n);
      const price = prices?.[at] ?? receipt.effectiveGasPrice ?? (await this.priceOf(txHash, signal));
      const event = { height, time, txHash, gasSpent: gas * price };
      for (const { log, logIndex } of logs)
        found.push({ log, context: { ...event, logIndex, contract: log.address } });
    }
    return found;
  }

  /** @throws NodeError, also for a contract that is no messenger */
  async rowsOf(logs: readonly MessageLog[], { reader, signal }: DigestContext): Promise<KindRows[]> {
    const { network, evmChainId } = this.deps.chain;
    const unnamed = this.hasNamed ? [] : await unnamedChains(network, reader);
    const blockchainId = logs.length > 0 ? await this.ownId(reader, signal) : '';
    const events = logs.map((each) => this.read(each, blockchainId));
    const named = events.flatMap(({ event }) => otherChainOf(event) ?? []);
    const others = await evmChainIdsOf(network, [...new Set([...named, ...unnamed])], reader);
    const fees = events.flatMap(({ event }) => feeOf(event)?.feeTokenAddress ?? []);
    const tokens = await this.tokens.describe(new Set(fees), signal);
    const world = { blockchainId, evmChainId, others, tokens };
    const said = events.map(({ event, context }) => rowsOfEvent(event, context, world));
    const scope: NetworkScope = { network };
    const chains = unnamed.flatMap((id) => {
      const known = others.get(id);
      return known === undefined ? [] : [{ blockchainId: id, evmChainId: known }];
    });
    return [
      { kind: messageChainRows, scope, rows: chains },
      { kind: icmMessageRows, scope, rows: said.flatMap(({ message }) => message ?? []) },
      { kind: messageFactsRows, scope, rows: said.flatMap(({ facts }) => facts ?? []) },
    ];
  }

  /** To be called when the rows of a batch are written. */
  note(): void {
    this.hasNamed = true;
  }

  forget(): void {
    this.hasNamed = false;
  }

  private read({ log, context }: MessageLog, blockchainId: string) {
    const refuse = (why: string) => {
      // It may be the node's word.
      this.blockchainId = null;
      return contradiction(
        `block ${context.height}, transaction ${context.txHash}: the contract ${context.contract} does not log messages as ` +
          `TeleporterMessenger does: ${why}. Leave it out of --teleporter, or the node says a wrong blockchain id; nothing was written`,
      );
    };
    let event: MessageEvent;
    try {
      event = readMessageEvent(log);
    } catch (error) {
      // The library's own text has lines about the library.
      throw refuse(error instanceof BaseError ? error.shortMessage : messageOf(error));
    }
    const fault = eventFault(event, context.contract, blockchainId);
    if (fault !== null) throw refuse(fault);
    return { event, context };
  }

  private async ownId(reader: DigestContext['reader'], signal: AbortSignal): Promise<string> {
    this.blockchainId ??= await messengerIdOf(this.deps, reader, signal);
    if (this.blockchainId !== null) return this.blockchainId;
    const { evmChainId } = this.deps.chain;
    throw new NodeError(
      'wait',
      'not-accepted-yet',
      `the blockchain id of chain ${evmChainId} is unknown: its node has no warp precompile, and no single ` +
        'stored CreateChainTx has this EVM chain id',
      null,
    );
  }

  /** The gas price of a transaction, for nodes whose receipts do not contain it. */
  private async priceOf(txHash: string, signal: AbortSignal): Promise<bigint> {
    const said = await this.deps.nodes.evm.call('eth_getTransactionByHash', [txHash], { signal });
    const price = readGasPrice((said as { gasPrice?: unknown } | null)?.gasPrice);
    if (price !== null) return price;
    throw new NodeError('elsewhere', 'not-found', `no node gives the gas price of ${txHash}`, null);
  }
}
