/** Random times; the same for the same seed, which SEED sets and the table shows. */
export function randomMoments(): { seed: number; between: (low: number, high: number) => number } {
  const seed = Number(process.env['SEED'] ?? Math.floor(Math.random() * 2 ** 31));
  let state = seed;
  return {
    seed,
    between(low, high) {
      // A linear congruential generator (Numerical Recipes) is random enough for moments.
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return low + (state / 2 ** 32) * (high - low);
    },
  };
}
