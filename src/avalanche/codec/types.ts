/*
 * What the codec makes of bytes. Ids are CB58 text, recomputed from bytes; amounts, locktimes and other
 * 64-bit numbers are bigint; amounts are in the asset's smallest unit, times in Unix seconds. A list keeps
 * the order of the bytes.
 */

export type * from './field-types.js';
export type * from './p-types.js';
export type * from './x-types.js';
export type * from './l1-types.js';
export type * from './block-types.js';
