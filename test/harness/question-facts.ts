import { decodeEventLog, encodeAbiParameters, keccak256, parseAbiParameters, type Hex } from 'viem';
import { makeSample } from '../../sample/index.js';
import { formatAddress } from '../../src/avalanche/address.js';

import { decodePBlock, decodeXBlock } from '../../src/avalanche/codec/block.js';
import { decodeAtomicTransactions } from '../../src/avalanche/codec/c-transaction.js';
import { ZERO_ID } from '../../src/avalanche/codec/ids.js';
import type { Transaction, Utxo } from '../../src/avalanche/codec/types.js';
import { blockchainIds, nativeAssetIds, type PrimaryChain } from '../../src/avalanche/networks.js';
import { callsOf, checkedBytes, plainBytes } from '../avalanche/codec/recorded.js';
import { paidDays } from './fee-model.js';
import { TELEPORTER } from './followed.js';
import { recordedLogs } from './log-truth.js';
import { messengerAbi, wordOf } from './message-chain.js';
import { truthOf } from './node-truth.js';
import type { NodeOutput } from './output-bytes.js';
import { recordedBlocks, type RecordedBlock } from './recorded-blocks.js';
import type { RecordedNetwork } from './recorded-node.js';
import { chains, readSample } from './sample.js';
import { stakingRecord } from './staking-replay.js';

/** An output, with what became of it. */
export interface OutputFact {
  utxoId: string;
  assetId: string;
  amount: string;
  addresses: string[];
  threshold?: number | undefined;
  platformLocktime?: number | undefined;
  stakeableLocktime?: number | undefined;
  createdOnChainId: string;
  consumedOnChainId: string;
  staked: boolean;
  rewardType?: string | undefined;
  /** When it was made. */
  blockTimestamp: number;
  consumingTxHash: string | undefined;
  consumingBlockTimestamp?: number | undefined;
}

export interface TransactionFact {
  chain: PrimaryChain;
  txHash: string;
  txType: string;
  blockTimestamp: number;
  blockNumber?: string | undefined;
  position?: number | undefined;
  consumedUtxos: { utxoId: string }[];
  emittedUtxos: { utxoId: string }[];
  nodeId?: string | undefined;
  subnetId?: string | undefined;
  stakingTxHash?: string | undefined;
  /** nAVAX; undefined where the sample does not say it. */
  burned: bigint | undefined;
  /** Who is paid if it is rewarded. */
  rewardAddresses?: readonly string[] | undefined;
}

/** A validator of now. */
export interface ValidatorFact {
  txHash: string;
  subnetId: string;
  nodeId: string;
  ownWeight: bigint;
  delegatedWeight: bigint;
  potentialReward: bigint;
}

export interface L1ValidatorFact {
  validationId: string;
  subnetId: string;
  nodeId: string;
  weight: bigint;
  balance: bigint;
}

export interface MessageFact {
  messageId: string;
  from: string;
  sourceTxHash: string | null;
  destinationTxHash: string | null;
}

/** What is true of a network, from what the gateway's data were made of and nothing that it made. */
export interface Facts {
  ids: Record<PrimaryChain, string>;
  avax: string;
  /** On the P-chain. */
  blocks: Pick<RecordedBlock, 'number' | 'hash' | 'timestamp' | 'txCount'>[];
  transactions: TransactionFact[];
  /** Each once. */
  outputs: OutputFact[];
  /** Assets without NFTs, whose amounts add up. */
  fungible: ReadonlySet<string>;
  validators: ValidatorFact[];
  /** Without removed ones. */
  l1Validators: L1ValidatorFact[];
  /** What L1 validators paid on days, Unix seconds, in nAVAX. */
  fees: { subnetId: string; timestamp: number; value: string }[];
  messages: MessageFact[];
}

/** The sample, as it is generated. */
export function factsOfSample(): Facts {
  const { allUtxos, transactionsOf, rowsOf } = readSample();
  const { state } = makeSample();
  const all = new Map(allUtxos.map((row) => [row.utxoId, row]));
  const outputs = [...all.values()].map(
    (row): OutputFact =>
      ({ ...row, staked: row.staked === true, blockTimestamp: row.blockTimestamp ?? 0 }) as OutputFact,
  );
  const transactions = chains.flatMap((chain) =>
    transactionsOf(chain).map((row) => {
      const burned = row.amountBurned.filter(({ assetId }) => assetId === nativeAssetIds.fuji);
      const sum = burned.reduce((total, { amount }) => total + BigInt(amount), 0n);
      return {
        ...row,
        chain,
        burned: row.amountBurned.length > 0 ? sum : undefined,
      } as unknown as TransactionFact;
    }),
  );
  const nfts = allUtxos.filter(({ asset }) => asset.type === 'nft').map(({ assetId }) => assetId);
  const isDelegator = ({ txType }: { txType: string }) => txType.includes('Delegator');
  const delegatedTo = (one: { subnetId: string; nodeId: string }) =>
    state.stakers
      .filter((each) => isDelegator(each) && each.subnetId === one.subnetId && each.nodeId === one.nodeId)
      .reduce((sum, { weight }) => sum + weight, 0n);
  return {
    ids: blockchainIds.fuji,
    avax: nativeAssetIds.fuji,
    blocks: rowsOf<Record<string, string | number>>('fuji.p-chain.blocks').map((row) => ({
      number: String(row['blockNumber']),
      hash: String(row['blockHash']),
      timestamp: Number(row['blockTimestamp']),
      txCount: Number(row['txCount']),
    })),
    transactions,
    outputs,
    fungible: new Set(outputs.map(({ assetId }) => assetId).filter((id) => !nfts.includes(id))),
    validators: state.stakers
      .filter((one) => !isDelegator(one))
      .map((one) => ({
        txHash: one.txId,
        subnetId: one.subnetId,
        nodeId: one.nodeId,
        ownWeight: one.weight,
        delegatedWeight: delegatedTo(one),
        potentialReward: one.potentialReward,
      })),
    l1Validators: state.l1Validators
      .filter(({ weight }) => weight > 0n)
      .map(({ validationId, subnetId, nodeId, weight, endFee }) => ({
        validationId,
        subnetId,
        nodeId,
        weight,
        balance: endFee > 0n ? endFee - state.accrued : 0n,
      })),
    fees: rowsOf<{ subnetId: string; metric: string; timestamp: number; value: string }>(
      'fuji.subnet-metrics',
    )
      .filter(({ metric }) => metric === 'perSubnetCumulativeFeesPaid')
      .map(({ subnetId, timestamp, value }) => ({ subnetId, timestamp, value })),
    messages: rowsOf<any>('fuji.icm.messages').map((row) => ({
      messageId: row.messageId,
      from: row.from,
      sourceTxHash: row.sourceTransaction?.txHash ?? null,
      destinationTxHash: row.destinationTransaction?.txHash ?? null,
    })),
  };
}

/** What a recorded node said of a network. */
export function factsOfNetwork(network: RecordedNetwork): Facts {
  const truth = truthOf(network);
  const { genesis } = truth;
  const ids = { p: ZERO_ID, x: genesis.xChainId, c: genesis.cChainId };
  const { end } = stakingRecord(network);
  const ledger = new RecordedLedger(ids, genesis.avaxAssetId);
  ledger.addGenesis(genesis);
  const rewards = truth.rewards();
  for (const one of recordedTransactions(network)) ledger.add(one, rewards);
  ledger.addReturned([...truth.unspent().values()].flat());
  const transactions = ledger.transactions;
  const outputs = [...ledger.outputs.values()];
  const fees = [...paidDays(stakingRecord(network)).fees].map(([key, sum]) => {
    const [subnetId, day] = key.split(' ') as [string, string];
    return { subnetId, timestamp: Number(day) * 86_400, value: sum.toString() };
  });
  const present = [...end.validators].flatMap(([subnetId, all]) => all.map((one) => ({ ...one, subnetId })));
  return {
    ids,
    avax: genesis.avaxAssetId,
    blocks: recordedBlocks(network, 'p').map((block) => ({
      ...block,
      timestamp: block.timestamp ?? genesis.time,
    })),
    transactions,
    outputs,
    fungible: ledger.fungible,
    validators: present
      .filter(({ balance }) => balance === null)
      .map((one) => ({
        txHash: one.id,
        subnetId: one.subnetId,
        nodeId: one.nodeId,
        ownWeight: one.weight,
        delegatedWeight: one.delegatorWeight ?? 0n,
        potentialReward: one.potentialReward ?? 0n,
      })),
    l1Validators: present.flatMap(({ id, subnetId, nodeId, weight, balance }) =>
      balance === null ? [] : [{ validationId: id, subnetId, nodeId, weight, balance }],
    ),
    fees,
    messages: recordedMessages(network, genesis.cChainId),
  };
}

/** A transaction where it stands in the recording. */
interface Recorded {
  chain: PrimaryChain;
  transaction: Transaction & { type: string };
  blockNumber: string;
  position: number;
  time: number;
}

function recordedTransactions(network: RecordedNetwork): Recorded[] {
  const placed = (chain: PrimaryChain, height: number | bigint, time: number, all: readonly Transaction[]) =>
    all.map((transaction, position) => ({
      chain,
      transaction: transaction as Recorded['transaction'],
      blockNumber: height.toString(),
      position,
      time,
    }));
  const answers = (file: string, method: string) =>
    callsOf(network, file).filter((call) => call.method === method);
  const p = answers('p', 'platform.getBlockByHeight')
    .map(({ result }) => decodePBlock(checkedBytes(result['block'])))
    .flatMap(({ height, time, transactions, proposal }) =>
      placed('p', height, time ?? NaN, proposal ? [...transactions, proposal] : transactions),
    );
  const x = answers('x', 'avm.getBlockByHeight')
    .map(({ result }) => decodeXBlock(checkedBytes(result['block'])))
    .flatMap(({ height, time, transactions }) => placed('x', height, time, transactions));
  const [upgrades] = answers('info', 'info.upgrades');
  const apricot5 = Date.parse(upgrades?.result['apricotPhase5Time'] as string) / 1000;
  const c = answers('c', 'eth_getBlockByNumber').flatMap(({ result }) => {
    const time = Number(result['timestamp']);
    const all = decodeAtomicTransactions(plainBytes(result['blockExtraData']), time >= apricot5);
    return placed('c', BigInt(result['number'] as string), time, all);
  });
  return [...p, ...x, ...c].sort((a, b) => a.time - b.time);
}

/** The ledger as the transactions of a recording make it, one after the other. */
class RecordedLedger {
  readonly outputs = new Map<string, OutputFact>();
  readonly transactions: TransactionFact[] = [];
  readonly fungible = new Set<string>();
  private readonly nfts = new Set<string>();
  private readonly stakes = new Map<string, OutputFact[]>();
  private readonly consumers = new Map<string, TransactionFact>();

  constructor(
    private readonly ids: Record<PrimaryChain, string>,
    private readonly avax: string,
  ) {}

  addGenesis({ time, utxos, validators, chains: made, assets }: ReturnType<typeof truthOf>['genesis']): void {
    for (const utxo of utxos) this.make(utxo, this.ids.p, this.ids.p, time);
    const at = (chain: PrimaryChain) => (transaction: object, position: number) =>
      this.add(
        { chain, transaction: transaction as Recorded['transaction'], blockNumber: '0', position, time },
        new Map(),
      );
    [...validators, ...made].forEach(at('p'));
    assets.map(({ transaction }) => transaction).forEach(at('x'));
  }

  add(
    { chain, transaction, blockNumber, position, time }: Recorded,
    rewards: ReadonlyMap<string, readonly NodeOutput[]>,
  ): void {
    const one = transaction as Recorded['transaction'] & {
      destinationChain?: string;
      validator?: { nodeId: string };
      nodeId?: string;
      subnetId?: string;
      stakingTxId?: string;
    };
    const fact: TransactionFact = {
      chain,
      txHash: one.id,
      txType: one.type,
      blockTimestamp: time,
      blockNumber,
      position,
      consumedUtxos: one.inputs.map(({ utxoId }) => ({ utxoId })),
      emittedUtxos: [],
      nodeId: one.validator?.nodeId ?? one.nodeId,
      subnetId: one.subnetId,
      stakingTxHash: one.stakingTxId,
      rewardAddresses: rewardAddressesOf(one),
      burned: burnedBy(transaction, this.avax),
    };
    this.transactions.push(fact);
    for (const { utxoId } of one.inputs) {
      this.consumers.set(utxoId, fact);
      const spent = this.outputs.get(utxoId);
      if (spent) Object.assign(spent, { consumingTxHash: one.id, consumingBlockTimestamp: time });
    }
    fact.emittedUtxos = one.outputs.map((output) => {
      const to = output.role === 'exported' ? (one.destinationChain as string) : this.ids[chain];
      const made = this.make(output, this.ids[chain], to, time);
      made.staked = output.role === 'stake';
      if (made.staked) this.stakes.set(one.id, [...(this.stakes.get(one.id) ?? []), made]);
      return made;
    });
    if (one.stakingTxId === undefined) return;
    for (const stake of this.stakes.get(one.stakingTxId) ?? []) stake.staked = false;
    fact.emittedUtxos = (rewards.get(one.stakingTxId) ?? []).map((each) => {
      const { p } = this.ids;
      const made: OutputFact = {
        ...each,
        createdOnChainId: p,
        consumedOnChainId: p,
        staked: false,
        rewardType: 'paid',
        blockTimestamp: time,
        consumingTxHash: undefined,
      };
      return this.keep(made);
    });
  }

  private addNft(assetId: string): void {
    this.nfts.add(assetId);
    this.fungible.delete(assetId);
  }

  /** What was left of balances of L1 validators: no transaction's bytes have it. */
  addReturned(unspent: readonly NodeOutput[]): void {
    const times = new Map(this.transactions.map(({ txHash, blockTimestamp }) => [txHash, blockTimestamp]));
    for (const { txHash, ...output } of unspent)
      if (!this.outputs.has(output.utxoId))
        this.keep({
          ...output,
          staked: false,
          blockTimestamp: times.get(txHash) ?? 0,
          consumingTxHash: undefined,
        });
  }

  private make({ utxoId, assetId, output }: Utxo, from: string, to: string, time: number): OutputFact {
    const { amount, owners, stakeableLocktime, kind } = output;
    if (kind === 'transfer' && !this.nfts.has(assetId)) this.fungible.add(assetId);
    if (kind === 'nft-transfer') this.addNft(assetId);
    return this.keep({
      utxoId,
      assetId,
      amount: amount.toString(),
      addresses: owners.addresses.map((bytes) => formatAddress('fuji', bytes)),
      threshold: owners.threshold,
      platformLocktime: Number(owners.locktime),
      stakeableLocktime: stakeableLocktime === null ? undefined : Number(stakeableLocktime),
      createdOnChainId: from,
      consumedOnChainId: to,
      staked: false,
      blockTimestamp: time,
      consumingTxHash: undefined,
    });
  }

  private keep(made: OutputFact): OutputFact {
    // Transactions of one second on two chains are in any order.
    const consumer = this.consumers.get(made.utxoId);
    if (consumer)
      Object.assign(made, {
        consumingTxHash: consumer.txHash,
        consumingBlockTimestamp: consumer.blockTimestamp,
      });
    this.outputs.set(made.utxoId, made);
    return made;
  }
}

/** What of the AVAX that a transaction consumed is in nothing that it made. */
function burnedBy(transaction: object, avax: string): bigint {
  type Part = { assetId: string; amount: bigint | null };
  const one = transaction as {
    inputs: Part[];
    outputs: { assetId: string; output: { amount: bigint } }[];
    evmInputs?: Part[];
    evmOutputs?: Part[];
    /** Of an L1 validator, and of the first ones of an L1. */
    balance?: bigint;
    validators?: { balance: bigint }[];
  };
  const sum = (parts: readonly Part[] = []) =>
    parts.filter(({ assetId }) => assetId === avax).reduce((total, { amount }) => total + (amount ?? 0n), 0n);
  const made = one.outputs.map(({ assetId, output: { amount } }) => ({ assetId, amount }));
  const deposited = (one.validators ?? []).reduce((total, { balance }) => total + balance, one.balance ?? 0n);
  const burned = sum(one.inputs) + sum(one.evmInputs) - sum(made) - sum(one.evmOutputs) - deposited;
  // Those of a genesis consume nothing.
  return burned > 0n ? burned : 0n;
}

function rewardAddressesOf(transaction: object): string[] | undefined {
  const names = ['rewardsOwner', 'validatorRewardsOwner', 'delegatorRewardsOwner'] as const;
  type Owner = { addresses: readonly Uint8Array[] };
  const owners = names.flatMap((name) => (transaction as Partial<Record<string, Owner>>)[name] ?? []);
  if (owners.length === 0) return undefined;
  return [
    ...new Set(owners.flatMap(({ addresses }) => addresses.map((bytes) => formatAddress('fuji', bytes)))),
  ];
}

/** What the messenger of a recorded C-chain logged. */
function recordedMessages(network: RecordedNetwork, own: string): MessageFact[] {
  const found = new Map<string, MessageFact>();
  const idFor = (source: Hex, destination: Hex, nonce: bigint) =>
    keccak256(
      encodeAbiParameters(parseAbiParameters('address, bytes32, bytes32, uint256'), [
        ...([TELEPORTER, source, destination, nonce] as const),
      ]),
    ).slice(2);
  for (const { address, topics, data, transactionHash } of recordedLogs(network)) {
    if (address.toLowerCase() !== TELEPORTER) continue;
    const event = decodeEventLog({ abi: messengerAbi, topics: topics as [Hex, ...Hex[]], data: data as Hex });
    const isSent = event.eventName === 'SendCrossChainMessage';
    if (!isSent && event.eventName !== 'ReceiveCrossChainMessage') continue;
    const { message } = event.args;
    const messageId = isSent
      ? idFor(wordOf(own), event.args.destinationBlockchainID, message.messageNonce)
      : idFor(event.args.sourceBlockchainID, wordOf(own), message.messageNonce);
    const known = found.get(messageId) ?? {
      messageId,
      from: message.originSenderAddress,
      sourceTxHash: null,
      destinationTxHash: null,
    };
    const side = isSent ? 'sourceTxHash' : 'destinationTxHash';
    found.set(messageId, { ...known, [side]: known[side] ?? transactionHash });
  }
  return [...found.values()];
}
