import type { Logger } from 'pino';
import type { OwnerOfTokens } from '../node/evm-apis.js';
import type { PipelineName } from '../pipeline.js';

/** Contracts that are named: anybody may make one. */
const MOST_NAMED = 1000;

/**
 * Says once of each contract that it does not say a balance, so that the rows that it has stay as they are.
 */
export class SilentContracts {
  private readonly named = new Set<string>();

  constructor(
    private readonly name: PipelineName,
    private readonly log: Logger,
  ) {}

  /**
   * @param counts of these owners; null where a contract returned no number, or its call failed on every node
   */
  note(owners: readonly OwnerOfTokens[], counts: readonly (bigint | null)[], height: bigint): void {
    for (const [index, { contract }] of owners.entries()) {
      if (counts[index] !== null || this.named.has(contract) || this.named.size >= MOST_NAMED) continue;
      this.named.add(contract);
      this.log.info(
        { pipeline: this.name },
        `${this.name}: balances of ${contract} are not stored after block ${height}: its balanceOf fails, or returns no number`,
      );
    }
  }
}
