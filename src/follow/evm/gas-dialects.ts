import type { Logger } from 'pino';

/** Blocks, or times that blocks were read, after which a client is taken to count in another way. */
const BLOCKS = 3;
const TIMES = 4;

interface Counted {
  /** Whether traces and header agreed in some block. */
  hasAgreed: boolean;
  /** Heights at which they differed, a few. */
  readonly differing: Set<bigint>;
  times: number;
}

/**
 * Compares the gas that traces say with that of headers. Versions of clients count the gas of a transaction
 * in another way, without what it costs at least or with what it gets back: they differ in each block, and
 * are not compared. Anvil differs only in blocks of several transactions, so that on chains other than the
 * C-chain a client need not differ in each.
 */
export class GasDialects {
  private readonly byEndpoint = new Map<string, Counted>();

  /** @param isStrict whether a client that has agreed once may not differ */
  constructor(
    private readonly log: Logger,
    private readonly isStrict: boolean,
  ) {}

  /** Why the traces of an endpoint contradict the block's header; null where they do not. */
  faultOf(
    endpoint: string,
    height: bigint,
    { traced, proved }: { readonly traced: bigint; readonly proved: bigint },
  ): string | null {
    const counted = this.byEndpoint.get(endpoint) ?? { hasAgreed: false, differing: new Set(), times: 0 };
    this.byEndpoint.set(endpoint, counted);
    if (traced === proved) {
      counted.hasAgreed = true;
      return null;
    }
    const fault = `the traces of block ${height} used ${traced} gas, and its header says ${proved}`;
    if (counted.hasAgreed && this.isStrict) return fault;
    const isNews = counted.times === 0 || !this.isDialect(counted);
    if (isNews) {
      counted.differing.add(height);
      counted.times += 1;
    }
    if (!this.isDialect(counted)) return fault;
    if (isNews)
      this.log.warn(
        { endpoint },
        `${endpoint} counts the gas of traces differently from block headers: the gas of its traces is not compared`,
      );
    return null;
  }

  private isDialect({ differing, times }: Counted): boolean {
    // The gas of other chains proves little: clients count it otherwise in some blocks only.
    if (!this.isStrict) return true;
    return differing.size >= BLOCKS || times >= TIMES;
  }
}
