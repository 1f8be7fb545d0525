import type { Resource } from './resource.js';
import { address } from './resources/address/resource.js';
import { asset } from './resources/asset/resource.js';
import { block } from './resources/block/resource.js';
import { chain } from './resources/chain/resource.js';
import { compositeQuery } from './resources/composite-query/resource.js';
import { evmHolding } from './resources/evm-holding/resource.js';
import { history } from './resources/history/resource.js';
import { icmMessage } from './resources/icm-message/resource.js';
import { internalTx } from './resources/internal-tx/resource.js';
import { l1Validator } from './resources/l1-validator/resource.js';
import { networkStats } from './resources/network-stats/resource.js';
import { nft } from './resources/nft/resource.js';
import { reward } from './resources/reward/resource.js';
import { search } from './resources/search/resource.js';
import { stake } from './resources/stake/resource.js';
import { subnetValidator } from './resources/subnet-validator/resource.js';
import { subnet } from './resources/subnet/resource.js';
import { subnetMetric } from './resources/subnet-metric/resource.js';
import { transaction } from './resources/transaction/resource.js';
import { utxo } from './resources/utxo/resource.js';
import { vertex } from './resources/vertex/resource.js';
import { webhook } from './resources/webhook/resource.js';

/** Every resource that has more than GraphQL types, in the order in which people see them. */
const resources: readonly Resource[] = [
  utxo,
  address,
  transaction,
  history,
  reward,
  block,
  vertex,
  subnet,
  subnetValidator,
  stake,
  l1Validator,
  chain,
  search,
  internalTx,
  icmMessage,
  nft,
  evmHolding,
  compositeQuery,
  subnetMetric,
  networkStats,
  asset,
  webhook,
];

/** Every path of the REST API. */
export const routes = resources.flatMap(
  ({ rest }) => rest?.routes.map((route) => ({ ...route, tag: rest.tag })) ?? [],
);
export const fileKinds = resources.flatMap(({ files = [] }) => files);
/** In the order in which they are written. */
export const exportKinds = resources
  .flatMap(({ exports = [] }) => exports)
  .sort((a, b) => Number(b.first ?? false) - Number(a.first ?? false));
export const pagedTables = resources.flatMap(({ pagedTable = [] }) => pagedTable);
export const derivations = resources.flatMap(({ derivation }) => (derivation ? [derivation] : []));
/** The tables that may be on workers, grouped by those that have to be on the same one. */
export const tablesForWorkers = resources.flatMap(({ onWorker }) => (onWorker ? [onWorker] : []));
/** What the first screen shows. */
export const firstScreen = {
  counted: resources.flatMap(({ counted = [] }) => counted),
  countedByLedger: resources.flatMap(({ countedByLedger = [] }) => countedByLedger),
};
