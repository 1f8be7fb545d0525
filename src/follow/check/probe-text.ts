import type { Probe } from './probe.js';

/** The probe as `follow --check` prints it. */
export function printProbe({ endpoint, problem, node, lines }: Probe): string {
  if (node === null) return `${problem}\n`;
  const width = Math.max(...lines.map(({ what }) => what.length));
  const chains = (['P', 'X', 'C'] as const).map((chain) => {
    const head = node.heads[chain];
    return head === null ? `${chain} bootstraps` : `${chain} at ${head.toLocaleString('en')}`;
  });
  const has = `index of X: ${node.index['X/tx']}; debug-tracer: ${node.tracer}; archive: ${node.archive}`;
  return [
    `${endpoint} is ${node.version}, ${node.networkName} (${node.networkId}), ${node.nodeId}`,
    `  ${chains.join(', ')}; ${has}`,
    ...lines.map(({ what, filled, hint }) => {
      const text = `  ${what.padEnd(width)}  ${filled}`;
      return hint === null ? text : `${text}\n  ${' '.repeat(width)}  → ${hint}`;
    }),
    '',
  ].join('\n');
}
