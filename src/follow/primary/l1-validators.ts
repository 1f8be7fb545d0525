import type { OutputOwners, PTransaction } from '../../avalanche/codec/types.js';
import type { Reader } from '../../storage/reader.js';
import type { Statement } from '../../storage/read.js';
import type { Batch } from '../../storage/session.js';
import { upsertRows } from '../../write/upsert.js';
import type { PrimaryNetwork } from './network.js';

/** What later transactions of an L1 validator do not repeat. */
export interface L1ValidatorPlace {
  readonly validationId: string;
  readonly subnetId: string;
  readonly nodeId: string;
  readonly weight: bigint;
  /** The transaction that made it: it names the owner of what is left of the balance. */
  readonly madeBy: string;
}

const stored: Statement = {
  name: 'follow.l1-validators',
  text: `SELECT validation_id AS "validationId", subnet_id AS "subnetId", node_id AS "nodeId", weight::text,
      made_by AS "madeBy"
    FROM follow_l1_validator WHERE network = $1::network AND validation_id = ANY($2::text[])`,
};

const table = {
  name: 'follow_l1_validator',
  columns: {
    network: 'network',
    validation_id: 'text',
    subnet_id: 'text',
    node_id: 'text',
    weight: 'numeric',
    made_by: 'text',
  },
  key: ['network', 'validation_id'],
} as const;

/** Gives a transaction of the P-chain by its id. */
export interface TransactionSource {
  pTransaction(id: string, signal: AbortSignal): Promise<PTransaction>;
}

/** Most validators that are remembered; more than a batch names, so that none of a batch being written is dropped. */
const MOST_KNOWN = 50_000;

/** The L1 validators that blocks made, in memory until a batch is committed, and in a table of the follower's own. */
export class L1Validators {
  private readonly changed = new Map<string, L1ValidatorPlace>();
  private readonly known = new Map<string, L1ValidatorPlace>();

  constructor(private readonly network: PrimaryNetwork) {}

  /** Reads those that a batch names. @throws what a read throws */
  async prepare(ids: readonly string[], reader: Reader): Promise<void> {
    const missing = [...new Set(ids)].filter((id) => !this.known.has(id));
    if (missing.length === 0) return;
    type Found = Omit<L1ValidatorPlace, 'weight'> & { weight: string };
    const rows = await reader.read<Found>(stored, [this.network.network, missing]);
    for (const row of rows) this.known.set(row.validationId, { ...row, weight: BigInt(row.weight) });
  }

  set(place: L1ValidatorPlace): void {
    this.known.delete(place.validationId);
    this.known.set(place.validationId, place);
    const [oldest] = this.known.keys();
    if (this.known.size > MOST_KNOWN && oldest !== undefined) this.known.delete(oldest);
    this.changed.set(place.validationId, place);
  }

  /** Notes the validators that a transaction makes: before others of its batch name them. */
  noteMade(transaction: PTransaction): void {
    const { id: madeBy } = transaction;
    if (transaction.type === 'ConvertSubnetToL1Tx')
      for (const { validationId, nodeId, weight } of transaction.validators)
        this.set({ validationId, subnetId: transaction.subnetId, nodeId, weight, madeBy });
    if (transaction.type === 'RegisterL1ValidatorTx' && transaction.warp.message.type === 'RegisterL1Validator') {
      const { validationId, subnetId, nodeId, weight } = transaction.warp.message;
      this.set({ validationId, subnetId, nodeId, weight, madeBy });
    }
  }

  get(validationId: string): L1ValidatorPlace | undefined {
    return this.known.get(validationId);
  }

  /** What a batch has changed, to be written on its connection. */
  takeChanges(): ((batch: Batch) => Promise<void>) | undefined {
    if (this.changed.size === 0) return undefined;
    const rows = [...this.changed.values()].map(({ validationId, subnetId, nodeId, weight, madeBy }) => [
      ...[this.network.network, validationId, subnetId, nodeId, weight.toString(), madeBy],
    ]);
    this.changed.clear();
    return async (batch) => void (await upsertRows(batch, table, rows));
  }

  forget(): void {
    this.changed.clear();
    this.known.clear();
  }

  /** To whom a transaction returns what is left of a balance. @throws Error when the validator is not stored */
  async remainingBalanceOwner(
    ended: PTransaction,
    source: TransactionSource,
    reader: Reader,
    signal: AbortSignal,
  ): Promise<OutputOwners> {
    const validationId = validationIdOf(ended);
    await this.prepare([validationId], reader);
    const place = this.get(validationId);
    if (!place) throw new Error(`L1 validator ${validationId} was registered before the first block that is stored`);
    const maker = await source.pTransaction(place.madeBy, signal);
    if (maker.type === 'RegisterL1ValidatorTx' && maker.warp.message.type === 'RegisterL1Validator')
      return maker.warp.message.remainingBalanceOwner;
    const first =
      maker.type === 'ConvertSubnetToL1Tx'
        ? maker.validators.find((one) => one.validationId === validationId)
        : undefined;
    if (!first) throw new Error(`${place.madeBy} did not make L1 validator ${validationId}`);
    return first.remainingBalanceOwner;
  }
}

/** The L1 validator that a transaction changes. */
export function validationIdOf(transaction: PTransaction): string {
  switch (transaction.type) {
    case 'IncreaseL1ValidatorBalanceTx':
    case 'DisableL1ValidatorTx':
      return transaction.validationId;
    case 'RegisterL1ValidatorTx':
    case 'SetL1ValidatorWeightTx': {
      const { message } = transaction.warp;
      if ('validationId' in message) return message.validationId;
    }
  }
  throw new Error(`${transaction.type} ${transaction.id} names no L1 validator`);
}

/** The L1 validators that a transaction changes and does not make. */
export function changedValidations(transaction: PTransaction): string[] {
  switch (transaction.type) {
    case 'IncreaseL1ValidatorBalanceTx':
    case 'DisableL1ValidatorTx':
    case 'SetL1ValidatorWeightTx':
      return [validationIdOf(transaction)];
    default:
      return [];
  }
}
