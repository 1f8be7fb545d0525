import type { Logger } from 'pino';
import type { EvmTransaction } from '../../avalanche/codec/evm-transaction.js';
import type { TransactionTrace } from '../node/evm-apis.js';
import { wrongAnswer } from '../node/failed.js';
import type { EvmNodes } from '../node/nodes.js';
import type { EvmChain } from './chain.js';
import { callsOf, effectOf, type Calls, type RootFrame } from './frames.js';
import { GasDialects } from './gas-dialects.js';
import type { NodeAgreement } from './node-agreement.js';
import { hashesOf, type ProvedHead } from './proved-head.js';
import { provedTraces, traceFault, type ReadTrace, type Traced } from './proved-traces.js';

type TracedBlock = Pick<ProvedHead, 'height' | 'transactions' | 'gasUsed'>;

/** The traces of blocks, compared with what is proved of their transactions. */
export class BlockTraces {
  private readonly dialects: GasDialects;

  constructor(
    private readonly deps: {
      readonly nodes: EvmNodes;
      readonly log: Logger;
      readonly chain: Pick<EvmChain, 'headerOf'>;
      readonly agreement: NodeAgreement;
    },
  ) {
    this.dialects = new GasDialects(deps.log, deps.chain.headerOf === 'c-chain');
  }

  /**
   * What the traces of a block's transactions say: each begins with the call that its transaction makes, and
   * together they used the gas that the header says.
   *
   * @throws NodeError
   */
  async of(block: TracedBlock, signal: AbortSignal): Promise<Traced<Calls>> {
    const { nodes, agreement } = this.deps;
    const { height, transactions, gasUsed } = block;
    const byHash = new Map(transactions.map((each) => [each.hash, each]));
    const read = (trace: unknown, hash: string) => {
      const calls = callsOf(trace);
      compare(calls.root, byHash.get(hash)!);
      return calls;
    };
    const faultOf = (all: readonly Calls[], endpoint: string) => {
      const traced = all.reduce((sum, { root }) => sum + root.gasUsed, 0n);
      return gasUsed === null ? null : this.dialects.faultOf(endpoint, height, { traced, proved: gasUsed });
    };
    const hashes = hashesOf(block);
    const traced = await provedTraces(nodes, { height, hashes }, read, signal, { faultOf });
    const { source, traces } = traced;
    if (source !== null && agreement.isSampled(height, source)) {
      const effects = traces.map(({ said }) => effectOf(said));
      const effectsOf = (given: readonly TransactionTrace[]) =>
        effectsIn(given, hashes, (trace, hash) => effectOf(read(trace, hash)));
      await agreement.checkTraces({ source, effects, hashes, height }, effectsOf, signal);
    }
    return traced;
  }
}

/** Null for traces that are not those of the block, whoever says them. */
function effectsIn(
  given: readonly TransactionTrace[],
  hashes: readonly string[],
  read: ReadTrace<string>,
): string[] | null {
  if (traceFault(given, hashes) !== null) return null;
  try {
    return given.map(({ trace }, index) => read(trace, hashes[index]!));
  } catch {
    return null;
  }
}

/** @throws Failed where a trace does not begin with the call that its transaction makes */
function compare(root: RootFrame, { hash, from, to, value, input }: EvmTransaction): void {
  const differs = (what: string, said: unknown, wanted: unknown) => {
    if (said !== wanted)
      throw wrongAnswer(
        '',
        'wrong',
        `${what} of the trace of ${hash} is ${String(said)}, and the transaction has ${String(wanted)}`,
      );
  };
  differs('from', root.from, from);
  // The address of a contract that it creates stands in no transaction.
  if (to !== null) differs('to', root.to, to);
  differs('type', root.creates, to === null);
  differs('value', root.value, value);
  if (root.input.slice(2) !== input)
    throw wrongAnswer('', 'wrong', `input of the trace of ${hash} is not that of the transaction`);
}
