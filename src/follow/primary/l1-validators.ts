import type { Reader } from '../../storage/reader.js';
import type { Statement } from '../../storage/read.js';
import type { Batch } from '../../storage/session.js';
import { upsertRows } from '../../write/upsert.js';
import type { PrimaryNetwork } from './network.js';

/** Who gets what is left of a balance: 20-byte addresses in hex without 0x. */
export interface BalanceOwner {
  readonly threshold: number;
  readonly addresses: readonly string[];
}

/** An L1 validator as the P-chain's state has it. */
export interface L1Validator {
  readonly validationId: string;
  readonly subnetId: string;
  readonly nodeId: string;
  /** 0: removed. */
  readonly weight: bigint;
  /** The sum of fees since the beginning at which its balance is spent, nAVAX; 0: not active. */
  readonly endFee: bigint;
  readonly owner: BalanceOwner;
}

const columns = `validation_id AS "validationId", subnet_id AS "subnetId", node_id AS "nodeId", weight::text,
  end_fee::text AS "endFee", owner`;
const named: Statement = {
  name: 'follow.l1-validators',
  text: `SELECT ${columns} FROM follow_l1_validator
    WHERE network = $1::network AND validation_id = ANY($2::text[])`,
};
const active: Statement = {
  name: 'follow.active-l1-validators',
  text: `SELECT ${columns} FROM follow_l1_validator WHERE network = $1::network AND end_fee > 0`,
};

const table = {
  name: 'follow_l1_validator',
  columns: {
    network: 'network',
    validation_id: 'text',
    subnet_id: 'text',
    node_id: 'text',
    weight: 'numeric',
    end_fee: 'numeric',
    owner: 'jsonb',
  },
  key: ['network', 'validation_id'],
} as const;

type Row = Omit<L1Validator, 'weight' | 'endFee'> & { weight: string; endFee: string };

/** Most inactive validators that are remembered; more than a batch names. */
const MOST_INACTIVE = 50_000;

/**
 * The L1 validators of a network: all active ones in memory, since each pays for each second; others as blocks name
 * them. What a batch changes is written in its transaction.
 */
export class L1Validators {
  private active: Map<string, L1Validator> | null = null;
  private readonly inactive = new Map<string, L1Validator>();
  private readonly changed = new Map<string, L1Validator>();
  private least: bigint | null = null;

  constructor(private readonly network: PrimaryNetwork) {}

  /** Reads the active ones once, and those that a batch names. */
  async prepare(ids: readonly string[], reader: Reader): Promise<void> {
    const { network } = this.network;
    if (this.active === null) {
      const rows = await reader.read<Row>(active, [network]);
      this.active = new Map(rows.map(fromRow).map((one) => [one.validationId, one]));
    }
    const missing = [...new Set(ids)].filter((id) => !this.get(id));
    if (missing.length === 0) return;
    const rows = await reader.read<Row>(named, [network, missing]);
    for (const one of rows.map(fromRow)) this.place(one);
  }

  get(validationId: string): L1Validator | undefined {
    return this.active?.get(validationId) ?? this.inactive.get(validationId);
  }

  set(one: L1Validator): void {
    this.place(one);
    this.changed.set(one.validationId, one);
  }

  get activeCount(): bigint {
    return BigInt(this.active?.size ?? 0);
  }

  /** The active ones whose balance is spent below this sum of fees. */
  endingBelow(fee: bigint): L1Validator[] {
    if (!this.active?.size) return [];
    this.least ??= [...this.active.values()].reduce(
      (least, { endFee }) => (endFee < least ? endFee : least),
      2n ** 64n,
    );
    // Nearly always: only this is looked at for each block.
    if (this.least >= fee) return [];
    return [...this.active.values()].filter(({ endFee }) => endFee < fee);
  }

  /** What a batch has changed, to be written on its connection; undefined for nothing. */
  takeChanges(): ((batch: Batch) => Promise<void>) | undefined {
    if (this.changed.size === 0) return undefined;
    const rows = [...this.changed.values()].map(
      ({ validationId, subnetId, nodeId, weight, endFee, owner }) => [
        ...[this.network.network, validationId, subnetId, nodeId, weight.toString(), endFee.toString()],
        JSON.stringify(owner),
      ],
    );
    this.changed.clear();
    return async (batch) => void (await upsertRows(batch, table, rows));
  }

  forget(): void {
    this.active = null;
    this.least = null;
    this.inactive.clear();
    this.changed.clear();
  }

  private place(one: L1Validator): void {
    const { validationId, endFee } = one;
    this.least = null;
    this.active?.delete(validationId);
    this.inactive.delete(validationId);
    (endFee > 0n ? this.active : this.inactive)?.set(validationId, one);
    const [oldest] = this.inactive.keys();
    if (this.inactive.size > MOST_INACTIVE && oldest !== undefined) this.inactive.delete(oldest);
  }
}

const fromRow = (row: Row): L1Validator => ({
  ...row,
  weight: BigInt(row.weight),
  endFee: BigInt(row.endFee),
});
