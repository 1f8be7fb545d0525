import { nodeIdOf } from '../../sample/ids.js';
import { ZERO_ID } from '../../src/avalanche/codec/ids.js';
import { nativeAsset, nativeAssetIds } from '../../src/avalanche/networks.js';
import { loadConfig } from '../../src/config.js';
import { openDatabase } from '../../src/open-database.js';
import { SUM_STAKES } from '../../src/state/delegations.js';
import { poolOf } from '../../test/harness/connections.js';
import { chainRow } from '../../test/harness/evm-rows.js';
import { addressOf, transactionRow } from '../../test/harness/ledger-rows.js';
import { writeRows } from '../harness/files.js';
import { pino } from 'pino';
import * as evm from '../size/evm.js';
import * as ledger from '../size/ledger.js';

const TRANSACTIONS = 4_000;
const FRAMES = 8_000;
const MESSAGES = 2_000;
const VALIDATORS = 1_000;
const ASKED = 40;
const LEDGER = '/v1/networks/mainnet/blockchains/p-chain';

/** The same rows as files, so that any commit can import them. @returns the files' paths */
export async function writeRouteFiles(folder: string): Promise<string[]> {
  return [
    await writeRows(folder, 'evm.chains', [chainRow('43114', { isTestnet: false })]),
    await writeRows(folder, 'mainnet.p-chain.transactions', ledger.makeTransactions(TRANSACTIONS)),
    await writeRows(folder, 'evm.43114.internal-transactions', inOrder(evm.makeFrames(FRAMES))),
    await writeRows(folder, 'mainnet.icm.messages', evm.makeMessages(MESSAGES)),
  ];
}

/** Those, and what is asked for most: earlier commits know no files of blocks. @returns the files' paths */
export async function writeMostAskedFiles(folder: string): Promise<string[]> {
  return [
    ...(await writeRouteFiles(folder)),
    await writeRows(folder, 'mainnet.p-chain.transactions.stakes', makeStakes()),
    await writeRows(folder, 'mainnet.p-chain.blocks', ledger.makeBlocks(TRANSACTIONS)),
  ];
}

/** The transactions that began stakes of validators. */
function* makeStakes(): Generator<object> {
  for (let number = 0; number < VALIDATORS; number += 1) {
    const startTimestamp = 1_780_000_000 + number;
    const amount = { assetId: nativeAssetIds.mainnet, ...nativeAsset, amount: String(2e12 + number) };
    yield transactionRow(`stake ${number}`, {
      txType: 'AddPermissionlessValidatorTx',
      blockTimestamp: startTimestamp,
      blockNumber: String(1_000_000 + number),
      nodeId: nodeIdOf(`staking node ${number}`),
      subnetId: ZERO_ID,
      startTimestamp,
      endTimestamp: startTimestamp + 20_000_000,
      delegationFeePercent: '2',
      rewardAddresses: [addressOf(`owner ${number}`)],
      amountStaked: [amount],
    });
  }
}

/** Makes the stakes those of now, as a follower does. @param env the settings that name the database */
export async function makePresent(env: Record<string, string>): Promise<void> {
  const storage = await openDatabase(loadConfig({ ...env, SAMPLE: 'off' }), pino({ level: 'warn' }));
  try {
    const pool = poolOf(storage);
    await pool.query(
      `INSERT INTO follow_staking (network, chain_time, knows_stakers, knows_l1_validators, excess, accrued, price)
       VALUES ('mainnet', 1790000000, true, true, 0, 0, 512)`,
    );
    await pool.query(
      `INSERT INTO follow_staker (network, tx_id, tx_type, subnet_id, node_id, priority, start_time, end_time, weight,
         potential_reward, delegatee_reward, shares)
       SELECT 'mainnet', tx_hash, tx_type, '${ZERO_ID}', details->>'nodeId', 11, block_timestamp,
         (details->>'endTimestamp')::numeric, (details #>> '{amountStaked,0,amount}')::numeric, 1, 0, 20000
       FROM transaction WHERE tx_type = 'AddPermissionlessValidatorTx'`,
    );
    await pool.query(SUM_STAKES);
    await pool.query('VACUUM (ANALYZE)');
  } finally {
    await storage.close();
  }
}

// With positions: the order of frames without them is not the same in every version.
function* inOrder(frames: Iterable<object>): Generator<object> {
  let position = 0;
  for (const frame of frames) yield { ...frame, position: position++ };
}

/** The requests of a route, sent in turn. */
export interface RouteCase {
  name: string;
  paths: readonly string[];
}

/** One that has a hand-written floor. */
export interface FlooredCase extends RouteCase {
  /** The largest accepted ratio of the floor's throughput to ours. */
  wanted: number;
}

interface Transaction {
  txHash: string;
  consumedUtxos: unknown[];
  emittedUtxos: { addresses: string[] }[];
}

/** The routes for which bench/peers/routes.ts has a floor. */
export function routeCases(): FlooredCase[] {
  const transactions = [...ledger.makeTransactions(TRANSACTIONS)] as Transaction[];
  const frames = [...evm.makeFrames(FRAMES)] as { from: { address: string } }[];
  const whole = transactions.filter(
    ({ consumedUtxos, emittedUtxos }) => consumedUtxos.length >= 2 && emittedUtxos.length >= 2,
  );
  return [
    {
      name: 'a transaction by hash',
      wanted: 1.1,
      paths: whole.slice(-ASKED).map(({ txHash }) => `${LEDGER}/transactions/${txHash}`),
    },
    {
      name: 'internal transactions of an address, 10 per page',
      wanted: 1.2,
      paths: mostOf(frames.map(({ from }) => from.address)).map(
        (address) => `/v1/chains/43114/addresses/${address}/transactions:listInternals?pageSize=10`,
      ),
    },
    {
      name: 'ICM messages, 10 per page',
      wanted: 1.1,
      paths: ['/v1/icm/messages?network=mainnet&pageSize=10'],
    },
  ];
}

/** What people ask for most (bench/peers/most-asked.ts). */
export function mostAskedCases(): FlooredCase[] {
  const transactions = [...ledger.makeTransactions(TRANSACTIONS)] as Transaction[];
  const owners = transactions.flatMap(({ emittedUtxos }) =>
    emittedUtxos.flatMap(({ addresses }) => addresses),
  );
  const addresses = mostOf(owners);
  const numbers = Array.from({ length: ASKED }, (_, index) => TRANSACTIONS - 1 - 7 * index);
  const cases: [name: string, paths: string[]][] = [
    ['balances of an address', addresses.map((each) => `${LEDGER}/balances?addresses=${each}`)],
    [
      'transactions of an address, 10 per page',
      addresses.map((each) => `${LEDGER}/transactions?pageSize=10&addresses=${each}`),
    ],
    ['validators, 10 per page', ['/v1/networks/mainnet/validators?pageSize=10']],
    ['blocks, 10 per page', [`${LEDGER}/blocks?pageSize=10`]],
    ['one block', numbers.map((number) => `${LEDGER}/blocks/${number}`)],
  ];
  return cases.map(([name, paths]) => ({ name, paths, wanted: 1.3 }));
}

/** The list of UTXOs, which has a floor on more data. */
export function outputCases(): RouteCase[] {
  const transactions = [...ledger.makeTransactions(TRANSACTIONS)] as Transaction[];
  const owners = transactions.flatMap(({ emittedUtxos }) =>
    emittedUtxos.flatMap(({ addresses }) => addresses),
  );
  return [10, 100].map((pageSize) => ({
    name: `UTXOs of an address, ${pageSize} per page`,
    paths: mostOf(owners).map((address) => `${LEDGER}/utxos?pageSize=${pageSize}&addresses=${address}`),
  }));
}

/** The most frequent ones. */
function mostOf(names: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts]
    .sort(([, a], [, b]) => b - a)
    .slice(0, ASKED)
    .map(([name]) => name);
}
