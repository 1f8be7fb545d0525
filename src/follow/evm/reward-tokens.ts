import { decodeFunctionResult, encodeFunctionData, parseAbi, type Hex } from 'viem';
import { printable } from '../../errors.js';
import { NodeError } from '../node/error.js';
import type { EvmNodes } from '../node/nodes.js';

/** What a contract of ERC-20 says of itself: empty texts and 0 where it says nothing. */
export interface RewardToken {
  readonly name: string;
  readonly symbol: string;
  readonly decimals: number;
}

const abi = parseAbi([
  'function name() view returns (string)',
  'function symbol() view returns (string)',
  'function decimals() view returns (uint8)',
]);

/** The address that stands for no reward. */
export const NO_TOKEN = `0x${'0'.repeat(40)}`;
const unnamed: RewardToken = { name: '', symbol: '', decimals: 0 };
/** Tokens that are remembered, and characters of a text: anybody may make a token and name it. */
const MOST_TOKENS = 1000;
const MOST_CHARACTERS = 100;

/**
 * How long a call is tried again, milliseconds. Without it one broken connection in some tens of calls failed
 * the whole batch, and then the next one; with more, a contract that no node can run in time would hold up
 * each batch as long.
 */
const PATIENCE_MS = 2000;

/** Failures that may be the contract's own: whoever wrote it must not hold up the chain. */
const ofContract: ReadonlySet<string> = new Set([
  'node-busy',
  'call-aborted',
  'answer-too-large',
  // A node without calls still has the messages.
  'method-missing',
  'plan-lacks',
]);

/** What contracts of rewards say of themselves; each is asked until it has said it. */
export class RewardTokens {
  /** Those that have said it. */
  private readonly known = new Map<string, RewardToken>();

  constructor(private readonly nodes: Pick<EvmNodes, 'evm'>) {}

  /**
   * What each says, asked for at the same time: one whose contract does not answer is asked once for all
   * messages that name it.
   *
   * @param addresses 0x and 40 digits of any case
   * @throws NodeError
   */
  async describe(
    addresses: ReadonlySet<string>,
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, RewardToken>> {
    const tokens = [...addresses].map(async (each) => [each, await this.describeOne(each, signal)] as const);
    return new Map(await Promise.all(tokens));
  }

  private async describeOne(address: string, signal: AbortSignal): Promise<RewardToken> {
    const contract = address.toLowerCase();
    if (contract === NO_TOKEN) return unnamed;
    const before = this.known.get(contract);
    if (before) return before;
    const [name, symbol, decimals] = await Promise.all([
      this.ask(contract, 'name', signal),
      this.ask(contract, 'symbol', signal),
      this.ask(contract, 'decimals', signal),
    ]);
    const token = { name: shownText(name), symbol: shownText(symbol), decimals: smallNumber(decimals) };
    if ([name, symbol, decimals].includes(null)) return token;
    if (this.known.size >= MOST_TOKENS) this.known.clear();
    this.known.set(contract, token);
    return token;
  }

  private async ask(
    to: string,
    functionName: 'name' | 'symbol' | 'decimals',
    signal: AbortSignal,
  ): Promise<string | number | null> {
    const data = encodeFunctionData({ abi, functionName });
    const options = { signal, patienceMs: PATIENCE_MS };
    try {
      const said = await this.nodes.evm.call('eth_call', [{ to, data }, 'latest'], options);
      return decodeFunctionResult({ abi, functionName, data: said as Hex });
    } catch (error) {
      if (error instanceof NodeError && error.failureClass !== 'refused' && !ofContract.has(error.reason))
        throw error;
      signal.throwIfAborted();
      // There is no contract, or its answer is no text.
      return null;
    }
  }
}

const shownText = (text: string | number | null): string =>
  printable(
    Array.from(String(text ?? ''))
      .slice(0, MOST_CHARACTERS)
      .join(''),
  );

/** A contract may return more than the type has. */
const smallNumber = (value: string | number | null): number =>
  typeof value === 'number' && value <= 255 ? value : 0;
