import { nAvax, type Asset, type AssetDescription } from './assets.js';
import { creationFee } from './fees.js';
import type { Ledger } from './ledger.js';
import type { OutputDraft } from './outputs.js';
import type { Owner, Owners } from './owners.js';
import { payAsset } from './payments.js';
import type { Random } from './random.js';

const descriptions: readonly (AssetDescription & { holders: number; each: bigint })[] = [
  {
    name: 'Reef Coin',
    symbol: 'REEF',
    denomination: 6,
    type: 'secp256k1',
    holders: 24,
    each: 25_000_000_000n,
  },
  { name: 'Moraine Badges', symbol: 'BADGE', denomination: 0, type: 'nft', holders: 36, each: 1n },
  { name: 'Glacial Silt', symbol: 'SILT', denomination: 0, type: 'secp256k1', holders: 12, each: 40_000n },
  // Near the end of the unsigned 64 bits of an amount.
  {
    name: 'Firn',
    symbol: 'FIRN',
    denomination: 18,
    type: 'secp256k1',
    holders: 3,
    each: 6_000_000_000_000_000_000n,
  },
  { name: 'Trail Tickets', symbol: 'TRAIL', denomination: 0, type: 'nft', holders: 18, each: 1n },
];

/** The assets of the X-chain other than AVAX. */
export class XChain {
  private readonly assets: Asset[] = [];

  constructor(
    private readonly ledger: Ledger,
    private readonly owners: Owners,
    private readonly random: Random,
  ) {}

  /** Creates the next asset, if one is left: the id of its transaction is the asset's. */
  createAsset(): void {
    const description = descriptions[this.assets.length];
    const creator = this.owners.wallets[this.assets.length];
    if (!description || !creator) return;
    const funds = this.ledger.fund('x', creator, creationFee);
    if (!funds) return;
    const { holders, each, ...rest } = description;
    const identity = this.ledger.nextIdentity('x', 'CreateAssetTx');
    const asset = { assetId: identity.txHash, id: identity.txId, ...rest };
    const initial = this.owners.wallets.slice(0, holders).map((owner) => ({ owner, amount: each, asset }));
    this.ledger.transact('x', {
      txType: 'CreateAssetTx',
      inputs: funds.inputs,
      outputs: [...funds.change, ...initial],
      details: { memo: '0x' },
      identity,
    });
    this.assets.push(asset);
  }

  /** Moves some of an asset: an NFT by an operation, other assets by a plain transaction. */
  moveAsset(): void {
    const asset = this.random.pick(this.assets);
    const recipient = this.random.chance(0.2) ? this.owners.busy : this.random.pick(this.owners.wallets);
    if (asset.type === 'nft')
      this.firstAble((payer) => payAsset(this.ledger, asset, payer, recipient, 1n, 'OperationTx'));
    else {
      const amount = BigInt(this.random.int(1, 20_000));
      this.firstAble((payer) => payAsset(this.ledger, asset, payer, recipient, amount));
    }
  }

  /** Asks wallets, beginning anywhere, until one can. */
  private firstAble(action: (payer: Owner) => unknown): void {
    const { wallets } = this.owners;
    const first = this.random.int(0, wallets.length - 1);
    for (let offset = 0; offset < wallets.length; offset++) {
      const payer = wallets[(first + offset) % wallets.length];
      if (payer && action(payer)) return;
    }
  }
}

/**
 * The outputs that the X-chain began with, and those that the transaction creating AVAX gave to each owner.
 */
export function genesisOutputs(owners: Owners, random: Random, each: number): OutputDraft[] {
  const holders = [...owners.wallets, ...owners.multisigs, owners.busy];
  return holders.flatMap((owner) =>
    Array.from({ length: each }, () => ({
      owner,
      amount: nAvax(random.int(300, 4000) + random.int(0, 999) / 1000),
    })),
  );
}
