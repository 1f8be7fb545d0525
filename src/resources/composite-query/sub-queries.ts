import type { ArgumentValues } from '../../arguments/argument.js';
import { badInput } from '../../errors.js';
import { dayOf } from '../../avalanche/seconds.js';
import { heldEveryDay, heldLatest, heldSomeDay, type DayRange } from '../evm-holding/holders.js';
import { erc20Holding, nativeHolding, nftHolding } from '../evm-holding/holding.js';
import {
  checkDates,
  contractAddress,
  dates,
  evmChainId,
  minBalance,
  nullable,
  timestamps,
  tokenType,
} from './parameter.js';
import type { ReadValues } from './parameter.js';
import { defineSubQuery, type SubQueryForm, type SubQueryType } from './sub-query.js';

/** Parameters of sub-queries about NFT holders. */
const nftParameters = {
  evmChainId,
  contractAddress,
  firstDate: nullable(dates.firstDate),
  lastDate: nullable(dates.lastDate),
  startTs: nullable(timestamps.startTs),
  endTs: nullable(timestamps.endTs),
};

/** See SubQueryType. */
const nftForms = {
  OfDates: { needs: ['firstDate', 'lastDate'], excludes: ['startTs', 'endTs'] },
  OfTimestamps: { needs: ['startTs', 'endTs'], excludes: ['firstDate', 'lastDate'] },
} satisfies Record<string, SubQueryForm>;

/** @throws AppError BAD_USER_INPUT unless exactly one of the two pairs is given, and in order */
function checkNftDays(values: ReadValues<typeof nftParameters>): void {
  const { firstDate, lastDate, startTs, endTs } = values;
  const hasDates = firstDate !== null || lastDate !== null;
  const hasTimes = startTs !== null || endTs !== null;
  if (hasDates && hasTimes) throw badInput('firstDate, startTs: give dates or timestamps, not both');
  if ((firstDate === null || lastDate === null) && (startTs === null || endTs === null))
    throw badInput('firstDate, lastDate: are missing; give firstDate and lastDate, or startTs and endTs');
  checkDates(values);
  if (typeof startTs === 'number' && typeof endTs === 'number' && startTs > endTs)
    throw badInput('startTs: is after endTs');
}

/** The days of the question, from values that checkNftDays accepted. */
function nftDays({ firstDate, lastDate, startTs, endTs }: ArgumentValues<typeof nftParameters>): DayRange {
  return { first: firstDate ?? dayOf(startTs as number), last: lastDate ?? dayOf(endTs as number) };
}

const allTime = { name: 'AllTime', days: 'every day', held: heldEveryDay };
const anyTime = { name: 'AnyTime', days: 'some day', held: heldSomeDay };

const nativeBalance = ({ name, days, held }: typeof allTime) =>
  defineSubQuery({
    type: `${name}NativeBalance`,
    description: `Addresses that held at least minBalance of the chain's coin on ${days} of the range.`,
    parameters: { evmChainId, ...dates, minBalance },
    check: checkDates,
    resolve: ({ evmChainId, firstDate, lastDate, minBalance }) =>
      held(nativeHolding(evmChainId), { first: firstDate, last: lastDate }, minBalance),
  });

const erc20Balance = ({ name, days, held }: typeof allTime) =>
  defineSubQuery({
    type: `${name}Erc20Balance`,
    description: `Addresses that held at least minBalance of a token on ${days} of the range.`,
    parameters: { evmChainId, contractAddress, ...dates, minBalance },
    check: checkDates,
    resolve: ({ evmChainId, contractAddress, firstDate, lastDate, minBalance }) =>
      held(erc20Holding(evmChainId, contractAddress), { first: firstDate, last: lastDate }, minBalance),
  });

const nftHolders = ({ name, days, held }: typeof allTime) =>
  defineSubQuery({
    type: `${name}NftHolders`,
    description: `Addresses that held at least one NFT of a collection on ${days} of the range, which is given as firstDate and lastDate or as startTs and endTs.`,
    parameters: nftParameters,
    forms: nftForms,
    check: checkNftDays,
    resolve: (values) => held(nftHolding(values.evmChainId, values.contractAddress), nftDays(values), 1n),
  });

const latestBalance = defineSubQuery({
  type: 'LatestBalance',
  description:
    'Addresses that hold at least minBalance of the coin or of a token, by the newest known balance.',
  parameters: { evmChainId, tokenType, contractAddress: nullable(contractAddress), minBalance },
  forms: {
    OfCoin: { is: { tokenType: 'NATIVE' } },
    OfToken: { is: { tokenType: 'ERC20' }, needs: ['contractAddress'] },
  },
  check: ({ tokenType, contractAddress }) => {
    if (tokenType === 'ERC20' && contractAddress === null)
      throw badInput('contractAddress: is missing; tokenType ERC20 needs the address of the token');
  },
  resolve: ({ evmChainId, tokenType, contractAddress, minBalance }) =>
    heldLatest(
      tokenType === 'ERC20' ? erc20Holding(evmChainId, contractAddress as string) : nativeHolding(evmChainId),
      minBalance,
    ),
});

export const subQueryTypes: readonly SubQueryType[] = [
  ...[nativeBalance, erc20Balance, nftHolders].flatMap((define) => [define(allTime), define(anyTime)]),
  latestBalance,
];
