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
export interface SaidOfIds {
  /** Height of the first of the blocks. */
  readonly from: bigint;
  /** Contracts that they created, of those that are followed. */
  readonly created: readonly { readonly contract: string; readonly height: bigint }[];
  readonly balances: readonly IdBalance[];
}

export interface FollowedTokensParts {
  readonly chain: Pick<EvmChain, 'network' | 'evmChainId'>;
  readonly name: PipelineName;
  /** Contracts, in lower case. */
  readonly tokens: readonly string[];
  readonly log: Logger;
}

/**
 * How many tokens of ERC-1155 owners have. No call says it: it is the sum over the ids that logs ever named with the owner, so it is
 * known of contracts of which all blocks since their creation were followed. Of others ids are stored, and counted when the creation
 * is read from the past.
 */
export class FollowedTokens {
  private isOpen = false;
  /** Contracts of which the log says that they are not counted. */
  private readonly said = new Set<string>();
  private readonly chainId: string;
  private readonly contracts: string;

  constructor(private readonly parts: FollowedTokensParts) {
    this.chainId = String(parts.chain.evmChainId);
    this.contracts = bytesText(parts.tokens);
  }

  /** What is in memory of batches that were not committed is dropped. */
  forget(): void {
    this.isOpen = false;
  }

  /** Writes what the blocks of a batch say, in its transaction and before its watermark is moved. */
  async write(batch: Batch, { from, created, balances }: SaidOfIds): Promise<void> {
    if (!this.isOpen) await this.open(batch);
    this.isOpen = true;
    if (this.parts.tokens.length === 0) return;
    await this.reachDown(batch, from);
    for (const contract of await this.noteCreated(batch, created))
      await countAll(batch, this.parts.chain.evmChainId, contract, (counts) =>
        this.writeCounts(batch, counts),
      );
    await this.writeCounts(batch, await storeIds(batch, this.parts.chain.evmChainId, balances));
    await this.tell(batch, [...new Set(balances.map(({ contract }) => contract))]);
  }

  /** A contract that is followed no more misses blocks from now on. One that is new was not followed before the next block. */
  private async open(batch: Batch): Promise<void> {
    const gone = `evm_chain_id = $1 AND contract IN (
      SELECT contract FROM follow_token WHERE evm_chain_id = $1 AND NOT contract = ANY($2::bytea[]))`;
    for (const table of ['follow_token_count', 'follow_token_id', 'follow_token'])
      await batch.query(`DELETE FROM ${table} WHERE ${gone}`, [this.chainId, this.contracts]);
    await batch.query(
      `INSERT INTO follow_token AS known (evm_chain_id, contract, since)
       SELECT $1::bigint, contract, place.next_height FROM unnest($2::bytea[]) contract, ${pipelineTable.name} place
       WHERE place.network = $3::network AND place.name = $4
       ON CONFLICT (evm_chain_id, contract) DO UPDATE SET since = excluded.since WHERE known.since > excluded.since`,
      [this.chainId, this.contracts, this.parts.chain.network, this.parts.name],
    );
  }

  /** Blocks right before the first one that is stored belong to what is followed since then. */
  private async reachDown(batch: Batch, from: bigint): Promise<void> {
    await batch.query(
      `UPDATE follow_token known SET since = $2 FROM ${pipelineTable.name} place
       WHERE known.evm_chain_id = $1 AND place.network = $3::network AND place.name = $4
         AND known.since = place.first_height AND $2 < place.first_height`,
      [this.chainId, String(from), this.parts.chain.network, this.parts.name],
    );
  }

  /** @returns the contracts of which all transfers are known from now on */
  private async noteCreated(batch: Batch, created: SaidOfIds['created']): Promise<string[]> {
    if (created.length === 0) return [];
    const { rows } = await batch.query<{ contract: string }>(
      `UPDATE follow_token known SET created = made.height
       FROM (SELECT contract, min(height) AS height FROM unnest($2::bytea[], $3::bigint[]) AS given(contract, height)
             GROUP BY contract) made
       WHERE known.evm_chain_id = $1 AND known.contract = made.contract
         AND known.created IS NULL AND known.since <= made.height
       RETURNING '0x' || encode(known.contract, 'hex') AS contract`,
      [
        this.chainId,
        bytesText(created.map(({ contract }) => contract)),
        bareArrayText(created.map(({ height }) => height)),
      ],
    );
    return rows.map(({ contract }) => contract);
  }

  private async writeCounts(batch: Batch, counts: readonly OwnerCount[]): Promise<void> {
    if (counts.length === 0) return;
    const scope = { evmChainId: this.parts.chain.evmChainId };
    const { rows } = nftHoldingImport;
    const read = counts.map(({ contract: contractAddress, owner: address, day, count }) => {
      const tokenCount = BigInt(count) > MAX_BALANCE ? String(MAX_BALANCE) : count;
      return rows.read({ date: dateOf(day), address, contractAddress, tokenCount }, scope);
    });
    await rows.write(batch, scope, read);
  }

  private async tell(batch: Batch, contracts: readonly string[]): Promise<void> {
    const { name, log } = this.parts;
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
        `${name}: how many ERC-1155 tokens of ${contract} somebody has is not stored: it was created before block ${since}, from which ` +
          'on it is followed. Only all of its transfers say it: read the past down to its creation, with --from or --again',
      );
    }
  }
}
