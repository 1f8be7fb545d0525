import type { XTransaction } from '../../avalanche/codec/types.js';
import { decodeXTransaction } from '../../avalanche/codec/x-transaction.js';
import { nativeAsset } from '../../avalanche/networks.js';
import { LONGEST_ASSET_NAME, LONGEST_ASSET_SYMBOL } from '../../rows/bounds.js';
import { cutText } from '../../rows/cut.js';
import { contradiction } from '../node/error.js';
import type { Nodes } from '../node/nodes.js';
import type { PrimaryNetwork } from './network.js';
import { transactionReader } from '../node/proof.js';

/** An asset as replies describe it. */
export interface AssetDescription {
  readonly assetId: string;
  readonly name: string;
  readonly symbol: string;
  readonly denomination: number;
  readonly type: 'secp256k1' | 'nft';
}

/** Most assets that are remembered: some megabytes. */
const MOST_ASSETS = 20_000;

/**
 * What assets are. Their transactions say it: those of this batch, and for others the X-chain is asked by id,
 * so that rows do not depend on which chain was read first.
 */
export class Assets {
  private readonly known = new Map<string, AssetDescription>();

  constructor(
    private readonly nodes: Nodes,
    network: PrimaryNetwork,
  ) {
    this.native = { assetId: network.avaxAssetId, ...nativeAsset };
  }

  private readonly native: AssetDescription;

  /** Notes the asset that a CreateAssetTx makes. */
  note(transaction: XTransaction): void {
    const description = describeAsset(transaction);
    if (description) this.remember(description);
  }

  /** Asks for those that are not known yet. @throws NodeError */
  async prepare(ids: Iterable<string>, signal: AbortSignal): Promise<void> {
    const missing = [...new Set(ids)].filter((id) => !this.has(id));
    await Promise.all(
      missing.map(async (id) => {
        const read = transactionReader(id, decodeXTransaction);
        const made = await this.nodes.avm.transaction(id, { signal, read });
        const description = describeAsset(made);
        if (!description) throw contradiction(`${id} is named as an asset, but is not a CreateAssetTx`);
        this.remember(description);
      }),
    );
  }

  /** @throws Error for an asset that was not prepared */
  get(id: string): AssetDescription {
    const description = id === this.native.assetId ? this.native : this.known.get(id);
    if (!description) throw new Error(`asset ${id} was not prepared`);
    return description;
  }

  private has(id: string): boolean {
    return id === this.native.assetId || this.known.has(id);
  }

  private remember(description: AssetDescription): void {
    this.known.set(description.assetId, description);
    if (this.known.size <= MOST_ASSETS) return;
    const [oldest] = this.known.keys();
    if (oldest !== undefined) this.known.delete(oldest);
  }
}

function describeAsset(transaction: XTransaction): AssetDescription | null {
  if (transaction.type !== 'CreateAssetTx') return null;
  const { id, name, symbol, denomination, outputs } = transaction;
  const own = outputs.filter(({ role }) => role === 'asset');
  // The API knows two types. An asset with coins is one of coins, whatever else its states allow.
  const isNft =
    own.some(({ output }) => output.kind.startsWith('nft-')) &&
    !own.some(({ output }) => output.kind === 'transfer' || output.kind === 'mint');
  return {
    assetId: id,
    name: cutText(name, LONGEST_ASSET_NAME),
    symbol: cutText(symbol, LONGEST_ASSET_SYMBOL),
    denomination,
    type: isNft ? 'nft' : 'secp256k1',
  };
}
