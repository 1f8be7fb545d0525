import { useLocation } from 'preact-iso';
import { useEffect, useState } from 'preact/hooks';
import { wordsOf } from '../ask.js';
import { networkOf } from '../paths.js';
import { search, type Hit } from '../search.js';

type Found = { hits: Hit[] | undefined } | { failure: string };

/** What a searched text is. If it is one thing alone, that page opens at once. */
export function SearchPage({ network: name }: { network?: string }) {
  const { query, route } = useLocation();
  const network = networkOf(name);
  const text = (query['text'] ?? '').trim();
  const [found, setFound] = useState<Found>();
  useEffect(() => {
    let isLeft = false;
    setFound(undefined);
    void search(network, text)
      .then((hits): Found => ({ hits }))
      .catch((error: unknown): Found => ({ failure: wordsOf(error) }))
      .then((result) => {
        if (isLeft) return;
        const [first, second] = 'hits' in result ? (result.hits ?? []) : [];
        if (first && !second) route(first.href, true);
        else setFound(result);
      });
    return () => {
      isLeft = true;
    };
  }, [network, text]);
  return (
    <>
      <h1>Search on {network}</h1>
      {found ? <Result found={found} /> : <p role="status">Asking the gateway…</p>}
    </>
  );
}

function Result({ found }: { found: Found }) {
  if ('failure' in found)
    return (
      <p role="alert" class="failure">
        {found.failure}
      </p>
    );
  if (!found.hits)
    return (
      <p>
        This has the form of no address, node, block number, or id of a transaction, block, asset or output.
        For other ids ask <a href="/graphql">GraphiQL</a>.
      </p>
    );
  if (found.hits.length === 0)
    return <p>No transaction, block, asset or output with it is indexed on this network.</p>;
  return (
    <ul>
      {found.hits.map(({ title, href }) => (
        <li key={href}>
          <a href={href}>{title}</a>
        </li>
      ))}
    </ul>
  );
}
