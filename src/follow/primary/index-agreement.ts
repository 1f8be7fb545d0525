import { pipelineTable } from '../../state/following.js';
import type { Reader } from '../../storage/reader.js';
import type { Statement } from '../../storage/statement.js';
import { NodeError } from '../node/error.js';
import type { PrimaryNetwork } from './network.js';

/** Null where one of both indexes is not stored to its end. */
const compared: Statement = {
  name: 'follow.index_agreement',
  text: `SELECT dag.next_height::text AS indexed, named.count::text AS named, lost.count::text AS lost, lost.example
    FROM ${pipelineTable.name} dag, ${pipelineTable.name} vertices,
      LATERAL (SELECT count(DISTINCT tx_hash) FROM vertex_transaction WHERE network = $1::network) named,
      LATERAL (SELECT count(*), min(tx_hash) AS example FROM vertex_transaction own
        WHERE own.network = $1::network AND NOT EXISTS (SELECT FROM transaction stored
          WHERE stored.network = own.network AND stored.chain = 'x' AND stored.tx_hash = own.tx_hash)) lost
    WHERE dag.network = $1::network AND dag.name = 'x-dag' AND dag.next_height > dag.head AND dag.first_height = 0
      AND vertices.network = $1::network AND vertices.name = 'x-vertices' AND vertices.next_height > vertices.head
      AND vertices.first_height = 0`,
};

interface Compared {
  readonly indexed: string;
  readonly named: string;
  readonly lost: string;
  readonly example: string | null;
}

/**
 * Compares the index of transactions with those that stand in the vertices, when both are stored: nothing
 * else says that it is whole.
 */
export class IndexAgreement {
  private isWhole = false;

  constructor(
    private readonly network: PrimaryNetwork,
    private readonly storage: Pick<Reader, 'read'>,
  ) {}

  /** @throws NodeError where they differ: the node's index has a hole, or a transaction twice */
  async check(): Promise<void> {
    if (this.isWhole) return;
    const [row] = await this.storage.read<Compared>(compared, [this.network.network]);
    if (!row) return;
    const { indexed, named, lost, example } = row;
    if (lost !== '0')
      throw new NodeError(
        'elsewhere',
        'wrong',
        `the index of transactions of this node lacks ${lost} that its vertices have, such as ${example}: moraine follow ADDRESS --again x-dag stores them from a node that has them`,
        null,
      );
    if (indexed !== named)
      throw new NodeError(
        'elsewhere',
        'wrong',
        `the index of transactions of this node has ${indexed} transactions, and its vertices have ${named}`,
        null,
      );
    this.isWhole = true;
  }
}
