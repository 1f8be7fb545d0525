/** The lines that a terminal shows of an output, without colours. Lines do not wrap. */
export function screenOf(output: string): string[] {
  const lines = [''];
  let [row, column] = [0, 0];
  for (const [part] of output.matchAll(/\u{1b}\[[\d;?]*[A-Za-z]|\r|\n|[^\u{1b}\r\n]+|\u{1b}/gu)) {
    const line = lines[row] ?? '';
    if (part === '\r') column = 0;
    else if (part === '\n') row += 1;
    else if (part.startsWith('\u001b')) {
      if (part.endsWith('A')) row = Math.max(0, row - 1);
      if (part.endsWith('K')) lines[row] = line.slice(0, column);
    } else {
      lines[row] = line.slice(0, column) + part + line.slice(column + part.length);
      column += part.length;
    }
  }
  return Array.from(lines, (line) => line ?? '');
}
