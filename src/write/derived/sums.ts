import type { CopyValue } from '../../storage/copy.js';
import type { Batch } from '../../storage/session.js';
import type { Columns } from './computed.js';
import type { Change, Summand, SumTable } from './table.js';
import { deleteByKey, givenAs } from './given-rows.js';

type Row = readonly CopyValue[];

/** The change of one row. */
interface Growth {
  key: Row;
  /** The key as a text. */
  text: string;
  sums: bigint[];
  /** Members; most rows of most tables have none. */
  added: Row[] | undefined;
  removed: Row[] | undefined;
}

/** Collects the changes of a table of sums, and writes them. */
export class SumWriter<Item> {
  private readonly growths = new Map<string, Growth>();

  constructor(private readonly table: SumTable<Item>) {}

  take({ before, after }: Change<Item>): void {
    const old = before ? this.table.summands(before) : [];
    const now = after ? this.table.summands(after) : [];
    // Such as a correction of an output's type; its members would be deleted and added again.
    if (isSame(old, now)) return;
    for (const { key, sums, member } of old) {
      const growth = this.grown(
        key,
        sums.map((sum) => -sum),
      );
      if (member) (growth.removed ??= []).push(member);
    }
    for (const { key, sums, member } of now) {
      const growth = this.grown(key, sums);
      if (member) (growth.added ??= []).push(member);
    }
  }

  async write(batch: Batch): Promise<void> {
    const growths = [...this.growths.values()].filter(isGrowth);
    if (growths.length === 0) return;
    const ids = await this.grow(batch, growths);
    // In this order: members refer to their row.
    await Promise.all([
      this.removeMembers(batch, ids, growths),
      this.removeEmpty(batch, growths),
      this.addMembers(batch, ids, growths),
    ]);
  }

  /** The change of a row, after it grew by these sums. */
  private grown(key: Row, sums: readonly bigint[]): Growth {
    const text = key.join(' ');
    const known = this.growths.get(text);
    if (!known) {
      const growth = { key, text, sums: sums.slice(), added: undefined, removed: undefined };
      this.growths.set(text, growth);
      return growth;
    }
    for (let index = 0; index < sums.length; index += 1)
      known.sums[index] = (known.sums[index] as bigint) + (sums[index] as bigint);
    return known;
  }

  /** @returns row ids by key; none if the table has no members */
  private async grow(batch: Batch, growths: readonly Growth[]): Promise<Map<string, string>> {
    const { name, key, sums, members } = this.table;
    const columns = { ...key, ...sums };
    const given = givenAs(
      'given',
      columns,
      growths.map((growth) => [...growth.key, ...growth.sums]),
    );
    const set = Object.keys(sums).map((column) => `${column} = old.${column} + excluded.${column}`);
    const keyTexts = Object.keys(key).map((column) => `old.${column}::text`);
    const { rows } = await batch.query<[string, string]>({
      text: `INSERT INTO ${name} AS old (${Object.keys(columns).join(', ')}) SELECT * FROM ${given.from}
        ON CONFLICT (${Object.keys(key).join(', ')}) DO UPDATE SET ${set.join(', ')}
        ${members ? `RETURNING concat_ws(' ', ${keyTexts.join(', ')}), old.id::text` : ''}`,
      values: given.values,
      rowMode: 'array',
    });
    return new Map(rows);
  }

  private async removeMembers(batch: Batch, ids: Ids, growths: readonly Growth[]): Promise<void> {
    if (!this.table.members) return;
    const { name, parent, key } = this.table.members;
    const rows = growths.flatMap((growth) =>
      (growth.removed ?? []).map((member) => [idOf(ids, growth), ...member]),
    );
    await deleteByKey(batch, name, parentAnd(parent, key), rows);
  }

  // The owner of a record may have been corrected, and this record may have been the only one of an owner.
  private async removeEmpty(batch: Batch, growths: readonly Growth[]): Promise<void> {
    const { name, key, sums } = this.table;
    const shrunk = growths.filter((growth) => growth.sums.every((sum) => sum <= 0n));
    const areZero = Object.keys(sums).map((column) => `old.${column} = 0`);
    await deleteByKey(
      ...([batch, name, key, shrunk.map((growth) => growth.key), areZero.join(' AND ')] as const),
    );
  }

  private async addMembers(batch: Batch, ids: Ids, growths: readonly Growth[]): Promise<void> {
    if (!this.table.members) return;
    const { name, parent, key, values } = this.table.members;
    await batch.copy(name, [parent, ...Object.keys({ ...key, ...values })], addedRows(ids, growths));
  }
}

type Ids = ReadonlyMap<string, string>;

const idOf = (ids: Ids, { text }: Growth) => ids.get(text) ?? null;

/** The key of a table of members. */
export const parentAnd = (parent: string, key: Columns): Columns => ({ [parent]: 'bigint', ...key });

function* addedRows(ids: Ids, growths: readonly Growth[]): Generator<CopyValue[]> {
  for (const growth of growths) {
    if (!growth.added) continue;
    const id = idOf(ids, growth);
    for (const member of growth.added) yield [id, ...member];
  }
}

// Each sum is looked at: outputs that swap chains change only some of them.
function isGrowth({ sums, added, removed }: Growth): boolean {
  return added !== undefined || removed !== undefined || sums.some((sum) => sum !== 0n);
}

function isSame(a: readonly Summand[], b: readonly Summand[]): boolean {
  return a.length === b.length && a.every((summand, index) => isSameSummand(summand, b[index] as Summand));
}

function isSameSummand(a: Summand, b: Summand): boolean {
  return areEqual(a.key, b.key) && areEqual(a.sums, b.sums) && areEqual(a.member ?? [], b.member ?? []);
}

function areEqual(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((value, index) => value === b[index]);
}
