import type { Detail } from '../../fields/field.js';
import { genesisObjects, type GenesisNode } from './genesis.js';

/** Kinds of members by their types in GraphQL; one of another type is an object of its own. */
const isOfType: Readonly<Record<string, (value: unknown) => boolean>> = {
  String: (value) => typeof value === 'string',
  Boolean: (value) => typeof value === 'boolean',
  Long: (value) =>
    (typeof value === 'bigint' || Number.isSafeInteger(value)) && isLong(BigInt(value as number)),
  Json: () => true,
};

const isLong = (value: bigint) => value >= 0n && value < 2n ** 64n;

/**
 * Whether the members that replies describe are what they say: whoever makes a chain may write anything into
 * its genesis. Others may be anything, and any may be left out or null.
 */
export function isGenesis(value: unknown, name: keyof typeof genesisObjects = 'GenesisData'): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return Object.entries<Detail>(genesisObjects[name].fields).every(([member, { kind }]) => {
    const given = (value as GenesisNode)[member] ?? null;
    if (given === null) return true;
    const type = [kind.type].flat()[0]!;
    const isRight =
      isOfType[type] ?? ((each: unknown) => isGenesis(each, type as keyof typeof genesisObjects));
    return Array.isArray(kind.type) ? Array.isArray(given) && given.every(isRight) : isRight(given);
  });
}
