/** Words of the query language in places where a metric could be. */
const WORDS = new Set(
  (
    'by without on ignoring group_left group_right bool offset and or unless inf nan start end ' +
    'sum avg min max count topk bottomk quantile stddev stdvar group count_values'
  ).split(' '),
);

/**
 * Names of the metrics that a query of Prometheus reads: every name outside of quotes, selectors, ranges and
 * lists of labels that is no function and no word of the language.
 */
export function metricsOf(query: string): string[] {
  const bare = query
    .replace(/"(?:\\.|[^"\\])*"/g, '')
    .replace(/\{[^{}]*\}/g, '')
    .replace(/\[[^\]]*\]/g, '')
    .replace(/\b(by|without|on|ignoring|group_left|group_right)\s*\([^()]*\)/g, '');
  return [...bare.matchAll(/(?<![\w.])([a-zA-Z_:][\w:]*)\s*(\()?/g)].flatMap(([, name = '', call]) =>
    call || WORDS.has(name) ? [] : [name],
  );
}

/** Names of the series in a scrape: those of histograms with their endings. */
export function seriesIn(scrape: string): Set<string> {
  return new Set([...scrape.matchAll(/^([a-zA-Z_:][\w:]*)[ {]/gm)].map(([, name = '']) => name));
}

/** Names of metrics in a scrape, those without a sample too. */
export function declaredIn(scrape: string): Map<string, string> {
  return new Map(
    [...scrape.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name = '', type = '']) => [name, type]),
  );
}
