import type { Detail } from '../fields/field.js';

/** A member of an object that REST has in another form than GraphQL, and how it is made. */
export interface Member<Of> extends Detail {
  /**
   * Its value: a number or its digits, a text, or JSON text where its kind is JSON. Null or undefined for one
   * that is left out, or if its schema allows null.
   */
  of: (from: Of) => string | number | bigint | boolean | null | undefined;
}

/** The members of such an object, by name, in the order of its JSON. */
export type Shape<Of> = Readonly<Record<string, Member<Of>>>;

/** The JSON text of an object. @throws Error for a member that must have a value and has none */
export function shapeText<Of>(shape: Shape<Of>, from: Of): string {
  const members = Object.entries(shape).flatMap(([name, member]) => {
    const value = member.of(from) ?? null;
    if (value === null && member.absent !== undefined && member.unknown === undefined) return [];
    return [`${JSON.stringify(name)}:${valueText(name, member, value)}`];
  });
  return `{${members.join(',')}}`;
}

/** The JSON text of a list of such objects. */
export const shapesText = <Of>(shape: Shape<Of>, from: readonly Of[]): string =>
  `[${from.map((each) => shapeText(shape, each)).join(',')}]`;

function valueText(
  name: string,
  { kind, unknown }: Member<never>,
  value: string | number | bigint | boolean | null,
): string {
  const shown = value ?? unknown ?? null;
  if (shown === null) {
    if (kind.schema['nullable']) return 'null';
    throw new Error(`${name} has no value`);
  }
  // A number of 64 bits that JavaScript would round is its digits.
  if (kind.form === 'number' || kind.form === 'json') return String(shown);
  return JSON.stringify(String(shown));
}
