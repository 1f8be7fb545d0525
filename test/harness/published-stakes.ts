import { expect } from 'vitest';
import type { TestApp } from './app.js';
import { poolOf } from './connections.js';
import { allPages } from './rest-pages.js';

/** What the filters of the published list of validators look at. */
interface Stake {
  txHash: string;
  nodeId: string;
  subnetId: string;
  validationStatus: string;
  endTimestamp: number;
  delegationCapacity?: string;
  delegationFee?: string;
}
type Filters = Readonly<Record<string, string>>;

const list = '/v1/networks/fuji/validators';
const isPresent = ({ validationStatus }: Stake) => ['active', 'pending'].includes(validationStatus);
/** A share in percent as a whole number of its fourth decimals. */
const sharesOf = (percent: string) => BigInt(Math.round(Number(percent) * 10_000));

/** The list of the stakes of validators, and by a slow model what each filter leaves of it. */
export class PublishedStakes {
  private constructor(
    private readonly gateway: TestApp,
    private readonly all: readonly Stake[],
    private readonly now: number,
  ) {}

  static async open(gateway: TestApp): Promise<PublishedStakes> {
    const { rows } = await poolOf(gateway.storage).query<{ now: number }>(
      `SELECT chain_time::int AS now FROM follow_staking WHERE network = 'fuji'`,
    );
    return new PublishedStakes(gateway, await allPages<Stake>(gateway, list, 'validators'), rows[0]!.now);
  }

  /** What a range of each quantity is compared with, and a text as a number of the same unit. */
  private readonly quantities: Readonly<
    Record<
      string,
      { of: (row: Stake) => bigint | null; read: (text: string) => bigint; print: (value: bigint) => string }
    >
  > = {
    DelegationCapacity: {
      of: ({ delegationCapacity }) => (delegationCapacity === undefined ? null : BigInt(delegationCapacity)),
      read: BigInt,
      print: String,
    },
    TimeRemaining: {
      of: (row) => (isPresent(row) ? BigInt(row.endTimestamp - this.now) : null),
      read: BigInt,
      print: String,
    },
    FeePercentage: {
      of: ({ delegationFee }) => (delegationFee === undefined ? null : sharesOf(delegationFee)),
      read: sharesOf,
      print: (shares) => String(Number(shares) / 10_000),
    },
  };

  private matches(row: Stake, filters: Filters): boolean {
    const { subnetId, nodeIds, validationStatus } = filters;
    if (subnetId !== undefined && row.subnetId !== subnetId) return false;
    if (validationStatus !== undefined && row.validationStatus !== validationStatus) return false;
    if (nodeIds !== undefined) {
      const id = row.nodeId.toLowerCase();
      if (!nodeIds.split(',').some((part) => id.includes(part.toLowerCase()))) return false;
    }
    return Object.entries(this.quantities).every(([name, { of, read }]) => {
      const [least, most] = [filters[`min${name}`], filters[`max${name}`]];
      const value = of(row);
      if (least !== undefined && (value === null || value < read(least))) return false;
      return most === undefined || (value !== null && value <= read(most));
    });
  }

  /** Values of a quantity at which a filter changes what matches, and values beyond all. */
  private valuesOf(name: string): string[] {
    const { of, print } = this.quantities[name]!;
    const found = this.all.map(of).filter((value) => value !== null);
    const values = [...new Set(found)].sort((a, b) => (a < b ? -1 : 1));
    const some = [values[0], values[Math.floor(values.length / 2)], values.at(-1)];
    const near = some
      .filter((value) => value !== undefined)
      .flatMap((value) => [value - 1n, value, value + 1n]);
    const possible = near.filter((value) => value >= 0n && (name !== 'FeePercentage' || value <= 1_000_000n));
    return [...new Set([0n, ...possible])].map(print);
  }

  private async expect(filters: Filters): Promise<number> {
    const path = `${list}?${new URLSearchParams(filters).toString()}`;
    const found = await allPages<Stake>(this.gateway, path, 'validators');
    const wanted = this.all.filter((row) => this.matches(row, filters));
    expect(
      found.map(({ txHash }) => txHash),
      path,
    ).toEqual(wanted.map(({ txHash }) => txHash));
    return wanted.length;
  }

  /** Each filter alone, at its bounds. @returns how many of the filters left something out, and something */
  async expectEachFilter(): Promise<number> {
    let narrowed = 0;
    const names = Object.keys(this.quantities).flatMap((name) => [`min${name}`, `max${name}`]);
    const texts = this.all.slice(0, 3).flatMap(({ nodeId }) => [nodeId, nodeId.slice(9, 12).toLowerCase()]);
    const others: [name: string, values: string[]][] = [
      ['subnetId', [...new Set(this.all.map(({ subnetId }) => subnetId))]],
      ['validationStatus', ['active', 'pending', 'completed', 'removed']],
      ['nodeIds', [...texts, texts.join(','), 'nodeid-', 'NodeID-none']],
    ];
    const ranged = names.map((name): [string, string[]] => [name, this.valuesOf(name.slice(3))]);
    for (const [name, values] of [...ranged, ...others]) {
      const counts = [];
      for (const value of values) counts.push(await this.expect({ [name]: value }));
      if (counts.some((count) => count > 0 && count < this.all.length)) narrowed += 1;
    }
    return narrowed;
  }

  /** All pairs of filters, and both ends of each range. */
  async expectPairs(): Promise<void> {
    const middle = (name: string) => {
      const values = this.valuesOf(name.slice(3));
      return values[Math.floor(values.length / 2)]!;
    };
    const [one] = this.all.filter(isPresent);
    const some: Filters = {
      ...Object.fromEntries(
        Object.keys(this.quantities).flatMap((name) =>
          [`min${name}`, `max${name}`].map((each) => [each, middle(each)] as const),
        ),
      ),
      subnetId: one!.subnetId,
      nodeIds: one!.nodeId.slice(8, 10),
      validationStatus: 'active',
    };
    const names = Object.keys(some);
    for (const [index, first] of names.entries())
      for (const second of names.slice(index + 1))
        await this.expect({ [first]: some[first]!, [second]: some[second]! });
  }

  /** Sorted by a quantity, the stakes that have not ended, with and without a filter. */
  async expectOrders(): Promise<void> {
    const keys: Record<string, (row: Stake) => bigint> = {
      delegationCapacity: ({ delegationCapacity }) => BigInt(delegationCapacity ?? -1),
      timeRemaining: ({ endTimestamp }) => BigInt(endTimestamp),
      delegationFee: ({ delegationFee }) => sharesOf(delegationFee ?? '0'),
    };
    for (const [sortBy, keyOf] of Object.entries(keys))
      for (const sortOrder of ['asc', 'desc'])
        for (const filters of [
          {},
          { minDelegationCapacity: '1' },
          { validationStatus: 'pending' },
        ] as Filters[]) {
          const path = `${list}?${new URLSearchParams({ sortBy, sortOrder, ...filters }).toString()}`;
          const found = await allPages<Stake>(this.gateway, path, 'validators');
          const sign = sortOrder === 'asc' ? 1 : -1;
          const wanted = this.all
            .filter((row) => isPresent(row) && this.matches(row, filters))
            .sort((a, b) => {
              const [one, other] = [keyOf(a), keyOf(b)];
              return sign * (one === other ? (a.txHash < b.txHash ? -1 : 1) : one < other ? -1 : 1);
            });
          expect(
            found.map(({ txHash }) => txHash),
            path,
          ).toEqual(wanted.map(({ txHash }) => txHash));
        }
  }
}

const amounts = ['-1', '1.5', 'much', '1e9', '9'.repeat(79)];
const seconds = ['-1', '0.5', 'long', String(2 ** 53)];
const shares = ['-1', '101', '100.0001', '2.00001', 'half', '1e1'];
const many = Array.from({ length: 65 }, (_, index) => `a${index}`).join(',');

/** Values that the filters and orders of the list of validators refuse. */
export const refusedFilters: Readonly<Record<string, readonly string[]>> = {
  subnetId: ['no-id', '1'],
  nodeIds: ['*', 'NodeID-%', 'a b', many],
  validationStatus: ['gone', 'Active'],
  sortBy: ['weight'],
  sortOrder: ['up'],
  minDelegationCapacity: amounts,
  maxDelegationCapacity: amounts,
  minTimeRemaining: seconds,
  maxTimeRemaining: seconds,
  minFeePercentage: shares,
  maxFeePercentage: shares,
  minUptimePerformance: shares,
  maxUptimePerformance: shares,
};
