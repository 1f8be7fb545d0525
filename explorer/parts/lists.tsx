import type { OutputLineFragment, TransactionLineFragment } from '../generated/graphql.js';
import { addressPath, blockPath, transactionPath } from '../paths.js';
import { Amount } from './amount.js';
import { Id, Time } from './text.js';

/** Of an output, as many owners are listed. */
const SHOWN_OWNERS = 3;

export function TransactionTable({ rows, label }: { rows: TransactionLineFragment[]; label: string }) {
  if (rows.length === 0) return <p>No transaction is indexed here.</p>;
  return (
    <div class="wide" tabIndex={0} role="region" aria-label={label}>
      <table>
        <thead>
          <tr>
            {['Transaction', 'Type', 'Chain', 'Block', 'Time'].map((title) => (
              <th scope="col">{title}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ network, blockchainAlias: chain, txHash, txType, blockNumber, blockTimestamp }) => (
            <tr key={txHash}>
              <td>
                <Id id={txHash} href={transactionPath(network, chain, txHash)} />
              </td>
              <td>{txType}</td>
              <td>{chain}</td>
              <td>
                {blockNumber ? <a href={blockPath(network, chain, blockNumber)}>{blockNumber}</a> : 'unknown'}
              </td>
              <td>
                <Time seconds={blockTimestamp} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

export function OutputTable({
  rows,
  network,
  label,
}: {
  rows: OutputLineFragment[];
  network: string;
  label: string;
}) {
  if (rows.length === 0) return <p>No output is indexed here.</p>;
  return (
    <div class="wide" tabIndex={0} role="region" aria-label={label}>
      <table>
        <thead>
          <tr>
            {['Amount', 'Owners', 'Created by', 'Spent by'].map((title) => (
              <th scope="col">{title}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((output) => (
            <OutputRow key={output.utxoId} output={output} network={network} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function OutputRow({ output, network }: { output: OutputLineFragment; network: string }) {
  const { asset, addresses, createdOnChainId, consumedOnChainId, txHash, consumingTxHash } = output;
  return (
    <tr>
      <td>
        <Amount amount={asset.amount} asset={asset} />
      </td>
      <td>
        {addresses.slice(0, SHOWN_OWNERS).map((address) => (
          <Id key={address} id={address} href={addressPath(network, address)} />
        ))}
        {addresses.length > SHOWN_OWNERS && ` and ${addresses.length - SHOWN_OWNERS} more`}
      </td>
      <td>
        <Id id={txHash} href={transactionPath(network, createdOnChainId, txHash)} />
      </td>
      <td>
        {consumingTxHash ? (
          <Id id={consumingTxHash} href={transactionPath(network, consumedOnChainId, consumingTxHash)} />
        ) : (
          'unspent'
        )}
      </td>
    </tr>
  );
}

/** How many rows there are, and how many of them are shown. */
export function Shown({ shown, total, isExact }: { shown: number; total: number; isExact: boolean }) {
  if (shown >= total) return null;
  return (
    <p>
      {shown} of {isExact ? '' : 'more than '}
      {total.toLocaleString()} are shown.
    </p>
  );
}
