import type { Connection } from '../storage/session.js';
import type { Network, PrimaryChain } from '../avalanche/networks.js';

/** What is exported. */
export interface Selection {
  readonly networks: readonly Network[];
  readonly chains: readonly PrimaryChain[];
  /** Whether the rows of an EVM chain are exported. @param id decimal */
  readonly hasEvmChain: (id: string) => boolean;
  /** Seconds since 1970, inclusive; null: from the beginning, including rows without a known time. */
  readonly since: bigint | null;
  /** Seconds since 1970, exclusive; null: to the end. */
  readonly until: bigint | null;
  /**
   * Whether rows have what belongs to the installation: their ids, which page tokens contain, and the hours
   * of reindexing.
   */
  readonly installation: boolean;
  /** Whether no option leaves anything out: then the rows have all that checkpoints say is stored. */
  readonly whole: boolean;
  /** SQL that makes ORDER BY compare code units in any collation; empty if it does so anyway. */
  readonly collate: '' | ' COLLATE "C"';
}

export interface ExportFile {
  /** As `import` recognises it, without `.ndjson`. */
  readonly name: string;
  /**
   * A SELECT without parameters, of one column with a row's JSON text, in an order that every installation
   * shares; or a function that makes it from the numbers of rows of the files before it, by name.
   */
  readonly select: string | ((written: ReadonlyMap<string, number>) => string);
  /** Whether only the operator may read the file. */
  readonly secret?: boolean;
}

/** A kind of file that `moraine export` writes. A resource exports one from its export.ts. */
export interface ExportKind {
  /** As `--kind` takes it, and `import` as well. */
  readonly name: string;
  /** Whether it is written before the kinds whose rows refer to its rows. */
  readonly first?: boolean;
  /** @param client inside of the export's snapshot */
  files(selection: Selection, client: Connection): Promise<ExportFile[]> | ExportFile[];
  /** The ids of EVM chains that its rows show to be of the test network. @param client as above */
  testChains?(client: Connection): Promise<string[]>;
}
