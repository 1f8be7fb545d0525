import { useLocation, useRoute } from 'preact-iso/router';
import { useEffect } from 'preact/hooks';
import { useAnswer } from '../ask.js';
import { SearchDocument, type SearchQuery } from '../generated/graphql.js';
import { Asked, Standing } from '../components/answer.js';
import { Name } from '../components/text.js';
import { hitsOf, onlyPage, othersOf } from '../search.js';

/**
 * What a searched text is, and what it could be. If it is one thing alone and nothing is wrong, that page
 * opens at once.
 */
export function SearchPage() {
  const { query } = useRoute();
  const { route } = useLocation();
  const variables = { text: query['text'] ?? '' };
  const answer = useAnswer(SearchDocument, variables);
  const result = answer.data?.search;
  const only = result && !result.problem ? onlyPage(hitsOf(result.candidates)) : undefined;
  useEffect(() => {
    if (only) route(only, true);
  }, [only]);
  return (
    <>
      <h1>
        Search for <Name text={variables.text} />
      </h1>
      <Standing answer={answer} />
      {result && <Result {...result} />}
      <Asked document={SearchDocument} variables={variables} />
    </>
  );
}

function Result({ problem, candidates }: NonNullable<SearchQuery['search']>) {
  const hits = hitsOf(candidates);
  const others = othersOf(candidates);
  return (
    <>
      {problem && <p aria-live="polite">{problem}</p>}
      {hits.length > 0 && (
        <ul class="card hits">
          {hits.map(({ title, href }) => (
            <li key={title}>{href ? <a href={href}>{title}</a> : title}</li>
          ))}
        </ul>
      )}
      {others && (
        <p>
          {hits.length > 0
            ? 'By its form it could also be, and is not indexed as: '
            : 'It is not indexed. By its form it could be: '}
          {others}.
        </p>
      )}
    </>
  );
}
