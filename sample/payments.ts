import type { TransactionTypeName } from '../src/avalanche/chain/transactions.js';
import type { PrimaryChain } from '../src/avalanche/networks.js';
import { avax, type Asset } from './assets.js';
import { days } from './clock.js';
import { baseFee } from './fees.js';
import { hexOf } from './ids.js';
import type { Ledger, Settled } from './ledger.js';
import type { OutputDraft } from './outputs.js';
import type { Owner, Owners } from './owners.js';
import type { Random } from './random.js';

const BUSY_SHARE = 0.22;
const MULTISIG_SHARE = 0.06;

/** Somebody to be paid. */
export function pickRecipient(random: Random, owners: Owners): Owner {
  if (random.chance(BUSY_SHARE)) return owners.busy;
  return random.pick(random.chance(MULTISIG_SHARE) ? owners.multisigs : owners.wallets);
}

/** Somebody who pays; the busy owner and the multisig ones spend now and then too. */
export function pickPayer(random: Random, owners: Owners): Owner {
  if (random.chance(0.04)) return owners.busy;
  return random.pick(random.chance(MULTISIG_SHARE) ? owners.multisigs : owners.wallets);
}

/** An everyday amount of AVAX, in nAVAX: most are small. */
export function everydayAmount(random: Random): bigint {
  return BigInt(Math.round(10 ** (7 + 4.2 * random.next())));
}

/** Moves AVAX within a chain to one, two or three recipients; null when the payer lacks the funds. */
export function pay(ledger: Ledger, chain: PrimaryChain, random: Random, owners: Owners): Settled | null {
  const outputs: OutputDraft[] = Array.from({ length: random.int(1, 3) }, () => ({
    owner: pickRecipient(random, owners),
    amount: everydayAmount(random),
  }));
  if (chain === 'p' && random.chance(0.05)) lock(outputs, ledger.now, random);
  const funds = ledger.fund(chain, pickPayer(random, owners), total(outputs) + baseFee);
  if (!funds) return null;
  return ledger.transact(chain, {
    txType: 'BaseTx',
    inputs: funds.inputs,
    outputs: [...outputs, ...funds.change],
    details: { memo: random.chance(0.3) ? hexOf(`memo ${random.next()}`, random.int(4, 32)) : '0x' },
  });
}

/** Moves an X-chain asset, paying the fee in AVAX; null when the payer lacks one or the other. */
export function payAsset(
  ledger: Ledger,
  asset: Asset,
  payer: Owner,
  recipient: Owner,
  amount: bigint,
  txType: TransactionTypeName = 'BaseTx',
): Settled | null {
  const fee = ledger.fund('x', payer, baseFee);
  if (!fee) return null;
  const funds = ledger.fund('x', payer, amount, asset);
  if (!funds) {
    for (const held of fee.inputs) ledger.release('x', held);
    return null;
  }
  return ledger.transact('x', {
    txType,
    inputs: [...funds.inputs, ...fee.inputs],
    outputs: [{ owner: recipient, amount, asset }, ...funds.change, ...fee.change],
    details: { memo: '0x' },
  });
}

export function total(outputs: readonly OutputDraft[]): bigint {
  return outputs
    .filter(({ asset = avax }) => asset === avax)
    .reduce((sum, output) => sum + output.amount, 0n);
}

/** Puts a lock on the first output: some far beyond the 32 bits of a signed or an unsigned clock. */
function lock(outputs: OutputDraft[], now: number, random: Random): void {
  const [first] = outputs;
  if (first)
    first.locktime = random.chance(0.3) ? 2 ** 32 + random.int(1, 2 ** 28) : now + days(random.int(1, 400));
}
