/*
 * Documents that take memory or processor time for little. Each is within the limits of tokens; `note` makes
 * a new text of it, which was never sent before.
 */

const times = (count: number, part: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => part(index)).join(' ');

/** Only the field that is not counted, so often that two of its selections are compared 18,000 times. */
export const sameFieldOverAndOver = (note: string, first = '') =>
  `query Q{${first} ${times(189, () => 'rateLimit{plan policy limit windowSeconds remaining resetSeconds}')}} #${note}`;

/** Fragments that are compared with each other. */
export const fragmentsThatMeet = (note: string) =>
  `{ ${times(160, (index) => `...F${index}`)} } ${times(160, (index) => `fragment F${index} on Query {rateLimit{plan}}`)} #${note}`;

/** The same in inline fragments. */
export const inlineFragmentsThatMeet = (note: string) =>
  `{ ${times(260, () => '...{rateLimit{plan}}')} } #${note}`;

/** Lists within lists, each selected again and again. */
export const nestedOverAndOver = (note: string) =>
  `{ ${times(130, () => 'chains{nodes{chainId} pageInfo{endCursor}}')} } #${note}`;

/** Many errors, each of which counts the lines before it. */
export const errorsAfterLines = (note: string, lines = 60_000) =>
  `${'\n'.repeat(lines)}{${times(400, (index) => `unknwn${index}`)}} #${note}`;

/**
 * A document of 290 operations, each with its own plan and the same long statements, and 5,900 characters.
 */
export function manyOperations(note: string): string {
  const fields =
    'utxoId amount staked utxoType rewardType assetId txHash utxoBytes asset { name symbol amount }';
  const list = (alias: string, size: number) =>
    `${alias}: utxos(network: fuji, blockchainId: "p-chain", first: ${size}) { nodes { ${fields} consumingTransaction { txHash txType } } }`;
  const fragment = `fragment F on Query { ${list('a', 1)} ${list('b', 2)} ${list('c', 3)} }`;
  return `${times(290, (index) => `query q${index}{...F}`)} ${fragment} #${note}`;
}

/** 256 kB of JSON without a query. */
export const bodyWithoutQuery = () =>
  JSON.stringify({ variables: { a: Array.from({ length: 9000 }, () => 'x'.repeat(24)) } });

/** 260,000 brackets. */
export const brackets = () => '['.repeat(260_000);
