import type { Live } from '../../live/streams.js';
import type { ReadMetrics } from './read-metrics.js';

/** Metrics of streams. */
export function streamMetrics(
  { gauge, counters }: ReadMetrics,
  { streams, feed }: Live,
  limit: number,
): void {
  gauge('moraine_streams', 'Open streams (subscriptions).', () => streams.size);
  gauge(
    'moraine_streams_limit',
    'Maximum number of streams that are open at the same time: the setting MAX_STREAMS.',
    () => limit,
  );
  counters('moraine_stream_events_total', 'Events that streams have sent.', [], () => [
    { labels: {}, value: streams.sent },
  ]);
  counters(
    'moraine_feed_entries_total',
    'Entries of the feed of commits that were read while there were streams: each once for all of them.',
    [],
    () => [{ labels: {}, value: feed.entriesRead }],
  );
}
