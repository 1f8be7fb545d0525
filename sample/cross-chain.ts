import type { PrimaryChain } from '../src/avalanche/networks.js';
import { avax } from './assets.js';
import { account } from './evm-parties.js';
import { atomicFee, baseFee } from './fees.js';
import { between, type Held, type Ledger } from './ledger.js';
import { everydayAmount, pickPayer } from './payments.js';
import type { Owner, Owners } from './owners.js';
import type { Random } from './random.js';

const routes: readonly (readonly [source: PrimaryChain, destination: PrimaryChain])[] = [
  ['p', 'x'],
  ['x', 'p'],
  ['c', 'p'],
  ['p', 'c'],
  ['x', 'c'],
  ['c', 'x'],
];

interface Exported {
  source: PrimaryChain;
  destination: PrimaryChain;
  owner: Owner;
  held: Held;
  /** Unix seconds. */
  at: number;
}

/** AVAX on its way between the three chains. */
export class CrossChain {
  private readonly waiting: Exported[] = [];
  private routesTaken = 0;

  constructor(
    private readonly ledger: Ledger,
    private readonly owners: Owners,
    private readonly random: Random,
  ) {}

  /** Exports over the next route in turn. */
  export(): void {
    const [source, destination] = routes[this.routesTaken % routes.length] ?? ['p', 'x'];
    const owner = pickPayer(this.random, this.owners);
    const amounts = Array.from({ length: this.random.chance(0.25) ? 2 : 1 }, () =>
      everydayAmount(this.random),
    );
    const sum = amounts.reduce((all, amount) => all + amount, 0n);
    // An export from the C-chain spends from an EVM account, so that it consumes no output.
    const funds =
      source === 'c' ? { inputs: [], change: [] } : this.ledger.fund(source, owner, sum + baseFee);
    if (!funds) return;
    this.routesTaken++;
    const exported = this.ledger.transact(source, {
      txType: 'ExportTx',
      inputs: funds.inputs,
      outputs: [...funds.change, ...amounts.map((amount) => ({ owner, amount, consumedOn: destination }))],
      ...(source === 'c' && { broughtIn: sum + atomicFee }),
      details: {
        ...between(source, destination),
        ...(source === 'c' ? { evmInputs: this.ofAccount(sum + atomicFee) } : { memo: '0x' }),
      },
    });
    for (const held of exported.outputs.slice(funds.change.length))
      this.waiting.push({ source, destination, owner, held, at: this.ledger.now });
  }

  /** The amount of an EVM account: not drawn, so that everything else of the sample stays the same. */
  private ofAccount(amount: bigint) {
    return [{ address: account(this.routesTaken % 80).address, assetId: avax.assetId, amount: `${amount}` }];
  }

  /** Imports one owner's exported outputs that wait on one chain; now and then they are left to wait. */
  import(): void {
    const candidates = this.waiting.filter(({ at }) => at < this.ledger.now);
    if (candidates.length === 0) return;
    const { source, destination, owner } = this.random.pick(candidates);
    const taken = candidates.filter(
      (one) => one.source === source && one.destination === destination && one.owner === owner,
    );
    const inputs = taken.map(({ held }) => held);
    const sum = inputs.reduce((all, { amount }) => all + amount, 0n);
    const toEvm = destination === 'c';
    const rest = sum - (toEvm ? atomicFee : baseFee);
    this.ledger.transact(destination, {
      txType: 'ImportTx',
      inputs,
      outputs: toEvm ? [] : [{ owner, amount: rest }],
      ...(toEvm && { creditedToEvm: rest }),
      details: {
        ...between(source, destination),
        ...(toEvm ? { evmOutputs: this.ofAccount(rest) } : { memo: '0x' }),
      },
    });
    for (const one of taken) this.waiting.splice(this.waiting.indexOf(one), 1);
  }
}
