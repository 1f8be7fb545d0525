import { boolean, digits, evmAddress, evmHash, hex, plain, small, uri, whole } from '../fields/field.js';
import type { Details, Kind, NodeOf } from '../fields/field.js';
import { asEvmAddress, asHash, asUint256 } from './check-evm.js';
import { asBoolean, asMember, asObject, asText, asTextOf, asWhole, wrong, type Check } from './check.js';

/** Checks by the JSON Schema of a kind, which kinds with the same values share. */
const checks = new Map<unknown, Check<unknown>>([
  [plain.schema, asText],
  [uri.schema, asText],
  [hex.schema, asHex],
  [evmAddress.schema, asEvmAddress],
  [evmHash.schema, asHash],
  [digits.schema, asUint256],
  [boolean.schema, asBoolean],
  [small.schema, asNumber(255n)],
  [whole.schema, asNumber(BigInt(Number.MAX_SAFE_INTEGER))],
]);

type OwnChecks<F extends Details> = { readonly [Name in keyof F]?: Check<unknown> };

/**
 * A check of an object with these members; others are dropped, and members without a value are left out.
 *
 * @param own checks of members that their kind does not fully describe
 * @param check of the values of a kind
 * @returns the check; for a whole line its name is empty
 */
export function asShape<F extends Details>(
  fields: F,
  own: OwnChecks<F> = {},
  check = checkOf,
): Check<NodeOf<F>> {
  const members = Object.entries(fields).map(([name, { kind, absent }]) => {
    return [name, own[name] ?? check(kind), absent !== undefined] as const;
  });
  return (value, name) => {
    const given = asObject(value, name || 'the line');
    const shape: Record<string, unknown> = {};
    for (const [key, read, isOptional] of members) {
      const member = given[key];
      const isAbsent = isOptional && (member === undefined || member === null);
      if (!isAbsent) shape[key] = read(member, name ? `${name}.${key}` : key);
    }
    return shape as NodeOf<F>;
  };
}

function checkOf({ schema, type }: Kind<unknown>): Check<unknown> {
  const check = 'enum' in schema ? asMember(schema['enum'] as string[]) : checks.get(schema);
  if (check) return check;
  throw new Error(`no check for values of type ${String(type)}`);
}

function asNumber(max: bigint): Check<number> {
  const check = asWhole(max);
  return (value, name) => Number(check(value, name));
}

function asHex(value: unknown, name: string): string {
  return readHex(asText(value, name), name);
}

/** Bytes in hex with 0x. @param longest characters that it may have */
export function asHexOf(longest: number): Check<string> {
  const check = asTextOf(longest);
  return (value, name) => readHex(check(value, name), name);
}

function readHex(text: string, name: string): string {
  if (/^0x(?:[0-9a-f]{2})*$/i.test(text)) return `0x${text.slice(2)}`;
  throw wrong(name, text, 'bytes in hex with 0x');
}
