import type { Logger } from 'pino';
import { printable, shorten } from '../../errors.js';
import { Stopped, unlessAborted } from '../../stop.js';
import type { Answer, BlockOptions, ReadOptions } from '../node/apis.js';
import { NodeError } from '../node/error.js';
import type { EvmBlock, TransactionTrace } from '../node/evm-apis.js';
import { readWholeBlock } from '../node/evm.js';
import { Failed } from '../node/failed.js';
import type { Figures } from '../node/figures.js';
import { proved } from '../node/proof.js';
import { readTrace } from '../node/traces.js';
import type { Archive } from './archive.js';
import { ChunkReader } from './chunk-reader.js';
import { chunksIn, heightsIn, type Chunk } from './chunks.js';
import { dumpedBlock, ofEach, type DumpedBlock } from './dumped-block.js';

/** Most characters of a reason in the log. */
const SHOWN = 300;

type Part = 'blocks' | 'receipts' | 'traces';

export interface ArchiveDeps {
  readonly log: Logger;
  /** Counts what is given, and what is lacking, by part. */
  readonly figures: Figures;
}

/** An archive that the dumper of SQD wrote (`evm-dump`). */
export class SqdArchive implements Archive {
  readonly name: string;
  /** Heights of its first and its last block, how many it should have, and in how many files. */
  readonly extent: {
    readonly first: bigint;
    readonly last: bigint;
    readonly blocks: number;
    readonly files: number;
  };
  private readonly files: ChunkReader;
  private isAside = false;

  private constructor(
    folder: string,
    chunks: readonly Chunk[],
    private readonly deps: ArchiveDeps,
  ) {
    const [first, last] = [BigInt(chunks[0]!.first), BigInt(chunks.at(-1)!.last)];
    this.extent = { first, last, blocks: heightsIn(chunks), files: chunks.length };
    this.name = `archive ${printable(folder)}`;
    this.files = new ChunkReader(chunks, ({ path }, reason) => {
      deps.figures.count('archive_files', 'refused', 0);
      const why = shorten(printable(reason), SHOWN);
      deps.log.error(`the file ${printable(path)} is not used, and nodes are asked instead: ${why}`);
    });
  }

  /** @throws FollowError for a folder that is none of an archive */
  static async open(folder: string, deps: ArchiveDeps): Promise<SqdArchive> {
    return new SqdArchive(folder, await chunksIn(folder), deps);
  }

  /** For people: `blocks 0 to 549 of archive /data/c, in 3 files`. */
  inWords(): string {
    const { first, last, blocks, files } = this.extent;
    const shown = (count: bigint | number) => count.toLocaleString('en');
    const holes = BigInt(blocks) === last - first + 1n ? '' : `, ${shown(blocks)} of them`;
    return `blocks ${shown(first)} to ${shown(last)} of ${this.name}${holes}, in ${shown(files)} ${files === 1 ? 'file' : 'files'}`;
  }

  setAside(reason: string): void {
    if (this.isAside) return;
    this.isAside = true;
    const why = shorten(printable(reason), SHOWN);
    this.deps.log.error(`${this.name} is not used any more, and nodes are asked instead: ${why}`);
  }

  close(): void {
    this.files.close();
  }

  wholeBlocks<T = EvmBlock>(
    from: bigint,
    count: number,
    options: BlockOptions<EvmBlock, T> = {},
  ): Promise<Answer<T>[]> {
    return this.consecutive(from, count, (block) => block, options);
  }

  blocks<T = EvmBlock>(
    from: bigint,
    count: number,
    options: BlockOptions<EvmBlock, T> = {},
  ): Promise<Answer<T>[]> {
    return this.consecutive(from, count, (block) => ({ ...block, bodies: [] }), options);
  }

  receipts<T = readonly unknown[]>(
    height: bigint,
    { read, signal }: ReadOptions<readonly unknown[], T> = {},
  ): Promise<Answer<T>> {
    const use = (given: readonly unknown[]) => (read ? read(given, this.name) : (given as unknown as T));
    return this.part(height, 'receipts', (dumped) => ofEach(dumped, 'receipt_', use), signal);
  }

  traces<T = readonly TransactionTrace[]>(
    height: bigint,
    { read, signal }: ReadOptions<readonly TransactionTrace[], T> = {},
  ): Promise<Answer<T>> {
    const use = (given: readonly unknown[]) => {
      const traces = given.map((each) => readTrace('', each));
      return read ? read(traces, this.name) : (traces as unknown as T);
    };
    return this.part(height, 'traces', (dumped) => ofEach(dumped, 'debugFrame_', use), signal);
  }

  private async consecutive<T>(
    from: bigint,
    count: number,
    part: (block: EvmBlock) => EvmBlock,
    { read, signal }: BlockOptions<EvmBlock, T>,
  ): Promise<Answer<T>[]> {
    const use = (dumped: DumpedBlock, height: bigint): T => {
      const block = part(readWholeBlock(dumped, height));
      return read ? read(block, height) : (block as unknown as T);
    };
    const answers: Answer<T>[] = [];
    await this.inTurn(async () => {
      while (answers.length < count) {
        signal?.throwIfAborted();
        const height = from + BigInt(answers.length);
        const found = await this.found(height, 'blocks', (dumped) => use(dumped, height));
        if (found === null) return;
        answers.push(found);
      }
    }, signal);
    return answers;
  }

  /** Of one block. @throws NodeError where it is lacking; the signal's reason */
  private async part<T>(
    height: bigint,
    part: Part,
    read: (dumped: DumpedBlock) => T | null,
    signal: AbortSignal | undefined,
  ): Promise<Answer<T>> {
    const find = () => this.found(height, part, read);
    const isKnown = this.files.known(Number(height)) !== undefined;
    const found = await (isKnown ? find() : this.inTurn(find, signal));
    if (found !== null) return found;
    throw new NodeError('elsewhere', 'not-found', `${this.name} lacks ${part} of block ${height}`, this.name);
  }

  private inTurn<T>(work: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
    const turn = this.files.inTurn(work);
    return signal ? unlessAborted(signal, turn) : turn;
  }

  /** Null where it is lacking, or wrong: then its file is refused. */
  private async found<T>(
    height: bigint,
    part: Part,
    read: (dumped: DumpedBlock) => T | null,
  ): Promise<Answer<T> | null> {
    const begun = performance.now();
    const { first, last } = this.extent;
    if (height < first || height > last) return null;
    const value = await this.valueOf(Number(height), read);
    const outcome = value === null ? 'lacks' : 'ok';
    this.deps.figures.count(`archive_${part}`, outcome, (performance.now() - begun) / 1000);
    return value === null ? null : { value, endpoint: this.name };
  }

  private async valueOf<T>(height: number, read: (dumped: DumpedBlock) => T | null): Promise<T | null> {
    const chunk = this.isAside ? null : this.files.chunkOf(height);
    try {
      const line = chunk && (await this.files.read(height));
      if (chunk === null || line === null) return null;
      return read(proved(`block ${height}`, () => dumpedBlock(line)));
    } catch (error) {
      // A disk that hangs does so for every file.
      if (error instanceof Stopped) this.setAside(`block ${height}: ${error.message}`);
      else if (chunk && error instanceof Failed)
        this.files.refuse(chunk, `block ${height}: ${error.message}`);
      else throw error;
      return null;
    }
  }
}
