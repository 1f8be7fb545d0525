import { chainRow } from '../../test/harness/evm-rows.js';
import { writeRows } from '../harness/files.js';
import * as evm from '../size/evm.js';
import * as ledger from '../size/ledger.js';

const TRANSACTIONS = 4_000;
const FRAMES = 8_000;
const MESSAGES = 2_000;
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
