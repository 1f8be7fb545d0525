import { decodeUtxo } from '../../avalanche/codec/outputs.js';
import type { Input, Utxo } from '../../avalanche/codec/types.js';
import { ZERO_ID } from '../../avalanche/codec/ids.js';
import { withoutChecksum } from '../../avalanche/cb58.js';
import type { PrimaryChain } from '../../avalanche/networks.js';
import type { Statement } from '../../storage/statement.js';
import { PipelineStopped } from '../errors.js';
import { contradiction } from '../node/error.js';
import type { DigestContext } from '../pipeline.js';
import { madeOutput } from '../staking/made-output.js';
import type { AwaitedStreams, OutputStream } from './awaited-streams.js';
import type { PrimaryNetwork } from './network.js';
import type { OutputMemory } from './output-memory.js';
import type { Producers } from './producers.js';

/** An input, and the chain whose transaction made what it consumes. */
export interface Wanted {
  readonly input: Input;
  readonly createdOn: PrimaryChain;
}

const storedOutputs: Statement = {
  name: 'follow.outputs',
  text: `SELECT utxo_bytes AS bytes FROM utxo
    WHERE network = $1::network AND utxo_id = ANY($2::text[]) AND utxo_bytes IS NOT NULL`,
};

/**
 * What inputs consume. A row needs its owners, and an input names only an id, so they are looked up in
 * memory, then in the database, as long as another stream may store them, then in the transaction that
 * created them, which a node gives by id. Nothing is guessed: an input that is found nowhere is waited for,
 * because nodes say which outputs a stake was paid.
 */
export class Outputs {
  constructor(
    private readonly network: PrimaryNetwork,
    private readonly memory: OutputMemory,
    private readonly producers: Producers,
    private readonly others: AwaitedStreams,
    private readonly options: {
      /** Whether the outputs of the P-chain's genesis are known. */
      readonly knowsGenesis: boolean;
      /** Is called with the proof that an output that we computed is wrong. */
      readonly differ: (text: string) => void;
    },
  ) {}

  /** Notes outputs of blocks that were read. */
  remember(utxos: Iterable<Utxo>): void {
    for (const utxo of utxos) this.memory.add(utxo);
  }

  /**
   * @param stream whose inputs they are
   * @returns the consumed outputs by their id
   * @throws NodeError when no node gives an output, or it and its input differ; PipelineStopped for one of a
   *   genesis that the operator has not given
   */
  async resolve(
    stream: OutputStream,
    wanted: readonly Wanted[],
    context: DigestContext,
  ): Promise<ReadonlyMap<string, Utxo>> {
    const found = new Map<string, Utxo>();
    let missing = wanted;
    await this.others.wait(stream, context, async () => {
      missing = await this.lookUp(missing, found, context.reader);
      return new Set(missing.map(({ createdOn }) => createdOn));
    });
    for (const utxo of await this.producers.find(missing, context.signal)) take(found, utxo);
    for (const { input, createdOn } of wanted) {
      const utxo = found.get(input.utxoId);
      if (utxo && createdOn === 'p')
        found.set(input.utxoId, await this.corrected(input, utxo, context.signal));
      this.check(input, found.get(input.utxoId));
    }
    return found;
  }

  /** Adds those that are remembered or stored. @returns the others */
  private async lookUp(
    wanted: readonly Wanted[],
    found: Map<string, Utxo>,
    reader: DigestContext['reader'],
  ): Promise<readonly Wanted[]> {
    const notRemembered = wanted.filter(({ input: { utxoId } }) => !take(found, this.memory.get(utxoId)));
    if (notRemembered.length === 0) return [];
    const ids = notRemembered.map(({ input }) => input.utxoId);
    const rows = await reader.read<{ bytes: Uint8Array }>(storedOutputs, [this.network.network, ids]);
    for (const { bytes } of rows) take(found, decodeUtxo(withoutChecksum(bytes)));
    return notRemembered.filter(({ input }) => !found.has(input.utxoId));
  }

  /**
   * The output as the input describes it, where its amount is computed here: that of a reward, or of what is
   * returned of an L1 validator's balance. Nodes have accepted the input.
   */
  private async corrected(input: Input, utxo: Utxo, signal: AbortSignal): Promise<Utxo> {
    const { amount } = input;
    const { output, assetId } = utxo;
    if (amount === null || amount === output.amount || assetId !== input.assetId) return utxo;
    if (await this.producers.makes(input, signal)) return utxo;
    this.options.differ(
      `output ${input.outputIndex} of ${input.txId} is ${amount} for who spends it, and Moraine computes ${output.amount}`,
    );
    return madeOutput(input, assetId, amount, output.owners);
  }

  /** A block may be invented by the node that gave it, up to the last one. */
  private check(input: Input, utxo: Utxo | undefined): void {
    const name = `output ${input.outputIndex} of ${input.txId}`;
    if (!utxo && input.txId === ZERO_ID && !this.options.knowsGenesis)
      throw new PipelineStopped(
        `${name} is consumed. It is one of genesis: give the genesis file of the network with --genesis or FOLLOW_GENESIS.`,
      );
    // No node gives the former balance of an L1 validator.
    if (!utxo)
      throw contradiction(
        `${name} is consumed, and no node gives it. If this chain was begun in its middle, follow it from its first block into an empty database`,
      );
    const isSame =
      utxo.assetId === input.assetId && (input.amount === null || input.amount === utxo.output.amount);
    if (!isSame)
      throw contradiction(
        `${name} is ${utxo.output.amount} of ${utxo.assetId}, and its input says otherwise`,
      );
  }
}

function take(found: Map<string, Utxo>, utxo: Utxo | undefined): boolean {
  if (utxo) found.set(utxo.utxoId, utxo);
  return utxo !== undefined;
}
