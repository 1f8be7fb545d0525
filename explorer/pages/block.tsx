import { useAnswer } from '../ask.js';
import { blockDocument } from '../documents.js';
import { Asked, Part, Standing } from '../parts/answer.js';
import { Shown, TransactionTable } from '../parts/lists.js';
import { Id, Time } from '../parts/text.js';
import { blockPath, networkOf } from '../paths.js';

/** A block, its neighbours and its transactions. */
export function BlockPage({
  network: name,
  chain = '',
  number = '',
}: {
  network?: string;
  chain?: string;
  number?: string;
}) {
  const network = networkOf(name);
  const variables = { network, chain, number };
  const answer = useAnswer(blockDocument, variables);
  const block = answer.data?.block;
  return (
    <>
      <h1>
        Block {number} of {chain}
      </h1>
      <Standing answer={answer} />
      {answer.data && !block && <p>No transaction of this block is indexed on {network}.</p>}
      {block && (
        <>
          <dl>
            <dt>Hash</dt>
            <dd>{block.hash ? <Id id={block.hash} /> : 'unknown'}</dd>
            <dt>Time</dt>
            <dd>
              <Time seconds={block.timestamp} />
            </dd>
            <dt>Neighbours</dt>
            <dd>
              {block.previous && <a href={blockPath(network, chain, block.previous.number)}>Previous</a>}{' '}
              {block.next && <a href={blockPath(network, chain, block.next.number)}>Next</a>}
            </dd>
          </dl>
          <Part title="Transactions">
            <Shown
              shown={block.transactions.nodes.length}
              total={block.transactions.totalCount}
              isExact={block.transactions.totalCountIsExact}
            />
            <TransactionTable
              rows={block.transactions.nodes}
              label="Transactions of the block"
              without={['Chain', 'Block', 'Time']}
            />
          </Part>
        </>
      )}
      <Asked document={blockDocument} variables={variables} />
    </>
  );
}
