/** A figure at a time. */
export interface Sample {
  /** Milliseconds. */
  at: number;
  value: number;
}

/** Change a minute of the line nearest to the samples (least squares). */
export function slopePerMinute(samples: readonly Sample[]): number {
  const mean = (of: (sample: Sample) => number) =>
    samples.reduce((sum, each) => sum + of(each), 0) / samples.length;
  const [at, value] = [mean((each) => each.at), mean((each) => each.value)];
  const spread = samples.reduce((sum, each) => sum + (each.at - at) ** 2, 0);
  const common = samples.reduce((sum, each) => sum + (each.at - at) * (each.value - value), 0);
  return spread === 0 ? 0 : (common / spread) * 60_000;
}

/**
 * The lowest sample of each window. Between two collections a heap that leaks nothing rises too; what is left
 * right after one is what is in use.
 */
export function floors(samples: readonly Sample[], windowMs: number): Sample[] {
  const windows = new Map<number, Sample>();
  for (const sample of samples) {
    const window = Math.floor(sample.at / windowMs);
    const lowest = windows.get(window);
    if (!lowest || sample.value < lowest.value) windows.set(window, sample);
  }
  return [...windows.values()];
}
