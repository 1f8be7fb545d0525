/** The most that a validator may stake, nAVAX; the same on all public networks, and no node tells it. */
export const MOST_STAKE = 3_000_000n * 1_000_000_000n;

/**
 * How many times its own stake a validator of the primary network may have with its delegators (avalanchego
 * vms/platformvm/txs/executor).
 */
export const MOST_WEIGHT_FACTOR = 5n;
