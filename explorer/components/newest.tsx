import type { AliasOf } from '../chains.js';
import type { NewestQuery } from '../generated/graphql.js';
import { blockPath, blocksPath, transactionPath, type NetworkName } from '../paths.js';
import { ChainBadge, toneOf } from './badge.js';
import { Figures } from './figures.js';
import { Icon } from './icon.js';
import { Sentence } from './sentence.js';
import { Age, Id } from './text.js';
import { typeWords } from './types.js';

/** How many transactions and blocks of all chains are shown. */
const [TRANSACTIONS, BLOCKS] = [12, 12];

type Block = NonNullable<NewestQuery['pBlocks']>['nodes'][number];

/** The newest blocks of all chains. A new one comes in at the left. */
export function Strip({ blocks }: { blocks: readonly Block[] }) {
  const newest = blocks
    .toSorted((one, other) => Number(other.timestamp) - Number(one.timestamp))
    .slice(0, BLOCKS);
  if (newest.length === 0) return null;
  return (
    <ul class="strip" tabIndex={0} aria-label="Newest blocks">
      {newest.map(({ network, blockchainAlias, number, timestamp, txCount }) => (
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
export function Heights({
  statuses,
  network,
}: {
  statuses: NonNullable<NewestQuery['chainStatus']>;
  network: NetworkName;
}) {
  return (
    <Figures
      figures={statuses.map(({ blockchainAlias, blockNumber, blockTimestamp, blocksBehind, isFollowed }) => ({
        title: blockchainAlias,
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

type Row = NonNullable<NewestQuery['p']>['nodes'][number];

/** The newest transactions of all chains as sentences. */
export function Transactions({ rows, aliasOf }: { rows: readonly Row[]; aliasOf: AliasOf }) {
  const newest = rows
    .toSorted((one, other) => Number(other.blockTimestamp) - Number(one.blockTimestamp))
    .slice(0, TRANSACTIONS);
  if (newest.length === 0) return <p class="empty">No transaction is indexed yet.</p>;
  return (
    // It takes the focus of a row that newer ones push out.
    <ul class="card sentences" tabIndex={0} aria-label="Newest transactions">
      {newest.map((of) => (
        <li key={of.txHash}>
          <ChainBadge chain={of.blockchainAlias} />
          <span title={typeWords[of.txType].short}>
            <Icon of={typeWords[of.txType].icon} />
          </span>
          <span class="sentence">
            <Sentence of={of} aliasOf={aliasOf} />
          </span>
          <Id id={of.txHash} href={transactionPath(of.network, of.blockchainAlias, of.txHash)} />
          <small>
            <Age seconds={of.blockTimestamp} />
          </small>
        </li>
      ))}
    </ul>
  );
}
