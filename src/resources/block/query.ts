/** Characters of a block's hash of which there is an index. They tell nearly all blocks apart. */
const INDEXED = 8;

/** SQL of the part of a block's hash by which the index finds it: also where only its beginning is known. */
export const indexedHash = (hash: string) => `left(${hash}, ${INDEXED})`;
