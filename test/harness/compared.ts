import { expect } from 'vitest';
import { document } from './openapi.js';

/** The value of a member of which nothing tells what it must be in this row. */
export const anything = Symbol('anything');

type Row = Readonly<Record<string, unknown>>;
interface Schema {
  $ref?: string;
  type?: string | string[];
  items?: Schema;
  properties?: Record<string, Schema>;
}

const schemas = document.components.schemas as unknown as Record<string, Schema>;
const nameOf = ({ $ref = '' }: Schema) => $ref.split('/').pop() ?? '';
/** The schema that a member has, or its items. */
const innerOf = (schema: Schema | undefined) => nameOf(schema?.items ?? schema ?? {});

/** Replies that were compared member by member, and which members of which schemas these were. */
export class Compared {
  private readonly bySchema = new Map<string, Set<string>>();

  /** @throws if a row has another member or value; a member of which anything is wanted may have any */
  expect(schema: string, found: readonly Row[], wanted: readonly Row[], message?: string): void {
    expect(found.length, message).toBe(wanted.length);
    for (const [index, row] of wanted.entries()) {
      expect(found[index], message).toEqual(settled(row, found[index]));
      this.note(schema, row);
    }
  }

  /** The members that were compared. */
  of(schema: string): string[] {
    return [...(this.bySchema.get(schema) ?? [])].sort();
  }

  private note(schema: string, row: Row): void {
    const members = this.bySchema.get(schema) ?? new Set();
    this.bySchema.set(schema, members);
    for (const [name, value] of Object.entries(row)) {
      if (value === undefined || value === anything) continue;
      members.add(name);
      const inner = innerOf(schemas[schema]?.properties?.[name]);
      if (!inner) continue;
      for (const each of [value].flat())
        if (typeof each === 'object' && each !== null) this.note(inner, each as Row);
    }
  }
}

/** What is wanted, with what was found where nothing tells; without members that must not be there. */
function settled(wanted: unknown, found: unknown): unknown {
  if (wanted === anything) return found;
  if (Array.isArray(wanted))
    return wanted.map((each, index) => settled(each, (found as unknown[] | undefined)?.[index]));
  if (typeof wanted !== 'object' || wanted === null) return wanted;
  const entries = Object.entries(wanted)
    .map(([name, value]) => [name, settled(value, (found as Row | undefined)?.[name])] as const)
    .filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries);
}

/** Every member that the OpenAPI document gives a schema. */
export const membersOf = (schema: string): string[] => Object.keys(schemas[schema]?.properties ?? {}).sort();
