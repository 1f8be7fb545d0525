import { useRoute } from 'preact-iso/router';
import { useAnswer } from '../ask.js';
import { AroundDocument } from '../generated/things/graphql.js';
import { Asked, Standing } from '../components/answer.js';
import type { AliasOf } from '../chains.js';
import type { NetworkName } from '../paths.js';
import { Flow, type Side } from './flow.js';
import { MOST_STEPS } from './hops.js';
import { HopsPicture } from './hops-picture.js';

interface TransactionKey {
  network: NetworkName;
  chain: string;
  hash: string;
}

/** The picture of a transaction; `?before=2&after=3` draws as many steps on each side; absent: one. */
export function Expandable({
  aliasOf,
  consumed,
  emitted,
  ...key
}: TransactionKey & { aliasOf: AliasOf; consumed: Side; emitted: Side }) {
  const { path, query } = useRoute();
  const before = stepsOf(query['before']);
  const after = stepsOf(query['after']);
  const href = (steps: Record<string, number>) => {
    const changed = new URLSearchParams({ ...query });
    for (const [name, count] of Object.entries(steps)) {
      if (count > 1) changed.set(name, String(count));
      else changed.delete(name);
    }
    return `${path}?${changed.toString()}`;
  };
  const isExpanded = before > 1 || after > 1;
  return (
    <>
      {isExpanded ? (
        <Expanded {...key} before={before} after={after} />
      ) : (
        <Flow network={key.network} aliasOf={aliasOf} consumed={consumed} emitted={emitted} />
      )}
      <nav class="pager" aria-label="Steps of the picture">
        {before < MOST_STEPS && consumed.totalCount > 0 && (
          <a href={href({ before: before + 1 })}>One step more before it</a>
        )}
        {after < MOST_STEPS && emitted.totalCount > 0 && (
          <a href={href({ after: after + 1 })}>One step more after it</a>
        )}
        {isExpanded && <a href={href({ before: 1, after: 1 })}>This transaction alone</a>}
      </nav>
    </>
  );
}

/** Of a text of the address: 1 to 3. */
const stepsOf = (text: string | undefined) =>
  Math.min(MOST_STEPS, Math.max(1, Math.floor(Number(text)) || 1));

function Expanded({ before, after, ...key }: TransactionKey & { before: number; after: number }) {
  const answer = useAnswer(AroundDocument, key);
  const around = answer.data?.transaction;
  return (
    <>
      <Standing answer={answer} />
      {around && <HopsPicture network={key.network} around={around} before={before} after={after} />}
      <Asked document={AroundDocument} variables={key} of="this picture" />
    </>
  );
}
