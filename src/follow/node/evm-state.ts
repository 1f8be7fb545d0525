import { WORD } from '../../avalanche/abi.js';
import type { CallOptions } from './apis.js';
import { BatchSize } from './batch-size.js';
import type { Caller } from './caller.js';
import { NodeError } from './error.js';
import type { EvmStateApi, OwnerOfTokens } from './evm-apis.js';
import { inBatches, ofEach, type Kind } from './evm-batches.js';
import { answerBytes, oneCall, type Question } from './question.js';
import { AnswerReader } from './answer-reader.js';

/** `balanceOf(address)` of ERC-20 and ERC-721, and `balanceOf(address,uint256)` of ERC-1155. */
const BALANCE_OF = '0x70a08231';
const BALANCE_OF_ID = '0x00fdd58e';

/** What accounts and contracts have after a block. @param path of the chain's RPC */
export function evmState(path: string, caller: Caller): EvmStateApi {
  const read = new AnswerReader(path);
  const sizes = { accounts: new BatchSize(), tokens: new BatchSize() };
  const tag = (height: bigint) => `0x${height.toString(16)}`;
  const balanceAt = (height: bigint): Kind<string, bigint> => ({
    path,
    method: 'eth_getBalance',
    height: () => height,
    params: (account) => [account, tag(height)],
    read: (result) => read.quantity(result),
  });
  return {
    balances: (accounts, height, options) =>
      all(caller, sizes.accounts, balanceAt(height), accounts, height, options),
    balancesOfEach: (accounts, height, options) => ofEach(caller, balanceAt(height), accounts, options),
    tokenBalances: (owners, height, options) => {
      const kind: Kind<OwnerOfTokens, bigint | null> = {
        path,
        method: 'eth_call',
        height: () => height,
        params: (owner) => [{ to: owner.contract, data: dataOf(owner), gas: MOST_GAS }, tag(height)],
        read: (result) => wordOf(read.hex(result)),
        similar: () => emptyCall(path, tag(height)),
        refused: null,
      };
      return all(caller, sizes.tokens, kind, owners, height, options);
    },
  };
}

/**
 * Gas of a call of a token. Without this bound a node gives the call, which runs a stranger's code, tens of
 * millions.
 */
const MOST_GAS = `0x${(1_000_000).toString(16)}`;

const dataOf = ({ owner, tokenId }: OwnerOfTokens): string => {
  const account = owner.slice(2).padStart(WORD, '0');
  return tokenId === undefined
    ? BALANCE_OF + account
    : BALANCE_OF_ID + account + tokenId.toString(16).padStart(WORD, '0');
};

/**
 * The number that a contract returned; null where it returned less, such as nothing where there is no
 * contract.
 */
const wordOf = (result: Buffer): bigint | null =>
  2 * result.length < WORD ? null : BigInt(`0x${result.toString('hex', 0, WORD / 2)}`);

/** The precompiled contract that returns what it is given. */
const IDENTITY = `0x${'4'.padStart(40, '0')}`;

/** A call that succeeds on every node that has the state of the block and calls contracts. */
export function emptyCall(path: string, block: unknown): Question<unknown> {
  const params = [{ to: IDENTITY, data: '0x' }, block];
  const read = new AnswerReader(path);
  return oneCall<unknown>(path, 'eth_call', params, answerBytes.small, (result) => read.hex(result));
}

/** The answers to all calls. @throws NodeError also when no node has the block yet */
async function all<I, T>(
  caller: Caller,
  size: BatchSize,
  kind: Kind<I, T>,
  items: readonly I[],
  height: bigint,
  options: CallOptions | undefined,
): Promise<T[]> {
  const answers = await inBatches(caller, size, kind, items, options);
  if (answers.length < items.length)
    throw new NodeError('wait', 'not-accepted-yet', `no node has the state of block ${height} yet`, null);
  return answers.map(({ value }) => value);
}
