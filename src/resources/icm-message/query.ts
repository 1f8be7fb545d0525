import { readEvmAddress, readEvmChain } from '../../avalanche/evm.js';
import { readId } from '../../avalanche/input.js';
import { parseNetwork } from '../../avalanche/networks.js';
import { badInput, Problems, quote } from '../../errors.js';
import type { IcmQuery } from './store.js';

/** The filters of a message list as a caller gives them. */
export interface IcmArguments {
  network?: string | null;
  sourceBlockchainId?: string | null;
  destinationBlockchainId?: string | null;
  blockchainId?: string | null;
  from?: string | null;
  to?: string | null;
}

/**
 * Resolves a list's filters; an empty one is none.
 *
 * @throws AppError BAD_USER_INPUT that names every wrong one
 */
export function resolveIcmQuery(args: IcmArguments): IcmQuery {
  const problems = new Problems();
  const read = <T>(name: keyof IcmArguments, reader: (name: string, text: string) => T): T | null => {
    const text = args[name];
    return text ? (problems.check(() => reader(name, text)) ?? null) : null;
  };
  const query = {
    network: args.network ? parseNetwork(args.network) : null,
    source: read('sourceBlockchainId', readEvmChain),
    destination: read('destinationBlockchainId', readEvmChain),
    blockchainId: read('blockchainId', readId),
    from: read('from', readEvmAddress),
    to: read('to', readEvmAddress),
  };
  problems.throwIfAny();
  return query;
}

/**
 * A message id as it is stored: 64 hexadecimal digits in lower case.
 *
 * @throws AppError BAD_USER_INPUT
 */
export function readMessageId(name: string, text: string): string {
  const digits = /^(?:0x)?([0-9a-f]{64})$/i.exec(text)?.[1];
  if (digits) return digits.toLowerCase();
  throw badInput(
    `${name}: ${quote(text)} is not a message id; it is 64 hexadecimal digits, with 0x or without`,
  );
}
