import { setTimeout as sleep } from 'node:timers/promises';
import type { AccessList } from 'viem';
import { SUBNET_EVM } from '../../sample/chains.js';
import type { LiveNode } from './avalanchego.js';
import { FEE, type LiveWallet } from './live-wallet.js';

/**
 * The program of subnet-evm, a virtual machine of a real node; tests that need it are skipped by name where
 * this is not set.
 */
export const subnetEvm = process.env['TEST_SUBNET_EVM'];

/** What a transaction is; its nonce, gas price and signature follow. */
interface EvmTransaction {
  readonly type?: 'legacy' | 'eip2930' | 'eip1559';
  readonly to?: `0x${string}`;
  readonly data?: `0x${string}`;
  readonly value?: bigint;
  readonly accessList?: AccessList;
}

interface Receipt {
  readonly contractAddress: `0x${string}` | null;
}

/** A chain that is to be made. Times are seconds. */
interface L1Plan {
  readonly evmChainId: number;
  readonly genesis: object;
  readonly upgrade: object;
}

const WAIT_MS = 60_000;
const GWEI = 1_000_000_000n;
/** Of any transaction here. A block of before Granite must burn tips, more of them the sooner it follows. */
const fees = {
  gas: 1_000_000n,
  tip: 1500n * GWEI,
  most: 4000n * GWEI,
};

/** A chain of subnet-evm on a live node, and who acts on it: the wallet that made it. */
export class LiveL1 {
  private nonce = 0;

  private constructor(
    private readonly node: LiveNode,
    private readonly wallet: LiveWallet,
    readonly evmChainId: number,
    readonly blockchainId: string,
    readonly subnetId: string,
  ) {}

  /** Makes a subnet and the chain, and starts the node again with all that a follower asks for. */
  static async make(
    node: LiveNode,
    wallet: LiveWallet,
    { evmChainId, genesis, upgrade }: L1Plan,
  ): Promise<LiveL1> {
    const moved = async () => {
      const from = await wallet.largest('P');
      return { consumed: [from], made: [{ amount: from.output.amount - FEE, owners: [wallet.key] }] };
    };
    const subnetId = await wallet.issue('P', wallet.write.createSubnet(await moved(), wallet.key));
    const bytes = Buffer.from(JSON.stringify(genesis));
    const chain = { subnetId, name: 'live', vmId: SUBNET_EVM, genesis: bytes };
    const blockchainId = await wallet.issue('P', wallet.write.createChain(await moved(), chain));
    const apis = ['eth', 'eth-filter', 'net', 'web3', 'internal-eth', 'internal-blockchain'];
    const config = {
      'pruning-enabled': false,
      'min-delay-target': 500,
      'local-txs-enabled': true,
      'eth-apis': [...apis, 'internal-transaction', 'internal-tx-pool', 'debug-tracer'],
    };
    await node.stop();
    node.configure(blockchainId, { config, upgrade });
    node.configure('C', { config: { ...config, 'min-delay-target': undefined } });
    node.start();
    await node.ready();
    const made = new LiveL1(node, wallet, evmChainId, blockchainId, subnetId);
    await made.ready();
    return made;
  }

  get path(): string {
    return `/ext/bc/${this.blockchainId}/rpc`;
  }

  get url(): string {
    return this.node.url + this.path;
  }

  call<T>(method: string, ...params: unknown[]): Promise<T> {
    return this.node.ask<T>(this.path, method, params);
  }

  /**
   * Sends transactions one after the other without waiting, so that a block may have several, and then waits
   * for all.
   */
  async send(...transactions: readonly EvmTransaction[]): Promise<Receipt[]> {
    const hashes: string[] = [];
    for (const each of transactions)
      hashes.push(await this.call<string>('eth_sendRawTransaction', await this.signed(each)));
    return Promise.all(hashes.map((hash) => this.receipt(hash)));
  }

  private signed({ type = 'eip1559', accessList, ...rest }: EvmTransaction): Promise<`0x${string}`> {
    const { gas, tip, most } = fees;
    const common = { chainId: this.evmChainId, nonce: this.nonce, gas, ...rest };
    this.nonce += 1;
    return this.wallet.key.signedForEvm(
      type === 'eip1559'
        ? {
            ...common,
            type,
            maxFeePerGas: most,
            maxPriorityFeePerGas: tip,
            ...(accessList && { accessList }),
          }
        : type === 'eip2930'
          ? { ...common, type, gasPrice: most, accessList: accessList ?? [] }
          : { ...common, type, gasPrice: most },
    );
  }

  private async receipt(hash: string): Promise<Receipt> {
    for (const end = performance.now() + WAIT_MS; ; await sleep(50)) {
      const receipt = await this.call<Receipt | null>('eth_getTransactionReceipt', hash);
      if (receipt) return receipt;
      if (performance.now() > end) throw new Error(`${hash} is in no block`);
    }
  }

  private async ready(): Promise<void> {
    for (const end = performance.now() + WAIT_MS; ; await sleep(200))
      try {
        await this.call('eth_chainId');
        return;
      } catch (error) {
        if (performance.now() > end) throw error;
      }
  }
}
