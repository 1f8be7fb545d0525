import type { EvmNodes } from '../node/nodes.js';
import { archiveFirst } from './archive.js';
import { archiveCounts, archivesInWords } from './counts.js';
import { SqdArchive, type ArchiveDeps } from './sqd-archive.js';

/** Milliseconds between two lines of the log. */
const LINE_MS = 30_000;

/** The archives that the operator named, by EVM chain id. */
export class Archives {
  private readonly timer: NodeJS.Timeout;
  private shown = '';

  private constructor(
    private readonly byChain: ReadonlyMap<bigint, SqdArchive>,
    private readonly deps: ArchiveDeps,
  ) {
    this.timer = setInterval(() => this.show(), LINE_MS).unref();
  }

  /**
   * @param folders by EVM chain id
   * @throws FollowError for a folder that is none of an archive
   */
  static async open(folders: ReadonlyMap<bigint, string>, deps: ArchiveDeps): Promise<Archives> {
    const opened = new Map<bigint, SqdArchive>();
    for (const [evmChainId, folder] of folders) opened.set(evmChainId, await SqdArchive.open(folder, deps));
    return new Archives(opened, deps);
  }

  of(evmChainId: bigint): SqdArchive | null {
    return this.byChain.get(evmChainId) ?? null;
  }

  /** The nodes of a chain, asked only for what its archive does not have. */
  over<N extends EvmNodes>(nodes: N, evmChainId: bigint): N {
    const archive = this.of(evmChainId);
    if (archive !== null)
      this.deps.log.info(`chain ${evmChainId}: ${archive.inWords()}, and the others from nodes`);
    return archiveFirst(nodes, archive);
  }

  close(): void {
    clearInterval(this.timer);
    this.show();
    for (const archive of this.byChain.values()) archive.close();
  }

  /** A line of the log, where there is news. */
  private show(): void {
    const counts = archiveCounts(this.deps.figures.read().requests);
    const text = counts && archivesInWords(counts);
    if (text === null || text === this.shown) return;
    this.shown = text;
    this.deps.log.info(text);
  }
}
