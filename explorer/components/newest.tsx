import { useMemo, useRef } from 'preact/hooks';
import { chainName, type AliasOf } from '../chains.js';
import type { ChainNowFragment } from '../generated/graphql.js';
import { isUsed, useHeld } from '../held.js';
import { blockPath, blocksPath, type NetworkName } from '../paths.js';
import { ChainBadge, toneOf } from './badge.js';
import { Figures } from './facts.js';
import { Line } from './sentence.js';
import { Age } from './text.js';

/** How many transactions and blocks of all chains are shown. */
const [TRANSACTIONS, BLOCKS] = [12, 12];

type Chains = readonly ChainNowFragment[];
type Block = ChainNowFragment['blocks']['nodes'][number];

const blockKey = ({ blockchainAlias, number }: Block) => `${blockchainAlias} ${number}`;

/** The newest blocks of all chains. A new one comes in at the left, unless the reader looks at others. */
export function Strip({ chains }: { chains: Chains }) {
  const list = useRef<HTMLUListElement>(null);
  const newest = useMemo(
    () =>
      chains
        .flatMap(({ blocks }) => blocks.nodes)
        .sort((one, other) => Number(other.timestamp) - Number(one.timestamp))
        .slice(0, BLOCKS),
    [chains],
  );
  const isWatched = () => isUsed(list.current) || (list.current?.scrollLeft ?? 0) > 0;
  const { shown, show } = useHeld(newest, blockKey, isWatched);
  if (newest.length === 0) return null;
  return (
    <ul class="strip" tabIndex={0} aria-label="Newest blocks" ref={list} onPointerLeave={show}>
      {shown.map(({ network, blockchainAlias, number, timestamp, txCount }) => (
        <li key={`${blockchainAlias} ${number}`} class={toneOf(blockchainAlias)}>
          <a href={blockPath(network, blockchainAlias, number)}>
            <ChainBadge chain={blockchainAlias} /> <b>{Number(number).toLocaleString('en')}</b>
            <small>
              {txCount === null ? '' : `${txCount} ${txCount === 1 ? 'transaction' : 'transactions'}`}
            </small>
            <small>
              <Age seconds={timestamp} />
            </small>
          </a>
        </li>
      ))}
    </ul>
  );
}

/** How far each chain is. */
export function Heights({ chains, network }: { chains: Chains; network: NetworkName }) {
  return (
    <Figures
      figures={chains.map(({ blockchainAlias, blockNumber, blockTimestamp, blocksBehind, isFollowed }) => ({
        title: chainName(blockchainAlias),
        tone: toneOf(blockchainAlias),
        value: blockNumber ? (
          <a href={blockPath(network, blockchainAlias, blockNumber)}>
            {Number(blockNumber).toLocaleString('en')}
          </a>
        ) : (
          'no number'
        ),
        note: (
          <>
            <Age seconds={blockTimestamp} />
            {isFollowed
              ? blocksBehind === '0'
                ? ', all blocks of the node'
                : `, ${blocksBehind ?? 'unknown'} blocks behind the node`
              : ', not followed'}
            {'; '}
            <a href={blocksPath(network, blockchainAlias)}>all blocks</a>
          </>
        ),
      }))}
    />
  );
}

const rowKey = ({ txHash }: { txHash: string }) => txHash;

/** How far a page may be scrolled whose reader still looks at its top, pixels. */
const TOP = 40;

/**
 * The newest transactions of all chains as sentences. New ones come in by themselves at the top of the page
 * alone, and while the reader does nothing with the list.
 */
export function Transactions({ chains, aliasOf }: { chains: Chains; aliasOf: AliasOf }) {
  const list = useRef<HTMLUListElement>(null);
  const newest = useMemo(
    () =>
      chains
        .flatMap(({ transactions }) => transactions.nodes)
        .sort((one, other) => Number(other.blockTimestamp) - Number(one.blockTimestamp))
        .slice(0, TRANSACTIONS),
    [chains],
  );
  const { shown, newer, show } = useHeld(newest, rowKey, () => scrollY > TOP || isUsed(list.current));
  const showAll = () => {
    show();
    // The button that had the focus is gone.
    list.current?.focus({ preventScroll: true });
  };
  return (
    <section>
      <div class="titled">
        <h2>Newest transactions</h2>
        <span aria-live="polite">
          {newer > 0 && (
            <button type="button" class="newer" onClick={showAll}>
              {newer < newest.length ? newer : `${newer} or more`} new
            </button>
          )}
        </span>
      </div>
      {shown.length === 0 ? (
        <p class="empty">No transaction is indexed yet.</p>
      ) : (
        // It takes the focus of a row that newer ones push out.
        <ul class="card sentences" tabIndex={0} aria-label="Newest transactions" ref={list}>
          {shown.map((of) => (
            <Line key={of.txHash} of={of} aliasOf={aliasOf} />
          ))}
        </ul>
      )}
    </section>
  );
}
