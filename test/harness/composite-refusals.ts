import { addressOf, dateOf } from './composite.js';

/** Parameters of a right sub-query about native balances. */
export const params = { evmChainId: '7', firstDate: dateOf(0), lastDate: dateOf(1), minBalance: '5' };
export const native = { id: 'n', type: 'AllTimeNativeBalance', params };
const token = { ...params, contractAddress: addressOf(9) };
/** A right request. */
export const body = { operator: 'AND', queries: [native] };
/** A request of one sub-query. */
export const withParams = (type: string, changed: object) => ({
  operator: 'AND',
  queries: [{ id: 'n', type, params: changed }],
});
const manyQueries = (count: number) => ({
  operator: 'AND',
  queries: Array.from({ length: count }, (_, index) => ({ ...native, id: `${index}` })),
});

/** Requests that are refused, by what is wrong with them, and the messages that say so. */
export const refusals: [name: string, sent: unknown, messages: string[]][] = [
  ['no operator', { queries: [native] }, ['operator: is missing; it must be AND or OR, in capitals']],
  ['a lower-case operator', { ...body, operator: 'and' }, ['operator: "and" is not AND or OR, in capitals']],
  ['another operator', { ...body, operator: 'XOR' }, ['operator: "XOR" is not AND or OR, in capitals']],
  ['no queries', { operator: 'AND' }, ['queries: must be a list of sub-queries']],
  [
    'an empty list',
    { operator: 'AND', queries: [] },
    ['queries: is empty; it must have 1 to 10 sub-queries'],
  ],
  ['eleven sub-queries', manyQueries(11), ['queries: 11 sub-queries are too many; at most 10']],
  [
    'a sub-query that is no object',
    { ...body, queries: [5] },
    ['queries[0]: is not an object with id, type and params'],
  ],
  [
    'no id',
    { ...body, queries: [{ ...native, id: undefined }] },
    ['queries[0]: id: must be a non-empty text'],
  ],
  [
    'duplicate ids',
    { ...body, queries: [native, native] },
    ['sub-query "n": id: is used by several sub-queries; each needs its own'],
  ],
  [
    'an unknown type',
    withParams('AllTimeGold', params),
    [
      'sub-query "n": type: "AllTimeGold" is not known; it must be one of AllTimeNativeBalance, AnyTimeNativeBalance, AllTimeErc20Balance, AnyTimeErc20Balance, AllTimeNftHolders, AnyTimeNftHolders, LatestBalance',
    ],
  ],
  [
    'no params',
    { ...body, queries: [{ id: 'n', type: native.type }] },
    ['sub-query "n": params: must be an object'],
  ],
  [
    'reversed dates',
    withParams('AnyTimeNativeBalance', { ...params, firstDate: dateOf(2) }),
    ['sub-query "n": firstDate: is after lastDate'],
  ],
  [
    'a date that does not exist',
    withParams('AnyTimeNativeBalance', { ...params, lastDate: '2026-02-30' }),
    ['sub-query "n": lastDate: "2026-02-30" is not a date, YYYY-MM-DD or an ISO 8601 date-time'],
  ],
  [
    'every parameter missing',
    withParams('AllTimeErc20Balance', {}),
    [
      'sub-query "n": evmChainId: is missing; it must be an EVM chain id, a string of decimal digits',
      'sub-query "n": contractAddress: is missing; it must be a contract address, 0x and 40 hex digits',
      'sub-query "n": firstDate: is missing; it must be a date, YYYY-MM-DD or an ISO 8601 date-time',
      'sub-query "n": lastDate: is missing; it must be a date, YYYY-MM-DD or an ISO 8601 date-time',
      'sub-query "n": minBalance: is missing; it must be a balance, a string of decimal digits',
    ],
  ],
  [
    'a balance that is an object',
    withParams('AllTimeNativeBalance', { ...params, minBalance: {} }),
    ['sub-query "n": minBalance: an object is not a balance, a string of decimal digits'],
  ],
  ...['-1', '1.5', '1e18', '', 'abc', 5, null].map((minBalance): [string, unknown, string[]] => [
    `minBalance ${JSON.stringify(minBalance)}`,
    withParams('AllTimeNativeBalance', { ...params, minBalance }),
    [
      minBalance === null
        ? 'sub-query "n": minBalance: is missing; it must be a balance, a string of decimal digits'
        : `sub-query "n": minBalance: ${JSON.stringify(minBalance)} is not a balance, a string of decimal digits`,
    ],
  ]),
  [
    'a contract that is none',
    withParams('AnyTimeErc20Balance', { ...token, contractAddress: '0x12' }),
    ['sub-query "n": contractAddress: "0x12" is not a contract address, 0x and 40 hex digits'],
  ],
  [
    'LatestBalance of a token that is not named',
    withParams('LatestBalance', { evmChainId: '7', tokenType: 'ERC20', minBalance: '1' }),
    ['sub-query "n": contractAddress: is missing; tokenType ERC20 needs the address of the token'],
  ],
  [
    'another tokenType',
    withParams('LatestBalance', { evmChainId: '7', tokenType: 'erc20', minBalance: '1' }),
    ['sub-query "n": tokenType: "erc20" is not NATIVE or ERC20'],
  ],
  [
    'NFT holders without a range',
    withParams('AllTimeNftHolders', { evmChainId: '7', contractAddress: addressOf(9), firstDate: dateOf(0) }),
    ['sub-query "n": firstDate, lastDate: are missing; give firstDate and lastDate, or startTs and endTs'],
  ],
  [
    'NFT holders with both ranges',
    withParams('AnyTimeNftHolders', { ...token, startTs: 1, endTs: 2 }),
    ['sub-query "n": firstDate, startTs: give dates or timestamps, not both'],
  ],
  [
    'reversed timestamps of one day',
    withParams('AnyTimeNftHolders', { evmChainId: '7', contractAddress: addressOf(9), startTs: 2, endTs: 1 }),
    ['sub-query "n": startTs: is after endTs'],
  ],
  ...[0, 10_001, 1.5].map((pageSize): [string, unknown, string[]] => [
    `pageSize ${pageSize}`,
    { ...body, pageSize },
    [`pageSize: "${pageSize}" is not a whole number of 1 to 10000`],
  ]),
  [
    'a pageSize that is text',
    { ...body, pageSize: '5' },
    ['pageSize: "5" is not a whole number of 1 to 10000'],
  ],
  [
    'faults of several sub-queries and the operator',
    {
      operator: 'OR ',
      queries: [
        { ...native, params: { ...params, minBalance: 'x' } },
        { id: 'm', type: '?', params },
      ],
    },
    [
      'operator: "OR " is not AND or OR, in capitals',
      'sub-query "n": minBalance: "x" is not a balance, a string of decimal digits',
      'sub-query "m": type: "?" is not known; it must be one of AllTimeNativeBalance, AnyTimeNativeBalance, AllTimeErc20Balance, AnyTimeErc20Balance, AllTimeNftHolders, AnyTimeNftHolders, LatestBalance',
    ],
  ],
  [
    'every fault that there can be',
    {
      operator: 'NOT',
      pageToken: 'x',
      pageSize: 0,
      queries: [
        { type: 'AllTimeGold', params: 'none' },
        native,
        {
          id: 'n',
          type: 'AnyTimeNativeBalance',
          params: { ...params, evmChainId: 'x', firstDate: dateOf(2) },
        },
        { id: 'h', type: 'AnyTimeNftHolders', params: { evmChainId: '7', startTs: 1, endTs: 0 } },
        { id: 'l', type: 'LatestBalance', params: { evmChainId: '7', tokenType: 'ERC20' } },
      ],
    },
    [
      'operator: "NOT" is not AND or OR, in capitals',
      'queries[0]: id: must be a non-empty text',
      'queries[0]: type: "AllTimeGold" is not known; it must be one of AllTimeNativeBalance, AnyTimeNativeBalance, AllTimeErc20Balance, AnyTimeErc20Balance, AllTimeNftHolders, AnyTimeNftHolders, LatestBalance',
      'queries[0]: params: must be an object',
      'sub-query "n": id: is used by several sub-queries; each needs its own',
      'sub-query "n": evmChainId: "x" is not an EVM chain id, a string of decimal digits',
      'sub-query "n": firstDate: is after lastDate',
      'sub-query "h": contractAddress: is missing; it must be a contract address, 0x and 40 hex digits',
      'sub-query "h": startTs: is after endTs',
      'sub-query "l": minBalance: is missing; it must be a balance, a string of decimal digits',
      'sub-query "l": contractAddress: is missing; tokenType ERC20 needs the address of the token',
      'pageToken: "x" is not a page token (a UUID from a previous page); start again from the first page',
      'pageSize: "0" is not a whole number of 1 to 10000',
    ],
  ],
];
