import type { CopyValue } from '../../storage/copy.js';
import type { Batch } from '../../storage/session.js';
import type { Change, MembershipTable } from './table.js';
import { deleteByKey, givenAs, sameColumns } from './given-rows.js';

type Row = readonly CopyValue[];

/** Collects the changes of a table of memberships, and writes them. */
export class MembershipWriter<Item> {
  private readonly added: Row[] = [];
  private readonly changed: Row[] = [];
  private readonly removed: Row[] = [];
  private readonly keyLength: number;

  constructor(private readonly table: MembershipTable<Item>) {
    this.keyLength = Object.keys(table.key).length;
  }

  take({ before, after }: Change<Item>): void {
    const old = before ? this.table.memberships(before) : [];
    const now = after ? this.table.memberships(after) : [];
    for (const row of now) {
      const known = old.find((each) => this.isSameKey(each, row));
      if (!known) this.added.push(row);
      else if (known.some((value, index) => value !== row[index])) this.changed.push(row);
    }
    for (const row of old) if (!now.some((each) => this.isSameKey(each, row))) this.removed.push(row);
  }

  async write(batch: Batch): Promise<void> {
    const { name, key, values } = this.table;
    await Promise.all([
      deleteByKey(batch, name, key, this.removed),
      this.update(batch),
      batch.copy(name, Object.keys({ ...key, ...values }), this.added),
    ]);
  }

  private async update(batch: Batch): Promise<void> {
    if (this.changed.length === 0) return;
    const { name, key, values } = this.table;
    const given = givenAs('given', { ...key, ...values }, this.changed);
    const set = Object.keys(values).map((column) => `${column} = given.${column}`);
    await batch.query(
      `UPDATE ${name} old SET ${set.join(', ')} FROM ${given.from} WHERE ${sameColumns(key, 'old', 'given')}`,
      given.values,
    );
  }

  private isSameKey(a: Row, b: Row): boolean {
    for (let index = 0; index < this.keyLength; index += 1) if (a[index] !== b[index]) return false;
    return true;
  }
}
