import { readId, readNetwork, readPrimaryChain } from '../avalanche/input.js';
import { blockchainIds, chainName, networks } from '../avalanche/networks.js';
import type { Network, PrimaryChain } from '../avalanche/networks.js';
import { ID, only } from '../avalanche/patterns.js';
import { checkSeconds } from '../avalanche/seconds.js';
import { badInput, quote } from '../errors.js';
import { ceilDecimal, wholeDecimal } from '../numbers.js';
import { optional, type Argument } from './argument.js';
import { secondsArgument, secondsSchema } from './whole.js';

/** A network; `testnet` is read as fuji. */
export function networkArgument(description: string): Argument<Network> {
  return {
    type: 'Network',
    description,
    note: 'testnet means fuji.',
    schema: { type: 'string', enum: ['mainnet', 'fuji', 'testnet'] },
    example: 'fuji',
    read: (name, value) => readNetwork(name, String(value)),
  };
}

/** A chain of the primary network by alias or id. Declare it after `network`. */
export function blockchainArgument(
  chains: readonly PrimaryChain[],
  description: string,
  more: Pick<Argument<PrimaryChain>, 'example' | 'default'>,
): Argument<PrimaryChain> {
  return {
    type: 'String',
    description,
    schema: { type: 'string', pattern: only(...namesOf(chains)) },
    ...more,
    read: (name, value, { network }) =>
      readPrimaryChain(name, network as Network | undefined, typeof value === 'string' ? value : '', chains),
  };
}

/** The names of the chains on all networks. An id of another network is refused nevertheless. */
function namesOf(chains: readonly PrimaryChain[]): string[] {
  const ids = networks.flatMap((network) => chains.map((chain) => blockchainIds[network][chain]));
  return [...chains.map(chainName), ...new Set(ids)];
}

/** A whole number of any size: clients send 1e21 for no bound, which is more than int64 has. */
export const blockNumberSchema = { type: 'number', format: 'double', minimum: 0, multipleOf: 1 };

/** @throws AppError BAD_USER_INPUT for what is no whole number of 0 or more */
export function readBlockNumber(name: string, value: unknown): bigint {
  const block = wholeDecimal(String(value));
  if (block !== null) return block;
  throw badInput(`${name}: ${quote(String(value))} is not a block number: a whole number of 0 or more`);
}

/** 32 bytes in CB58. */
export function idArgument(description: string, example?: string): Argument<string> {
  return {
    type: 'String',
    description,
    schema: { type: 'string', pattern: only(ID) },
    ...(example !== undefined && { example }),
    read: (name, value) => readId(name, String(value)),
  };
}

/** A time in Unix seconds up to the year 9999, as decimal digits; may be omitted. */
export function momentArgument(description: string): Argument<string | null> {
  return optional({
    type: 'Long',
    description,
    schema: secondsSchema,
    read: (name, value) => {
      const moment = String(value);
      if (!/^\d+$/.test(moment))
        throw badInput(`${name}: ${quote(moment)} is not a time: Unix seconds, a whole number of 0 or more`);
      checkSeconds(name, BigInt(moment));
      return moment;
    },
  });
}

/** A bound of REST's lists by time, exclusive. @param step from it to the bound of GraphQL */
const timeBound = (description: string, step: bigint): Argument<string | null> =>
  secondsArgument(`${description} this time, exclusive:`, (moment) => String(moment + step));

/** Both bounds, for the arguments `since` and `until` of GraphQL. @param rows in words */
export const timeBounds = (rows: string) => ({
  startTimestamp: timeBound(`Only ${rows} after`, 1n),
  endTimestamp: timeBound(`Only ${rows} before`, 0n),
});

/** The name that an argument had before. Declare it after the new one, whose value it then has. */
export function formerName<T>(argument: Argument<T | null>, newName: string): Argument<T | null> {
  return {
    ...argument,
    description: `The same as ${newName}.`,
    deprecated: `Use ${newName}, which says what it is about.`,
    read: (name, value, earlier) => {
      const named = (earlier[newName] ?? null) as T | null;
      if (value === undefined || value === null) return named;
      if (named !== null) throw badInput(`${newName} and ${name} cannot be given together`);
      return argument.read(name, value, earlier);
    },
  };
}

/** A least amount, rounded up to a whole one. */
export const minimumArgument = (description: string): Argument<bigint> => ({
  type: 'Decimal',
  description,
  schema: { type: 'number', format: 'double', minimum: 0 },
  read: (name, value) => {
    const least = ceilDecimal(String(value));
    if (least === null) throw badInput(`${name}: ${quote(String(value))} is not a number of 0 or more`);
    return least;
  },
});

/** The same as decimal digits; may be omitted. */
export function leastArgument(description: string): Argument<string | null> {
  const minimum = minimumArgument(description);
  return optional({ ...minimum, read: (...given) => minimum.read(...given).toString() });
}

/** Characters of the longest node id. */
const LONGEST_NODE_ID = 40;

/** A part of a node id; may be omitted. */
export const nodeIdContains: Argument<string | null> = optional({
  type: 'String',
  description: `Only nodes whose id contains this text, in upper or lower case; 1 to ${LONGEST_NODE_ID} characters. If omitted, all.`,
  schema: { type: 'string', minLength: 1, maxLength: LONGEST_NODE_ID },
  read: (name, value) => {
    const text = String(value);
    if (text.length === 0 || text.length > LONGEST_NODE_ID)
      throw badInput(`${name}: has ${text.length} characters; 1 to ${LONGEST_NODE_ID} are allowed`);
    return text;
  },
});

export function booleanArgument(description: string, fallback: boolean): Argument<boolean> {
  return {
    type: 'Boolean',
    description,
    schema: { type: 'boolean', default: fallback },
    default: fallback,
    read: (name, value) => {
      if (typeof value !== 'boolean')
        throw badInput(`${name}: ${quote(String(value))} is neither true nor false`);
      return value;
    },
  };
}

/**
 * One of a closed set of texts.
 *
 * @param type the enum in GraphQL
 */
export function choiceArgument<const T extends string>(
  type: string,
  choices: readonly T[],
  description: string,
  fallback?: T,
): Argument<T> {
  return {
    type,
    description,
    schema: { type: 'string', enum: choices, ...(fallback !== undefined && { default: fallback }) },
    ...(fallback !== undefined && { default: fallback }),
    read: (name, value) => {
      const choice = choices.find((each) => each === value);
      if (!choice) throw badInput(`${name}: ${quote(String(value))} is not one of ${choices.join(', ')}`);
      return choice;
    },
  };
}
