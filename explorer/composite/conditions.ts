import type { CompositeOperator, SubQueryInput } from '../generated/others/graphql.js';

/** What a condition is about, and the parameters that it has. */
export const kinds = {
  anyTimeNativeBalance: ['had the coin on some day', ['minBalance', 'firstDate', 'lastDate']],
  allTimeNativeBalance: ['had the coin on every day', ['minBalance', 'firstDate', 'lastDate']],
  anyTimeErc20Balance: [
    'had an ERC-20 token on some day',
    ['contractAddress', 'minBalance', 'firstDate', 'lastDate'],
  ],
  allTimeErc20Balance: [
    'had an ERC-20 token on every day',
    ['contractAddress', 'minBalance', 'firstDate', 'lastDate'],
  ],
  anyTimeNftHolders: ['had an NFT on some day', ['contractAddress', 'firstDate', 'lastDate']],
  allTimeNftHolders: ['had an NFT on every day', ['contractAddress', 'firstDate', 'lastDate']],
  latestNative: ['have the coin now', ['minBalance']],
  latestErc20: ['have an ERC-20 token now', ['contractAddress', 'minBalance']],
} as const;

export type Kind = keyof typeof kinds;
export type Parameter = 'evmChainId' | 'contractAddress' | 'minBalance' | 'firstDate' | 'lastDate';

/** Names of parameters for people. */
export const labels: Readonly<Record<Parameter, string>> = {
  evmChainId: 'EVM chain id',
  contractAddress: 'Contract',
  minBalance: 'At least, in smallest units (wei)',
  firstDate: 'First day (UTC)',
  lastDate: 'Last day (UTC)',
};

export type Condition = { kind: Kind } & Record<Parameter, string>;

/** What the form asks. */
export interface Question {
  operator: CompositeOperator;
  conditions: Condition[];
}

/** How many conditions are read from an address; the gateway says how many it allows. */
const MOST_READ = 50;

export const parametersOf = (kind: Kind): readonly Parameter[] => ['evmChainId', ...kinds[kind][1]];

export const newCondition = (evmChainId: string): Condition => ({
  kind: 'anyTimeNativeBalance',
  evmChainId,
  contractAddress: '',
  minBalance: '1',
  firstDate: '',
  lastDate: '',
});

/** The question that an address has; undefined if it has none, or another text. */
export function readQuestion(text: string | undefined): Question | undefined {
  try {
    const { operator, conditions } = JSON.parse(text ?? '') as { operator?: unknown; conditions?: unknown };
    if (!Array.isArray(conditions)) return undefined;
    const read = (conditions as unknown[]).slice(0, MOST_READ).map(readCondition);
    return { operator: operator === 'OR' ? 'OR' : 'AND', conditions: read };
  } catch {
    return undefined;
  }
}

function readCondition(given: unknown): Condition {
  const values = Object.entries(given ?? {}).filter(([, value]) => typeof value === 'string');
  const { kind = '', ...rest } = Object.fromEntries(values) as Record<string, string>;
  return {
    ...newCondition(''),
    ...rest,
    kind: Object.hasOwn(kinds, kind) ? (kind as Kind) : 'anyTimeNativeBalance',
  };
}

/** The question as the graph takes it; a condition's id is its number, from 1. */
export function variablesOf({ operator, conditions }: Question) {
  const queries = conditions.map((condition, index) => {
    const id = String(index + 1);
    const given = Object.fromEntries(parametersOf(condition.kind).map((name) => [name, condition[name]]));
    if (condition.kind === 'latestNative') return { latestBalance: { id, ...given, tokenType: 'NATIVE' } };
    if (condition.kind === 'latestErc20') return { latestBalance: { id, ...given, tokenType: 'ERC20' } };
    return { [condition.kind]: { id, ...given } };
  });
  return { operator, queries: queries as SubQueryInput[] };
}

/**
 * A refusal with the names that the form has: `sub-query "2": firstDate: …` is `Condition 2, First day (UTC):
 * …`.
 */
export function inWords(refusal: string): string {
  const named = refusal
    .replaceAll(/sub-query "(\d+)": /g, 'Condition $1, ')
    .replaceAll('sub-queries', 'conditions')
    .replaceAll(/\bqueries: /g, '');
  return Object.entries(labels).reduce((text, [name, label]) => text.replaceAll(name, label), named);
}
