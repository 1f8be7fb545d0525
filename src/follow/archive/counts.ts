import type { NodeFigures } from '../node/status.js';

const parts = ['blocks', 'receipts', 'traces'] as const;

/** What archives gave of that which they should have, and how many of their files were refused. */
export type ArchiveCounts = Readonly<
  Record<(typeof parts)[number], { readonly given: number; readonly asked: number }>
> & { readonly refusedFiles: number };

/** Of what a client counts; null where no archive was asked. */
export function archiveCounts(requests: NodeFigures['requests']): ArchiveCounts | null {
  const countOf = (method: string, outcome?: string) =>
    requests
      .filter((each) => each.method === `archive_${method}` && (outcome ?? each.outcome) === each.outcome)
      .reduce((sum, { count }) => sum + count, 0);
  const of = (part: string) => ({ given: countOf(part, 'ok'), asked: countOf(part) });
  const counts = { blocks: of('blocks'), receipts: of('receipts'), traces: of('traces') };
  return counts.blocks.asked === 0 ? null : { ...counts, refusedFiles: countOf('files') };
}

/** For people: `archives gave 551 of 551 blocks, …`. */
export function archivesInWords({ refusedFiles, ...counts }: ArchiveCounts): string {
  const shown = (count: number) => count.toLocaleString('en');
  const given = parts
    .filter((part) => counts[part].asked > 0)
    .map(
      (part) =>
        `${shown(counts[part].given)} of ${shown(counts[part].asked)} ${part === 'blocks' ? part : `blocks' ${part}`}`,
    );
  const refused =
    refusedFiles === 0
      ? ''
      : `; ${shown(refusedFiles)} of their files ${refusedFiles === 1 ? 'was' : 'were'} refused: see the log`;
  return `archives gave ${given.join(', ')}, nodes the others${refused}`;
}
