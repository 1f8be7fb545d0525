import { nAvax } from './assets.js';

/** What a plain transaction burns, in nAVAX. */
export const baseFee = nAvax(0.001);
/** What creating something lasting burns: an asset, a subnet, a chain. */
export const creationFee = nAvax(0.01);
/** What an atomic transaction of the C-chain burns. */
export const atomicFee = nAvax(0.00035);
