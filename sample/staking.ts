import type { NamesWhere } from '../src/avalanche/chain/transactions.js';
import { ZERO_ID } from '../src/avalanche/codec/ids.js';
import { nAvax } from './assets.js';
import { blsCredentialsOf } from './bls-credentials.js';
import { days, lastSecond } from './clock.js';
import { baseFee } from './fees.js';
import { nodeIdOf } from './ids.js';
import type { Held, Ledger, TransactionDetails } from './ledger.js';
import type { OutputDraft } from './outputs.js';
import type { Owners } from './owners.js';
import { everydayAmount, pickRecipient } from './payments.js';
import type { Random } from './random.js';
import { feeOf, isValidator, rewards, stakerOf, type Stake, type Validator } from './stakes.js';
import type { StakerRow } from '../src/state/staking.js';

const YEAR = days(365);
const YEARLY_REWARD_PERCENT = 8n;

/** Locked outputs that are reserved for the validators at the end of the year. */
const KEPT_LOCKED = 3;

type Validates = NamesWhere<'stake', 'validates'>;
type Delegates = NamesWhere<'stake', 'delegates'>;

/** A node and how long it stakes. */
interface Node {
  nodeId: string;
  start: number;
  end: number;
}

/** Validators and delegators of the primary network. */
export class Staking {
  private readonly running: (Stake | Validator)[] = [];
  private readonly locked: Held[];
  private nodes = 0;

  constructor(
    private readonly ledger: Ledger,
    private readonly owners: Owners,
    private readonly random: Random,
    /** Outputs that can only be staked until their time. */
    locked: readonly Held[],
  ) {
    this.locked = [...locked];
  }

  /**
   * A validator in the manner of the early network, staking a locked output while there are enough of them.
   */
  addValidator(): void {
    const locked = this.locked.length > KEPT_LOCKED ? this.locked.shift() : undefined;
    if (locked) this.stakeLocked('AddValidatorTx', locked, this.newNode());
    else this.addStaker('AddValidatorTx', this.newNode());
  }

  /**
   * Towards the end of the year they stake the locked outputs that were kept, and are still running after it.
   */
  addPermissionlessValidator(): void {
    const locked = this.ledger.now > lastSecond - days(90) ? this.locked.shift() : undefined;
    const node = locked ? this.newNode(150) : this.newNode();
    const details = { blsCredentials: blsCredentialsOf(node.nodeId) };
    if (locked) this.stakeLocked('AddPermissionlessValidatorTx', locked, node, details);
    else this.addStaker('AddPermissionlessValidatorTx', node, details);
  }

  /** Delegates to a validator that runs for ten days more; if there is none, nothing happens. */
  addDelegator(txType: Delegates): void {
    const { now } = this.ledger;
    const open = this.running.filter(isValidator).filter(({ end }) => end > now + days(10));
    if (open.length === 0) return;
    const validator = this.random.pick(open);
    const start = now + this.random.int(60, 900);
    const end = Math.min(validator.end, start + days(this.random.int(7, 40)));
    this.addStaker(txType, { nodeId: validator.nodeId, start, end, validator });
  }

  /** Ends and rewards every stake whose time is over by `until`, each at its own second. */
  settle(until: number): void {
    const due = this.running.filter(({ end }) => end <= until).sort((a, b) => a.end - b.end);
    for (const stake of due) {
      this.ledger.now = Math.max(this.ledger.now, stake.end);
      if (this.random.chance(0.3))
        this.ledger.transact('p', { txType: 'AdvanceTimeTx', inputs: [], outputs: [] });
      this.reward(stake);
      this.running.splice(this.running.indexOf(stake), 1);
    }
  }

  /** The stakes whose time is not over. */
  stakers(): StakerRow[] {
    return this.running.map((stake) => stakerOf(stake));
  }

  private reward(stake: Stake | Validator): void {
    for (const held of stake.staked) {
      held.row.staked = false;
      if (held.row.stakeableLocktime === undefined) this.ledger.release('p', held);
    }
    const { row } = this.ledger.transact('p', {
      txType: 'RewardValidatorTx',
      inputs: [],
      outputs: rewards(stake),
      outputsBelongTo: stake.settled,
      details: { stakingTxHash: stake.settled.row.txHash },
    });
    stake.settled.row.rewardTxHash = row.txHash;
    if (stake.validator) stake.validator.fees += feeOf(stake);
  }

  private newNode(leastDays = 20): Node {
    const start = this.ledger.now + this.random.int(60, 900);
    const long = leastDays > 90 || this.random.chance(0.35);
    const length = this.random.int(long ? 150 : leastDays, long ? 360 : 90);
    return { nodeId: nodeIdOf(`validator ${this.nodes++}`), start, end: start + days(length) };
  }

  private addStaker(
    txType: Validates | Delegates,
    period: Node & { validator?: Validator },
    details: TransactionDetails = {},
  ): void {
    const { nodeId, start, end, validator } = period;
    const owner = this.random.pick(this.owners.wallets);
    const amount = (validator ? nAvax(1) : nAvax(25)) + everydayAmount(this.random);
    const funds = this.ledger.fund('p', owner, amount + baseFee);
    if (!funds) return;
    const stake: OutputDraft = { owner, amount, stake: { start, end } };
    this.register({ txType, ...period }, funds.inputs, [...funds.change, stake], details);
    if (!validator) this.maybeDelegateAtOnce(nodeId);
  }

  /** Keeps new validators from being without delegators. */
  private maybeDelegateAtOnce(nodeId: string): void {
    const validator = this.running.filter(isValidator).find((one) => one.nodeId === nodeId);
    if (!validator || validator.end < this.ledger.now + days(10) || !this.random.chance(0.5)) return;
    const start = this.ledger.now + this.random.int(60, 900);
    const end = Math.min(validator.end, start + days(this.random.int(7, 30)));
    this.addStaker('AddPermissionlessDelegatorTx', { nodeId, start, end, validator });
  }

  private stakeLocked(txType: Validates, locked: Held, node: Node, details?: TransactionDetails): void {
    const { owner } = locked;
    const stakeableLocktime = locked.row.stakeableLocktime ?? undefined;
    const fee = this.ledger.fund('p', owner, baseFee);
    if (!fee) return;
    const staked = (locked.amount * 3n) / 5n;
    const outputs = [
      ...fee.change,
      { owner, amount: locked.amount - staked, stakeableLocktime },
      { owner, amount: staked, stakeableLocktime, stake: { start: node.start, end: node.end } },
    ];
    this.register({ txType, ...node }, [locked, ...fee.inputs], outputs, details);
  }

  private register(
    staker: Node & { txType: Validates | Delegates; validator?: Validator },
    inputs: Held[],
    outputs: OutputDraft[],
    details: TransactionDetails = {},
  ): void {
    const { txType, nodeId, start, end, validator } = staker;
    const amount = outputs.reduce((sum, output) => sum + (output.stake ? output.amount : 0n), 0n);
    const reward = (amount * YEARLY_REWARD_PERCENT * BigInt(end - start)) / (100n * BigInt(YEAR));
    const rewardOwner = this.random.chance(0.5)
      ? pickRecipient(this.random, this.owners)
      : (outputs[0]?.owner ?? this.owners.busy);
    const feePercent = BigInt(this.random.int(2, 20));
    const settled = this.ledger.transact('p', {
      txType,
      inputs,
      outputs,
      details: {
        startTimestamp: start,
        endTimestamp: end,
        ...(!validator && { delegationFeePercent: feePercent.toString() }),
        nodeId,
        subnetId: ZERO_ID,
        estimatedReward: reward.toString(),
        rewardAddresses: rewardOwner.addresses,
        memo: '0x',
        ...details,
      },
    });
    const stake: Stake = {
      settled,
      staked: settled.outputs.filter(({ row }) => row.staked),
      start,
      end,
      rewardOwner,
      reward,
      validator,
    };
    this.running.push(validator ? stake : { ...stake, nodeId, feePercent, fees: 0n });
  }
}
