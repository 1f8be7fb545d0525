import type { ExportResult } from './export-files.js';

/** What an export did, for people. */
export function summarise({ files, rows, seconds }: ExportResult, folder: string): string {
  const count = (value: number) => value.toLocaleString('en');
  // maxRSS is in kibibytes on every platform.
  const peak = Math.round(process.resourceUsage().maxRSS / 1024);
  const rate = count(Math.round(rows / Math.max(seconds, 0.001)));
  return (
    `${count(rows)} rows written to ${count(files.length)} files in ${folder}\n` +
    `${seconds.toFixed(1)} s, ${rate} rows/s, peak memory ${peak} MiB`
  );
}
