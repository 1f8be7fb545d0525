import type { ImportResult } from './import-files.js';

/** What an import did, in two lines for people. */
export function summarise(result: ImportResult): string {
  const { rows, written, unchanged, rejected, brokenFiles, seconds, stopped } = result;
  const count = (value: number) => value.toLocaleString('en');
  const broken = brokenFiles > 0 ? `, ${count(brokenFiles)} files not read to their end` : '';
  const rate = count(Math.round(rows / Math.max(seconds, 0.001)));
  // maxRSS is in kibibytes on every platform.
  const peak = Math.round(process.resourceUsage().maxRSS / 1024);
  return (
    `${stopped ? 'stopped: ' : ''}${count(rows)} rows read: ${count(written)} written, ${count(unchanged)} unchanged, ` +
    `${count(rejected)} rejected${broken}\n${seconds.toFixed(1)} s, ${rate} rows/s, peak memory ${peak} MiB`
  );
}
