import { decodeCb58 } from '../../src/avalanche/cb58.js';
import type { Transaction } from '../../src/avalanche/codec/types.js';

const BANFF_STANDARD_BLOCK = 32;
const DISABLE_L1_VALIDATOR = 39;
const SIGNATURE_INDICES = 10;

/** An id's bytes in hex. @param id CB58 */
export const hexOf = (id: string): string => Buffer.from(decodeCb58(id) ?? []).toString('hex');

/**
 * A block of the P-chain that ends L1 validators.
 *
 * @param time Unix seconds
 * @param validations their ids
 */
export function endBlock({
  parent,
  networkId,
  height,
  time,
  validations,
}: {
  parent: Buffer;
  networkId: number;
  height: number;
  time: number;
  validations: readonly Buffer[];
}): Buffer {
  const ends = validations.flatMap((id) => [
    // Type, base without outputs, inputs and memo, id, nobody's signatures, no credentials.
    words(DISABLE_L1_VALIDATOR, networkId),
    Buffer.alloc(32),
    words(0, 0, 0),
    id,
    words(SIGNATURE_INDICES, 0, 0),
  ]);
  return Buffer.concat([
    Buffer.alloc(2),
    words(BANFF_STANDARD_BLOCK, 0, time),
    parent,
    words(0, height, validations.length),
    ...ends,
  ]);
}

/** Numbers of 4 bytes each. */
function words(...numbers: number[]): Buffer {
  const bytes = Buffer.alloc(4 * numbers.length);
  for (const [insert, number] of numbers.entries()) bytes.writeUInt32BE(number, 4 * insert);
  return bytes;
}

/** Ids of the L1 validators that a transaction makes, hex. */
export function madeValidations(transaction: Transaction & { readonly type?: string }): string[] {
  const { type, validators, warp } = transaction as {
    type?: string;
    validators?: readonly { validationId: string }[];
    warp?: { message: { validationId: string } };
  };
  if (type === 'ConvertSubnetToL1Tx')
    return (validators ?? []).map(({ validationId }) => hexOf(validationId));
  return type === 'RegisterL1ValidatorTx' && warp ? [hexOf(warp.message.validationId)] : [];
}

/** Ids of the L1 validators that a transaction removes, hex. */
export function removedValidations(transaction: Transaction & { readonly type?: string }): string[] {
  const { type, warp } = transaction as {
    type?: string;
    warp?: { message: { validationId: string; weight: bigint } };
  };
  return type === 'SetL1ValidatorWeightTx' && warp?.message.weight === 0n
    ? [hexOf(warp.message.validationId)]
    : [];
}
