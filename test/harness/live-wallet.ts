import { setTimeout as sleep } from 'node:timers/promises';
import { withoutChecksum } from '../../src/avalanche/cb58.js';
import { decodeUtxo } from '../../src/avalanche/codec/outputs.js';
import type { Utxo } from '../../src/avalanche/codec/types.js';
import { LIVE_NETWORK, type LiveNode } from './avalanchego.js';
import { TransactionWriter, type ChainName, type LiveNetwork, type Wallet } from './signed-transactions.js';

const paths = { P: '/ext/bc/P', X: '/ext/bc/X', C: '/ext/bc/C/avax' } as const;
const names = { P: 'platform', X: 'avm', C: 'avax' } as const;
const ACCEPT_MS = 60_000;

/** What a transaction burns, nAVAX: more than any chain asks for here. */
export const FEE = 10_000_000n;

/** A transaction that the node accepted. */
export interface Accepted {
  readonly chain: ChainName;
  readonly id: string;
}

/** A wallet on a live node: makes transactions of what it owns and waits until they are accepted. */
export class LiveWallet {
  readonly accepted: Accepted[] = [];

  private constructor(
    private readonly node: LiveNode,
    readonly key: Wallet,
    readonly network: LiveNetwork,
    readonly write: TransactionWriter,
  ) {}

  static async open(node: LiveNode, key: Wallet): Promise<LiveWallet> {
    const idOf = async (chain: ChainName) =>
      (await node.ask<{ blockchainID: string }>('/ext/info', 'info.getBlockchainID', { alias: chain }))
        .blockchainID;
    const { assetID: assetId } = await node.ask<{ assetID: string }>(
      paths.P,
      'platform.getStakingAssetID',
      {},
    );
    const chains = { P: await idOf('P'), X: await idOf('X'), C: await idOf('C') };
    const network = { networkId: LIVE_NETWORK, assetId, chains };
    return new LiveWallet(node, key, network, new TransactionWriter(network, key));
  }

  /** Gives a signed transaction to the node. */
  async issue(chain: ChainName, signed: Promise<string>): Promise<string> {
    const given = { tx: await signed, encoding: 'hex' };
    const { txID: id } = await this.node.ask<{ txID: string }>(
      paths[chain],
      `${names[chain]}.issueTx`,
      given,
    );
    for (const end = performance.now() + ACCEPT_MS; !(await this.isAccepted(chain, id)); await sleep(50))
      if (performance.now() > end) throw new Error(`${id} was not accepted on ${chain}`);
    this.accepted.push({ chain, id });
    return id;
  }

  /** Outputs of an address, as the node's getUTXOs lists them: hex. @param from where they were made */
  async listed(address: string, chain: ChainName, from: ChainName = chain): Promise<string[]> {
    const given = {
      addresses: [`${chain}-${address}`],
      ...(from === chain ? {} : { sourceChain: from }),
      encoding: 'hex',
      limit: 1024,
    };
    return (await this.node.ask<{ utxos: string[] }>(paths[chain], `${names[chain]}.getUTXOs`, given)).utxos;
  }

  /** What this wallet alone can spend now, the largest first. */
  async spendable(chain: ChainName, from: ChainName = chain): Promise<Utxo[]> {
    const listed = await this.listed(this.key.text, chain, from);
    return listed
      .map((hex) => decodeUtxo(withoutChecksum(Buffer.from(hex.slice(2), 'hex'))))
      .filter(({ output: { owners, stakeableLocktime, kind } }) => {
        const isFree = stakeableLocktime === null && owners.locktime < BigInt(Math.floor(Date.now() / 1000));
        return kind === 'transfer' && isFree && owners.threshold === 1 && owners.addresses.length === 1;
      })
      .sort((a, b) => Number(b.output.amount - a.output.amount));
  }

  /** The largest of them. */
  async largest(chain: ChainName, from: ChainName = chain): Promise<Utxo> {
    const [first] = await this.spendable(chain, from);
    if (!first) throw new Error(`nothing can be spent on ${chain} that was made on ${from}`);
    return first;
  }

  async nonce(): Promise<bigint> {
    const given = [this.key.evmAddress, 'latest'];
    return BigInt(await this.node.ask<string>('/ext/bc/C/rpc', 'eth_getTransactionCount', given));
  }

  private async isAccepted(chain: ChainName, id: string): Promise<boolean> {
    const method = chain === 'C' ? 'avax.getAtomicTxStatus' : `${names[chain]}.getTxStatus`;
    const { status } = await this.node.ask<{ status: string }>(paths[chain], method, { txID: id });
    return status === 'Accepted' || status === 'Committed';
  }
}
