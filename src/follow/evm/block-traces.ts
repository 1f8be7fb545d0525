import type { Logger } from 'pino';
import type { EvmTransaction } from '../../avalanche/codec/evm-transaction.js';
import { NodeError } from '../node/error.js';
import { wrongAnswer } from '../node/failed.js';
import type { EvmNodes } from '../node/nodes.js';
import type { EvmChain } from './chain.js';
import { effectOf, rootOf } from './frames.js';
import { GasDialects } from './gas-dialects.js';
import { checkTracesAmongNodes, isSampled } from './node-agreement.js';
import { hashesOf, type ProvedHead } from './proved-head.js';
import { provedTraces, type ReadTrace, type Traced } from './proved-traces.js';

type TracedBlock = Pick<ProvedHead, 'height' | 'transactions' | 'gasUsed'>;

/** The traces of blocks, compared with what is proved of their transactions. */
export class BlockTraces {
  private readonly dialects: GasDialects;

  constructor(
    private readonly deps: {
      readonly nodes: EvmNodes;
      readonly log: Logger;
      readonly chain: Pick<EvmChain, 'headerOf'>;
    },
  ) {
    this.dialects = new GasDialects(deps.log, deps.chain.headerOf === 'c-chain');
  }

  /**
   * What the traces of a block's transactions say: each begins with the call that its transaction makes, and
   * together they used the gas that the header says.
   *
   * @param readTrace as provedTraces takes it
   * @throws NodeError
   */
  async of<T>(block: TracedBlock, readTrace: ReadTrace<T>, signal: AbortSignal): Promise<Traced<T>> {
    const { nodes } = this.deps;
    const { height, transactions, gasUsed } = block;
    const isCompared = isSampled(nodes);
    const byHash = new Map(transactions.map((each) => [each.hash, each]));
    const read = (trace: unknown, hash: string) => {
      const root = rootOf(trace);
      compare(root, byHash.get(hash)!);
      return { gas: root.gasUsed, effect: isCompared ? effectOf(trace) : '', said: readTrace(trace, hash) };
    };
    for (;;) {
      const asked = { height, hashes: hashesOf(block) };
      const { traces, ...rest } = await provedTraces(nodes, asked, read, signal);
      const gas = traces.reduce((sum, { said }) => sum + said.gas, 0n);
      const fault =
        rest.source === null || gasUsed === null
          ? null
          : this.dialects.faultOf(rest.source, height, { traced: gas, proved: gasUsed });
      if (fault === null) {
        const effects = traces.map(({ said }) => said.effect);
        if (isCompared && rest.source !== null)
          await checkTracesAmongNodes(nodes, { source: rest.source, effects }, height, signal);
        return { ...rest, traces: traces.map(({ hash, said }) => ({ hash, said: said.said })) };
      }
      if (!nodes.setAside(rest.source!, fault))
        throw new NodeError('elsewhere', 'wrong', `${rest.source}: ${fault}`, rest.source);
    }
  }
}

/** @throws Failed where a trace does not begin with the call that its transaction makes */
function compare(root: ReturnType<typeof rootOf>, { hash, from, to, value, input }: EvmTransaction): void {
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
  if (root.input !== input)
    throw wrongAnswer('', 'wrong', `input of the trace of ${hash} is not that of the transaction`);
}
