import type { Logger } from 'pino';
import { MAX_BALANCE, nftHoldingImport } from '../../resources/evm-holding/import.js';
import { pipelineTable } from '../../state/following.js';
import { bareArrayText } from '../../storage/copy.js';
import type { Batch } from '../../storage/session.js';
import type { PipelineName } from '../pipeline.js';
import type { EvmChain } from './chain.js';
import { dateOf } from './day-end.js';
import { bytesText, countAll, storeIds, type IdBalance, type OwnerCount } from './token-ids.js';

/** What consecutive blocks say of tokens of ERC-1155. */
export interface IdBalances {
  /** Contracts that they created, of those that are followed. */
  readonly created: readonly { readonly contract: string; readonly height: bigint }[];
  readonly balances: readonly IdBalance[];
}

export interface FollowedTokensDeps {
  readonly chain: Pick<EvmChain, 'network' | 'evmChainId'>;
  readonly name: PipelineName;
  /** Contracts, in lower case. */
  readonly tokens: readonly string[];
  readonly log: Logger;
}

/**
 * How many ERC-1155 tokens owners have. No call returns it: it is the sum over all ids that logs named with
 * the owner. So it is known for contracts whose blocks were all followed since their creation. For others,
 * ids are stored; they are counted when reading backward reaches the creation.
 */
export class FollowedTokens {
  private isOpen = false;
  /** Contracts that were logged as not counted. */
  private readonly said = new Set<string>();
  private readonly chainId: string;
  private readonly contracts: string;

  constructor(private readonly deps: FollowedTokensDeps) {
    this.chainId = String(deps.chain.evmChainId);
    this.contracts = bytesText(deps.tokens);
  }

  /** What is in memory of batches that were not committed is dropped. */
  forget(): void {
    this.isOpen = false;
  }

  /** Writes what the blocks of a batch say, in its transaction and before its watermark is moved. */
  async write(batch: Batch, { created, balances }: IdBalances): Promise<void> {
    if (!this.isOpen) await this.open(batch);
    this.isOpen = true;
    if (this.deps.tokens.length === 0) return;
    if (created.length > 0) {
      await this.noteMade(batch, created);
      await this.countWhole(batch);
    }
    await this.writeCounts(batch, await storeIds(batch, this.deps.chain.evmChainId, balances));
    await this.tell(batch, [...new Set(balances.map(({ contract }) => contract))]);
  }

  /**
   * A contract that is followed no more misses blocks from now on. One that is new was not followed before
   * the next block.
   */
  private async open(batch: Batch): Promise<void> {
    const gone = `evm_chain_id = $1 AND contract IN (
      SELECT contract FROM follow_token WHERE evm_chain_id = $1 AND NOT contract = ANY($2::bytea[]))`;
    for (const table of ['follow_token_count', 'follow_token_id', 'follow_token'])
      await batch.query(`DELETE FROM ${table} WHERE ${gone}`, [this.chainId, this.contracts]);
    await batch.query(
      `INSERT INTO follow_token AS known (evm_chain_id, contract, since)
       SELECT $1::bigint, contract, stream.next_height FROM unnest($2::bytea[]) contract, ${pipelineTable.name} stream
       WHERE stream.network = $3::network AND stream.name = $4
       ON CONFLICT (evm_chain_id, contract) DO UPDATE SET since = excluded.since WHERE known.since > excluded.since`,
      [this.chainId, this.contracts, this.deps.chain.network, this.deps.name],
    );
  }

  /**
   * All blocks from an earlier one on are stored: a token that was followed from the first one on is now
   * followed from there on. Call it in the transaction that says so, and before the watermark is moved.
   *
   * @param first the height of that block
   */
  async reach(batch: Batch, first: bigint): Promise<void> {
    if (this.deps.tokens.length === 0) return;
    await batch.query(
      `UPDATE follow_token known SET since = $2 FROM ${pipelineTable.name} stream
       WHERE known.evm_chain_id = $1 AND stream.network = $3::network AND stream.name = $4
         AND known.since = stream.first_height AND $2 < stream.first_height`,
      [this.chainId, String(first), this.deps.chain.network, this.deps.name],
    );
    await this.countWhole(batch);
  }

  /** Of blocks of a range of the past it is not known yet whether all blocks after them are stored. */
  private async noteMade(batch: Batch, created: IdBalances['created']): Promise<void> {
    await batch.query(
      `UPDATE follow_token known SET made = least(known.made, found.height)
       FROM (SELECT contract, min(height) AS height FROM unnest($2::bytea[], $3::bigint[]) AS given(contract, height)
             GROUP BY contract) found
       WHERE known.evm_chain_id = $1 AND known.contract = found.contract`,
      [
        this.chainId,
        bytesText(created.map(({ contract }) => contract)),
        bareArrayText(created.map(({ height }) => height)),
      ],
    );
  }

  /** Counts the owners of the contracts whose transfers are all known from now on. */
  private async countWhole(batch: Batch): Promise<void> {
    const { evmChainId } = this.deps.chain;
    const { rows } = await batch.query<{ contract: string }>(
      `UPDATE follow_token known SET created = known.made
       WHERE known.evm_chain_id = $1 AND known.created IS NULL AND known.since <= known.made
       RETURNING '0x' || encode(known.contract, 'hex') AS contract`,
      [this.chainId],
    );
    for (const { contract } of rows)
      await countAll(batch, evmChainId, contract, (counts) => this.writeCounts(batch, counts));
  }

  private async writeCounts(batch: Batch, counts: readonly OwnerCount[]): Promise<void> {
    if (counts.length === 0) return;
    const scope = { evmChainId: this.deps.chain.evmChainId };
    const { rows } = nftHoldingImport;
    const read = counts.map(({ contract: contractAddress, owner: address, day, count }) => {
      const tokenCount = BigInt(count) > MAX_BALANCE ? String(MAX_BALANCE) : count;
      return rows.read({ date: dateOf(day), address, contractAddress, tokenCount }, scope);
    });
    await rows.write(batch, scope, read);
  }

  private async tell(batch: Batch, contracts: readonly string[]): Promise<void> {
    const { name, log } = this.deps;
    const fresh = contracts.filter((each) => !this.said.has(each));
    if (fresh.length === 0) return;
    const { rows } = await batch.query<{ contract: string; since: string }>(
      `SELECT '0x' || encode(contract, 'hex') AS contract, since::text FROM follow_token
       WHERE evm_chain_id = $1 AND contract = ANY($2::bytea[]) AND created IS NULL`,
      [this.chainId, bytesText(fresh)],
    );
    for (const { contract, since } of rows) {
      this.said.add(contract);
      log.warn(
        { pipeline: name },
        `${name}: ERC-1155 balances of ${contract} are not counted: it was created before block ${since}, where following began, ` +
          'and every transfer is needed. Read the blocks back to its creation, with --from or --again',
      );
    }
  }
}
