import type { Input, Transaction, Utxo } from '../../avalanche/codec/types.js';
import type { PrimaryChain } from '../../avalanche/networks.js';
import { transactionRows } from '../../resources/transaction/import.js';
import type { PrimaryScope } from '../../write/scope.js';
import type { DigestContext, KindRows } from '../pipeline.js';
import { amountRows, excess, sum, type Amount } from './amounts.js';
import type { Assets } from './assets.js';
import { chainOfStream, type OutputStream } from './awaited-streams.js';
import { chainOfId, idOfChain, type PrimaryNetwork } from './network.js';
import type { Outputs } from './outputs.js';
import { consumedRow, madeRow, type Made, type Row, type RowBlock } from './rows.js';

/** A transaction of a block before its inputs are looked up. */
export interface Draft {
  readonly transaction: MovingTransaction;
  readonly block: RowBlock;
  /** In its block, from 0; on the C-chain among the atomic ones. Null without a block. */
  readonly position: number | null;
  /** Outputs that it makes, which need not be those of its bytes, in list order. */
  readonly made: readonly MadeOutput[];
  /** Amounts from EVM accounts and from an L1 validator's balance, and amounts to EVM accounts. */
  readonly debited?: readonly Amount[];
  readonly credited?: readonly Amount[];
  /** What goes to balances of L1 validators, nAVAX. */
  readonly l1Balance?: bigint;
  /** Whether its stake outputs are at stake. */
  readonly stakes?: boolean;
  /** False for one whose inputs another transaction consumed: they are listed, and not marked as spent. */
  readonly consumes?: boolean;
  /** The fields that its type has, other than those of its chains. */
  readonly details: Row;
}

/** A transaction of any chain. An import names where its inputs were made, an export where its outputs go. */
export type MovingTransaction = Transaction & {
  readonly type: string;
  readonly sourceChain?: string;
  readonly destinationChain?: string;
};

export interface MadeOutput {
  readonly utxo: Utxo;
  readonly made: Omit<Made, 'block'>;
}

/** What rows are made with. */
export interface RowTools {
  readonly network: PrimaryNetwork;
  readonly assets: Assets;
  readonly outputs: Outputs;
}

/** Transactions as rows of the API, their inputs resolved. @throws NodeError; Error for an unknown input */
export async function transactionRowsOf(
  stream: OutputStream,
  drafts: readonly Draft[],
  { network, assets, outputs }: RowTools,
  context: DigestContext,
): Promise<KindRows> {
  const chain = chainOfStream[stream];
  for (const { made } of drafts) outputs.remember(made.map(({ utxo }) => utxo));
  const wanted = drafts.flatMap((draft) =>
    draft.transaction.inputs.map((input) => ({
      input,
      createdOn: makerOf(network, chain, input, draft.transaction),
    })),
  );
  const consumed = await outputs.resolve(stream, wanted, context);
  const assetIds = [...drafts.flatMap(({ made }) => made.map(({ utxo }) => utxo)), ...consumed.values()].map(
    ({ assetId }) => assetId,
  );
  await assets.prepare([...assetIds, ...drafts.flatMap(accountAssets)], context.signal);
  const scope: PrimaryScope = { network: network.network, chain };
  const rows = drafts.map((draft) => rowOf(chain, draft, consumed, network, assets));
  return { kind: transactionRows, scope, rows };
}

const accountAssets = ({ debited = [], credited = [] }: Draft) =>
  [...debited, ...credited].map(({ assetId }) => assetId);

const makerOf = (
  network: PrimaryNetwork,
  chain: PrimaryChain,
  { role }: Input,
  { sourceChain }: MovingTransaction,
) => (role === 'imported' && sourceChain !== undefined ? chainOfId(network, sourceChain) : chain);

function rowOf(
  chain: PrimaryChain,
  draft: Draft,
  resolved: ReadonlyMap<string, Utxo>,
  known: PrimaryNetwork,
  assets: Assets,
): Row {
  const { network, avaxAssetId } = known;
  const { transaction, block, position, made, debited = [], credited = [], l1Balance = 0n } = draft;
  const describe = (assetId: string) => assets.get(assetId);
  const inputs = transaction.inputs.map((input) => ({ input, utxo: resolved.get(input.utxoId) as Utxo }));
  const value = sum(
    made.map(({ utxo }) => amountOf(utxo)),
    credited,
  );
  const used = sum(
    inputs.map(({ utxo }) => amountOf(utxo)),
    debited,
  );
  const l1 = l1Balance > 0n ? [{ assetId: avaxAssetId, amount: l1Balance }] : [];
  const staked = draft.stakes ? made.filter(({ made: { stake } }) => stake !== undefined) : [];
  return {
    txHash: transaction.id,
    txType: transaction.type,
    blockTimestamp: block.time,
    ...(block.height === null ? {} : { blockNumber: block.height.toString() }),
    ...(block.hash === null ? {} : { blockHash: block.hash }),
    ...(position === null ? {} : { position }),
    consumedUtxos: inputs.map(({ input, utxo }) =>
      consumedRow(network, utxo, describe(utxo.assetId), {
        createdOn: makerOf(known, chain, input, transaction),
        consumedOn: chain,
      }),
    ),
    emittedUtxos: made.map(({ utxo, made: madeAs }) =>
      madeRow(network, utxo, describe(utxo.assetId), { ...madeAs, block }),
    ),
    value: amountRows(value, describe),
    amountBurned: amountRows(excess(used, sum([...value].map(pair), l1)), describe),
    amountStaked: amountRows(sum(staked.map(({ utxo }) => amountOf(utxo))), describe),
    amountL1ValidatorBalanceBurned: amountRows(sum(l1), describe),
    // Without `exact`, an import would note this transaction as the consumer of its inputs.
    ...(draft.consumes === false ? { exact: true } : {}),
    ...chainsOf(known, chain, transaction),
    ...draft.details,
  };
}

const amountOf = ({ assetId, output }: Utxo): Amount => ({ assetId, amount: output.amount });
const pair = ([assetId, amount]: readonly [string, bigint]): Amount => ({ assetId, amount });

/** Both chains of an import or export. */
function chainsOf(
  network: PrimaryNetwork,
  chain: PrimaryChain,
  { sourceChain, destinationChain }: MovingTransaction,
): Row {
  if (sourceChain === undefined && destinationChain === undefined) return {};
  const own = idOfChain(network, chain);
  return { sourceChain: sourceChain ?? own, destinationChain: destinationChain ?? own };
}

/** Where an output can be consumed: its own chain, or the chain that it is exported to. */
export function madeOn(
  network: PrimaryNetwork,
  chain: PrimaryChain,
  role: string,
  { destinationChain }: MovingTransaction,
): { createdOn: PrimaryChain; consumedOn: PrimaryChain } {
  const isExported = role === 'exported' && destinationChain !== undefined;
  return { createdOn: chain, consumedOn: isExported ? chainOfId(network, destinationChain) : chain };
}
