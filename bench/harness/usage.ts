/** What `npm run bench -- NAME --help` says of a benchmark. */
export interface Usage {
  /** What is measured against what. */
  about: string;
  /** Options as commander takes them, such as `--rows <number>`, with what each does. */
  options: Readonly<Record<string, string>>;
  /** Arguments after the options, as commander takes them, with what they are. */
  rest?: readonly [name: string, description: string];
}

/** Options of several benchmarks. */
export const short = { '--short': 'only to see that it works; nothing is written' } as const;
export const against = {
  '--against <folder>': 'instead compared with another checkout, built, which has its own database',
} as const;
