/** Where the state was found not to be the chain's. */
export interface Difference {
  /** Which, for people. */
  readonly text: string;
  /** The block at which it was found. */
  readonly height: bigint;
}

/** What is known against the state, and the rows that follow from it. */
export interface Trouble {
  /** Where it was found not to be the chain's: nothing is published from it. */
  readonly difference: Difference | null;
  /**
   * Where a node said otherwise what the end of a stake paid: what the state says is published, until it is
   * compared at the head.
   */
  readonly doubt: Difference | null;
  /**
   * The doubted rewards (reward-doubts.ts) of which no comparison of states shows that they were right: each
   * is asked for again. As many as MOST_DOUBTED: there may be more.
   */
  readonly doubtedRewards: readonly string[];
  /** The first block after which rows may be missing or wrong, because the state differed; null: none are. */
  readonly withheldSince: bigint | null;
  /** Whether estimated rewards were left out because the state differed, and are still to be written. */
  readonly isLeftOut: boolean;
}

export const noTrouble: Trouble = {
  difference: null,
  doubt: null,
  doubtedRewards: [],
  withheldSince: null,
  isLeftOut: false,
};

/** Rewards that are remembered to be asked for again. */
export const MOST_DOUBTED = 100;
