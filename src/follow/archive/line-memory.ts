/** The newest lines that were read, by height: receipts and traces of a block are asked for after it. */
export class LineMemory {
  private readonly lines = new Map<number, string>();
  private held = 0;

  /** @param mostBytes that lines take together; the newest one stays in any case */
  constructor(private readonly mostBytes: number) {}

  get(height: number): string | undefined {
    return this.lines.get(height);
  }

  set(height: number, line: string): void {
    this.delete(height);
    this.lines.set(height, line);
    this.held += line.length;
    for (const oldest of this.lines.keys()) {
      if (this.held <= this.mostBytes || oldest === height) return;
      this.delete(oldest);
    }
  }

  delete(height: number): void {
    this.held -= this.lines.get(height)?.length ?? 0;
    this.lines.delete(height);
  }

  clear(): void {
    this.lines.clear();
    this.held = 0;
  }
}
