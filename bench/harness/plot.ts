/** Bars in groups, each group with a name and a bar of each series. */
export interface Bars {
  /** What the bars show. */
  title: string;
  series: readonly string[];
  groups: readonly { name: string; values: readonly number[] }[];
  /** A value as it is written next to its bar. */
  text: (value: number) => string;
  /** How long a bar is for a value, in any unit; the value itself unless given. */
  length?: (value: number) => number;
}

const WIDTH = 820;
const LABELS = 420;
const BAR = 16;
const GAP = 14;
const colors = ['#2f6f9f', '#c0763a', '#8a8a8a'];

const escape = (text: string) => text.replace(/[&<>]/g, (sign) => `&#${sign.charCodeAt(0)};`);

/** The bars as SVG. */
export function plotBars({ title, series, groups, text, length = (value) => value }: Bars): string {
  const step = series.length * BAR + GAP;
  const most = Math.max(...groups.flatMap(({ values }) => values.map(length)));
  const drawn = groups.map(({ name, values }, group) => {
    const top = group * step + 36;
    const bars = values.map((value, index) => {
      const [y, width] = [top + index * BAR, ((WIDTH - LABELS - 80) * length(value)) / most];
      return `<rect x="${LABELS}" y="${y}" width="${width.toFixed(1)}" height="${BAR - 3}" fill="${colors[index]}"/>
<text x="${(LABELS + width + 6).toFixed(1)}" y="${y + 11}">${escape(text(value))}</text>`;
    });
    return `<text x="${LABELS - 8}" y="${top + (series.length * BAR) / 2 + 3}" text-anchor="end">${escape(name)}</text>\n${bars.join('\n')}`;
  });
  const legend = series.map(
    (name, index) =>
      `<rect x="${LABELS + index * 130}" y="8" width="12" height="12" fill="${colors[index]}"/><text x="${LABELS + index * 130 + 18}" y="18">${escape(name)}</text>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${groups.length * step + 40}" font-family="sans-serif" font-size="11" role="img" aria-label="${escape(title)}">
<rect width="${WIDTH}" height="${groups.length * step + 40}" fill="#ffffff"/>
<text x="${LABELS - 8}" y="18" text-anchor="end">${escape(title)}</text>
${[...legend, ...drawn].join('\n')}
</svg>
`;
}
