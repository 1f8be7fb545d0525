/**
 * Our state of stakers is not the chain's: a transaction that nodes have accepted does not fit to it. The
 * message says which, for people.
 */
export class Disagreement extends Error {
  override readonly name = 'Disagreement';
}
