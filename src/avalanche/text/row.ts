/**
 * The members of a row that say what it is about, the first that a row has: what is rarer comes first,
 * because rows also name what they belong to. Two are a pair.
 */
const naming: readonly (readonly [string, string?])[] = [
  ['utxoId'],
  ['validationId'],
  ['messageId'],
  ['vertexHash'],
  ['address', 'tokenId'],
  ['txHash', 'outputIndex'],
  ['txHash'],
  ['hash'],
  ['blockHash'],
  ['address'],
  ['nodeId'],
  ['assetId'],
  ['blockchainId'],
  ['platformChainId'],
  ['subnetId'],
  ['utxoBytes'],
  ['blockNumber'],
  ['number'],
  ['chainId'],
  ['evmChainId'],
];

/**
 * What a row as JSON, or the first row of a list, may be about, the likeliest first; nothing of another text.
 */
export function idsInRow(text: string): string[] {
  const row = rowOf(text);
  return naming.flatMap(([name, second]) => {
    const values = [name, ...(second === undefined ? [] : [second])].map((each) => textOf(row?.[each]));
    return values.includes('') ? [] : [values.join(':')];
  });
}

function rowOf(text: string): Record<string, unknown> | null {
  if (!/^[{[]/.test(text)) return null;
  try {
    const value = JSON.parse(text) as unknown;
    const row: unknown = Array.isArray(value) ? value[0] : value;
    return typeof row === 'object' && row !== null ? (row as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

/** Empty for what is neither a text nor an exact number. */
const textOf = (value: unknown): string =>
  typeof value === 'string' || (typeof value === 'number' && Number.isSafeInteger(value))
    ? String(value)
    : '';
