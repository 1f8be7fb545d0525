import { readFileSync } from 'node:fs';
import { decodePBlock, decodeXBlock } from '../../src/avalanche/codec/block.js';
import { decodeAtomicTransactions } from '../../src/avalanche/codec/c-transaction.js';
import { rebuildGenesis } from '../../src/avalanche/codec/genesis-bytes.js';
import type { Genesis, Transaction } from '../../src/avalanche/codec/types.js';
import { decodeXTransaction } from '../../src/avalanche/codec/x-transaction.js';
import { parseJson } from '../../src/json.js';
import { callsOf, checkedBytes, jsonOf, plainBytes, type Call } from '../avalanche/codec/recorded.js';
import { excerptCalls, excerptGenesis } from './excerpt-node.js';
import { outputOf, type NodeOutput } from './output-bytes.js';
import type { RecordedNetwork } from './recorded-node.js';

/** The answered calls of a recording; a recording in several files has those of each under its name. */
type Calls = (file: string) => readonly Call[];

/** What a recorded network's node said at the end. */
export const truthOf = (network: RecordedNetwork) =>
  new NodeTruth((file) => callsOf(network, file), jsonOf(network, 'genesis.json'));

/** What the node said from which the excerpt in this repository is. */
export const excerptTruth = () =>
  new NodeTruth(excerptCalls, parseJson(readFileSync(excerptGenesis, 'utf8')));

/** What the node of a recording said, without anything of the follower. */
export class NodeTruth {
  readonly genesis: Genesis;
  private readonly chainIds: Readonly<Record<'P' | 'X' | 'C', string>>;

  constructor(
    private readonly calls: Calls,
    genesis: unknown,
  ) {
    this.genesis = rebuildGenesis(genesis);
    const { xChainId: X, cChainId: C } = this.genesis;
    this.chainIds = { P: '11111111111111111111111111111111LpoYY', X, C };
  }

  /** The transactions of each chain's recorded blocks, and of X's index, without genesis. */
  transactions(): Record<'p' | 'x' | 'c', Transaction[]> {
    const blocks = (file: string, method: string) =>
      this.calls(file).filter((call) => call.method === method);
    const p = blocks('p', 'platform.getBlockByHeight')
      .map(({ result }) => decodePBlock(checkedBytes(result['block'])))
      .flatMap(({ transactions, proposal }) => [...transactions, ...(proposal ? [proposal] : [])]);
    const x = blocks('x', 'avm.getBlockByHeight').flatMap(
      ({ result }) => decodeXBlock(checkedBytes(result['block'])).transactions,
    );
    const c = blocks('c', 'eth_getBlockByNumber').flatMap(({ result }) =>
      decodeAtomicTransactions(
        plainBytes(result['blockExtraData']),
        Number(result['timestamp']) >= this.apricot5,
      ),
    );
    return { p, x: [...x, ...this.dag()], c };
  }

  /** The same with those of genesis. */
  allTransactions(): Record<'p' | 'x' | 'c', Transaction[]> {
    const { validators, chains, assets } = this.genesis;
    const { p, x, c } = this.transactions();
    return {
      p: [...validators, ...chains, ...p],
      x: [...assets.map(({ transaction }) => transaction), ...x],
      c,
    };
  }

  /**
   * Ids of what was made and not consumed, at stake or not. Balances that L1s give back are in no
   * transaction.
   */
  unspentIds(): string[] {
    const all = Object.values(this.allTransactions()).flat();
    const made = [
      ...this.genesis.utxos.map(({ utxoId }) => utxoId),
      ...all.flatMap(({ outputs }) => outputs.map(({ utxoId }) => utxoId)),
      ...[...this.rewards().values()].flat().map(({ utxoId }) => utxoId),
    ];
    const consumed = new Set(all.flatMap(({ inputs }) => inputs.map(({ utxoId }) => utxoId)));
    return made.filter((utxoId) => !consumed.has(utxoId));
  }

  /** Unspent outputs by the addresses that own them, as getUTXOs gave them at the end. */
  unspent(): Map<string, NodeOutput[]> {
    const byAddress = new Map<string, NodeOutput[]>();
    for (const { path, method, args, result } of this.calls('utxos')) {
      if (!method.endsWith('.getUTXOs')) continue;
      const { addresses, sourceChain } = args as { addresses: [string]; sourceChain?: string };
      const consumedOn = this.chainIds[path.charAt('/ext/bc/'.length) as 'P'];
      const outputs = (result['utxos'] as string[]).map((hex) =>
        outputOf(hex, sourceChain ?? consumedOn, consumedOn),
      );
      const address = addresses[0].slice(2);
      byAddress.set(address, [...(byAddress.get(address) ?? []), ...outputs]);
    }
    return byAddress;
  }

  /**
   * Outputs at stake by address: the bytes of asset and output, without their place, which nodes do not tell.
   */
  staked(): Map<string, string[]> {
    const calls = this.calls('utxos').filter(({ method }) => method === 'platform.getStake');
    return new Map(
      calls.map(({ args, result }) => [
        (args['addresses'] as [string])[0].slice(2),
        (result['stakedOutputs'] as string[]).map((hex) => hex.slice(6, -8)).sort(),
      ]),
    );
  }

  /** Outputs of getRewardUTXOs by the staking transaction, in the order of their index. */
  rewards(): Map<string, NodeOutput[]> {
    const calls = this.calls('p').filter(({ method }) => method === 'platform.getRewardUTXOs');
    const { P } = this.chainIds;
    return new Map(
      calls.map(({ args, result }) => [
        args['txID'] as string,
        (result['utxos'] as string[])
          .map((hex) => outputOf(hex, P, P))
          .sort((a, b) => a.outputIndex - b.outputIndex),
      ]),
    );
  }

  /** The result of a call about the P-chain's state at the end. */
  state(method: string): Record<string, unknown>[] {
    return this.calls('p-state')
      .filter((call) => call.method === method)
      .map(({ result }) => result);
  }

  private get apricot5(): number {
    const upgrades = this.calls('info').find(({ method }) => method === 'info.upgrades');
    return Date.parse(upgrades?.result['apricotPhase5Time'] as string) / 1000;
  }

  private dag(): Transaction[] {
    return this.calls('index')
      .filter(({ method, path }) => method === 'index.getContainerRange' && path === '/ext/index/X/tx')
      .flatMap(({ result }) => result['containers'] as { bytes: string }[])
      .map(({ bytes }) => decodeXTransaction(checkedBytes(bytes)));
  }
}
