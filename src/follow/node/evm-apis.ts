import type {
  Answer,
  BlockOptions,
  CallOptions,
  EachBlockOptions,
  HeadOptions,
  ReadOptions,
} from './apis.js';

/** A header as the node prints it: 0x… texts by field name. */
export type EvmHeader = Readonly<Record<string, string | undefined>> & {
  readonly number: string;
  readonly hash: string;
};

/** A block. `blockExtraData` has the atomic transactions. */
export interface EvmBlock {
  readonly header: EvmHeader;
  /** Its transactions as the node prints them; none where their hashes alone were asked for. */
  readonly bodies: readonly unknown[];
  /** Hashes of its transactions, 0x…, in order. */
  readonly transactions: readonly string[];
  readonly extraData: Uint8Array;
  /** As the node prints them; none of a chain without them. */
  readonly withdrawals: readonly unknown[];
}

/** What callTracer says of one transaction. */
export interface TransactionTrace {
  /** 0x…; null of a node that does not name it. */
  readonly txHash: string | null;
  /** Its frame, with the frames that it called. */
  readonly trace: unknown;
}

/** An account, and a contract that counts what it has. */
export interface OwnerOfTokens {
  /** 0x and 40 digits. */
  readonly contract: string;
  readonly owner: string;
  /** Of ERC-1155: how many it has of this id is asked; absent: how many it has at all. */
  readonly tokenId?: bigint;
}

/** What accounts and contracts have after a block; a pruning node has only the newest ones. */
export interface EvmStateApi {
  /**
   * Balances in wei of accounts (0x and 40 digits), in their order.
   *
   * @throws NodeError `state-missing` for a height whose state no node keeps
   */
  balances(accounts: readonly string[], height: bigint, options?: CallOptions): Promise<readonly bigint[]>;
  /**
   * What each node that can be asked says of a few accounts, 100 at most, as above. Those that do not answer
   * are left out.
   */
  balancesOfEach(
    accounts: readonly string[],
    height: bigint,
    options?: CallOptions,
  ): Promise<readonly Answer<readonly bigint[]>[]>;
  /**
   * How many tokens owners have by `balanceOf`, in the tokens' smallest unit; null where the contract does
   * not say it: it reverts, returns no number or does not exist.
   *
   * @throws NodeError as above
   */
  tokenBalances(
    owners: readonly OwnerOfTokens[],
    height: bigint,
    options?: CallOptions,
  ): Promise<readonly (bigint | null)[]>;
}

/** `/ext/bc/C/rpc`, in batches that shrink when one fails. */
export interface EvmApi extends EvmStateApi {
  height(options?: HeadOptions): Promise<bigint>;
  chainId(options?: CallOptions): Promise<bigint>;
  headers(from: bigint, count: number, options?: CallOptions): Promise<Answer<EvmHeader>[]>;
  /** With its transactions' hashes alone. */
  block<T = EvmBlock>(height: bigint, options?: BlockOptions<EvmBlock, T>): Promise<Answer<T>>;
  /** What each endpoint that has the height gives as its block; those that do not answer are left out. */
  blockOfEach<T>(height: bigint, options: EachBlockOptions<EvmBlock, T>): Promise<Answer<T>[]>;
  blocks<T = EvmBlock>(
    from: bigint,
    count: number,
    options?: BlockOptions<EvmBlock, T>,
  ): Promise<Answer<T>[]>;
  /** The same with its transactions. */
  wholeBlocks<T = EvmBlock>(
    from: bigint,
    count: number,
    options?: BlockOptions<EvmBlock, T>,
  ): Promise<Answer<T>[]>;
  /**
   * The traces of a block's transactions by callTracer, in order. Nodes have none of the genesis.
   *
   * @throws NodeError `method-missing` without the flag for it, `state-missing` for a height that it cannot
   *   trace any more, `trace-refused` when it has not traced one of the transactions
   */
  traces<T = readonly TransactionTrace[]>(
    height: bigint,
    options?: ReadOptions<readonly TransactionTrace[], T>,
  ): Promise<Answer<T>>;
  /**
   * What each endpoint that can be asked says of the traces of a block; those that do not answer are left
   * out.
   */
  tracesOfEach(
    height: bigint,
    options?: CallOptions,
  ): Promise<readonly Answer<readonly TransactionTrace[]>[]>;
  /**
   * The trace of one transaction by callTracer.
   *
   * @param height of its block
   * @throws NodeError as `traces`, and `not-found` of a node that does not know where the transaction is
   */
  trace<T = TransactionTrace>(
    hash: string,
    height: bigint,
    options?: ReadOptions<TransactionTrace, T>,
  ): Promise<Answer<T>>;
  /**
   * The receipts of a block's transactions, in order, as the node prints them.
   *
   * @throws NodeError `method-missing` of a node that does not offer eth_getBlockReceipts
   */
  receipts<T = readonly unknown[]>(
    height: bigint,
    options?: ReadOptions<readonly unknown[], T>,
  ): Promise<Answer<T>>;
  /** Any method, one call: what a node says of a contract, and what the probe asks. */
  call(method: string, params: readonly unknown[], options?: CallOptions): Promise<unknown>;
}
