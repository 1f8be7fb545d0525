import { randomInt } from 'node:crypto';
import type { Answer } from '../node/apis.js';
import type { TransactionTrace } from '../node/evm-apis.js';
import { Majority } from '../node/majority.js';
import type { EvmNodes } from '../node/nodes.js';
import type { Balances } from './balance-rows.js';

/** Accounts of a batch and day whose balances are requested from every node. */
const SAMPLE = 20;
/** Every node is asked for the traces of one block with transactions in so many. */
const TRACED_ONCE_IN = 16;

/** What is believed of the traces of a block. */
export interface BlockEffects {
  readonly height: bigint;
  /** The endpoint that gave them. */
  readonly source: string;
  readonly hashes: readonly string[];
  /** What each says, as a text. */
  readonly effects: readonly string[];
}

/** What the traces of a block say, as such texts; null where they cannot be those of the block. */
export type ReadEffects = (traces: readonly TransactionTrace[]) => readonly string[] | null;

/** Compares by sample what several nodes say and nothing proves. */
export class NodeAgreement {
  /** What nodes differed of, accounts and heights, is compared each time. */
  private readonly majority: Majority;

  constructor(private readonly nodes: Pick<EvmNodes, 'evm' | 'archive' | 'endpoints' | 'setAside'>) {
    this.majority = new Majority(nodes);
  }

  /** Whether the traces of this block are compared. @param source who gave them */
  isSampled(height: bigint, source: string): boolean {
    if (!this.majority.isComparable(source, this.nodes.endpoints())) return false;
    return this.majority.isDisputed(String(height)) || randomInt(TRACED_ONCE_IN) === 0;
  }

  /** @throws NodeError where nodes say other balances; the signal's reason */
  async checkBalances(
    { accounts, balances }: Pick<Balances, 'accounts' | 'balances'>,
    height: bigint,
    signal: AbortSignal,
  ): Promise<void> {
    if (this.nodes.endpoints().length < 2 || accounts.length === 0) return;
    const indexes = this.sampleOf(accounts);
    const asked = indexes.map((index) => accounts[index]!);
    const each = await this.nodes.evm.balancesOfEach(asked, height, { signal });
    const texts = each.map(({ value, endpoint }) => ({ value: value.map(String), endpoint }));
    const believed = indexes.map((index) => String(balances[index]));
    this.majority.decide(asked, believed, texts, ({ endpoint, value }, at) => {
      return `${endpoint} says that ${asked[at]} has ${value[at]} wei after block ${height}, and another node ${believed[at]}`;
    });
  }

  /**
   * @throws NodeError where nodes say that a transaction called otherwise; the signal's reason
   */
  async checkTraces(
    { source, effects, hashes, height }: BlockEffects,
    readEffects: ReadEffects,
    signal: AbortSignal,
  ): Promise<void> {
    const each = await this.nodes.evm.tracesOfEach(height, { signal });
    const read = each.flatMap(({ value, endpoint }) => {
      const said = readEffects(value);
      return said === null ? [] : [{ endpoint, value: said }];
    });
    const difference = ({ endpoint }: Answer<readonly string[]>, at: number) =>
      `${endpoint} says that transaction ${hashes[at]} of block ${height} made other internal transactions than ${source} says`;
    if (this.majority.decideArchive(source, effects, read, difference)) return;
    this.majority.decide([String(height)], effects, read, difference);
  }

  /** Those of which nodes differed before, and random ones. */
  private sampleOf(accounts: readonly string[]): number[] {
    const known = [...accounts.keys()].filter((index) => this.majority.isDisputed(accounts[index]!));
    const start = randomInt(accounts.length);
    const count = Math.min(SAMPLE, accounts.length);
    const random = Array.from({ length: count }, (_, at) => (start + at) % accounts.length);
    return [...new Set([...known, ...random])].slice(0, SAMPLE);
  }
}
