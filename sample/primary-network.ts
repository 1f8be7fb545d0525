import { ZERO_ID } from '../src/avalanche/codec/ids.js';
import { avax, nAvax } from './assets.js';
import { firstSecond, lastSecond, linearisation } from './clock.js';
import { CrossChain } from './cross-chain.js';
import { l1Story } from './l1-story.js';
import type { L1 } from './l1s.js';
import { Ledger, type Held } from './ledger.js';
import type { OutputDraft } from './outputs.js';
import { makeOwners, type Owners } from './owners.js';
import { pay } from './payments.js';
import { seededRandom, type Random } from './random.js';
import type { StateRows } from '../src/state/staking.js';
import { Staking } from './staking.js';
import { genesisOutputs, XChain } from './x-chain.js';

const STEPS_BEFORE_LINEARISATION = 860;
const STEPS_AFTER = 900;
const GENESIS_OUTPUTS = { p: 4, x: 5 };
/** What exists of AVAX in the end. */
const SUPPLY = nAvax(451_000_000);

export interface PrimaryNetwork {
  ledger: Ledger;
  owners: Owners;
  l1s: L1[];
  state: StateRows;
}

/** A year of the P-, X- and C-chain of a made-up fuji: the same year every time. */
export function makePrimaryNetwork(): PrimaryNetwork {
  const random = seededRandom('primary network');
  const owners = makeOwners();
  const ledger = new Ledger();
  const locked = genesis(ledger, owners, random);
  const staking = new Staking(ledger, owners, random, locked);
  const crossChain = new CrossChain(ledger, owners, random);
  const xChain = new XChain(ledger, owners, random);
  const { l1s, subnets, validators, chapters } = l1Story(ledger, owners, random);

  const early: Choice[] = [
    [72, () => pay(ledger, 'x', random, owners)],
    [14, () => xChain.moveAsset()],
    [5, () => pay(ledger, 'p', random, owners)],
    [3, () => crossChain.export()],
    [3, () => crossChain.import()],
    [1.5, () => staking.addValidator()],
    [1.5, () => staking.addDelegator('AddDelegatorTx')],
  ];
  for (const [index, time] of steps(random, firstSecond, linearisation, STEPS_BEFORE_LINEARISATION)) {
    staking.settle(time);
    ledger.now = time;
    if (index % 8 === 3) xChain.createAsset();
    else if (index >= 24) choose(random, early)();
    else pay(ledger, 'x', random, owners);
  }

  const late: Choice[] = [
    [24, () => pay(ledger, 'x', random, owners)],
    [8, () => xChain.moveAsset()],
    [30, () => pay(ledger, 'p', random, owners)],
    [13, () => crossChain.export()],
    [12, () => crossChain.import()],
    [5, () => staking.addPermissionlessValidator()],
    [8, () => staking.addDelegator('AddPermissionlessDelegatorTx')],
  ];
  for (const [index, time] of steps(random, linearisation, lastSecond, STEPS_AFTER)) {
    staking.settle(time);
    ledger.now = time;
    if (index % 12 === 5) chapters.next();
    else choose(random, late)();
  }
  const state: StateRows = {
    ...validators.state(),
    stakers: [...staking.stakers(), ...subnets.stakers()],
    supplies: [{ subnetId: ZERO_ID, supply: SUPPLY, rates: null }, ...subnets.supplies],
  };
  return { ledger, owners, l1s, state };
}

type Choice = [weight: number, action: () => unknown];

function choose(random: Random, choices: readonly Choice[]): () => unknown {
  let left = random.next() * choices.reduce((sum, [weight]) => sum + weight, 0);
  for (const [weight, action] of choices) if ((left -= weight) < 0) return action;
  return () => undefined;
}

/** Times that rise through a period, irregularly; now and then two steps share a second, and so a block. */
function* steps(random: Random, from: number, to: number, count: number): Iterable<[number, number]> {
  const stride = (to - from) / (count + 1);
  let time = from;
  for (let index = 0; index < count; index++) {
    if (!random.chance(0.12)) time = Math.floor(from + stride * (index + 1 + 0.9 * random.next()));
    yield [index, Math.min(time, to)];
  }
}

/** What the chains began with; returns the outputs that can only be staked. */
function genesis(ledger: Ledger, owners: Owners, random: Random): Held[] {
  const outputs = genesisOutputs(owners, random, GENESIS_OUTPUTS.p);
  const stakeable = owners.wallets.slice(0, 10).map((owner, index) => ({
    owner,
    amount: nAvax(2_000 + index * 250),
    stakeableLocktime: stakeableUntil(index),
  }));
  // Outputs of the P-chain's genesis name the empty transaction id, on every network.
  const noTransaction = { txHash: ZERO_ID, txId: new Uint8Array(32) };
  const created = [...outputs, ...stakeable].map((output: OutputDraft, index) =>
    ledger.createOutput('p', noTransaction, index, output),
  );
  ledger.transact('x', {
    txType: 'CreateAssetTx',
    inputs: [],
    outputs: genesisOutputs(owners, random, GENESIS_OUTPUTS.x),
    details: { memo: '0x' },
    // The transaction that creates AVAX gives it its id.
    identity: { txHash: avax.assetId, txId: avax.id },
  });
  return created.filter(({ row }) => row.stakeableLocktime !== undefined).slice(0, 7);
}

/** Between 2026 and 2044, so that some have passed and some lie beyond the signed 32-bit clock. */
function stakeableUntil(index: number): number {
  return Date.UTC(2026 + 2 * index, index, 15) / 1000;
}
