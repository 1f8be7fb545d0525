/** The cells of each line of a CSV, read by RFC 4180 alone. @throws Error where it is not of that form */
export function readCsv(text: string): string[][] {
  const lines: string[][] = [];
  const cell = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/y;
  let line: string[] = [];
  while (cell.lastIndex < text.length) {
    const at = cell.lastIndex;
    const [, quoted, plain = '', end] = cell.exec(text) ?? [];
    if (end === undefined) throw new Error(`no cell at ${at}: ${text.slice(at, at + 80)}`);
    line.push(quoted?.replaceAll('""', '"') ?? plain);
    if (end === ',') continue;
    lines.push(line);
    line = [];
  }
  return lines;
}
