import { useAnswer } from '../ask.js';
import { addressDocument } from '../documents.js';
import type { AddressQuery } from '../generated/graphql.js';
import { Amount } from '../parts/amount.js';
import { Asked, Part, Standing } from '../parts/answer.js';
import { OutputTable, Shown, TransactionTable } from '../parts/lists.js';
import { Id, Name, Time } from '../parts/text.js';
import { assetPath, networkOf } from '../paths.js';

const chains = [
  ['p', 'P-chain'],
  ['x', 'X-chain'],
  ['c', 'C-chain'],
] as const;

/** An address: balances by what can be done with them, its outputs, and its transactions. */
export function AddressPage({ network: name, address = '' }: { network?: string; address?: string }) {
  const network = networkOf(name);
  const variables = { network, address };
  const answer = useAnswer(addressDocument, variables);
  const found = answer.data?.address;
  return (
    <>
      <h1>Address</h1>
      <p>
        <Id id={address} />
      </p>
      <Standing answer={answer} />
      {found && (
        <>
          <Part title="Balances">
            <Balances balances={found.balances} network={network} />
          </Part>
          {chains.map(([key, title]) => (
            <Part key={key} title={`Outputs of the ${title}`}>
              <Shown
                shown={found[key].nodes.length}
                total={found[key].totalCount}
                isExact={found[key].totalCountIsExact}
              />
              <OutputTable rows={found[key].nodes} network={network} label={`Outputs of the ${title}`} />
            </Part>
          ))}
          <Part title="Newest transactions">
            <TransactionTable rows={found.transactions.nodes} label="Newest transactions of the address" />
          </Part>
        </>
      )}
      <Asked document={addressDocument} variables={variables} />
    </>
  );
}

type Balances = NonNullable<AddressQuery['address']>['balances'];

const partsOf = [
  ['spendable', 'Spendable'],
  ['staked', 'Staked'],
  ['lockedStakeable', 'Locked, stakeable'],
  ['lockedPlatform', 'Locked'],
  ['inFlight', 'Exported, not imported'],
] as const;

function Balances({ balances: { nodes }, network }: { balances: Balances; network: string }) {
  if (nodes.length === 0) return <p>No output of this address is indexed.</p>;
  return (
    <div class="wide" tabIndex={0} role="region" aria-label="Balances">
      <table>
        <thead>
          <tr>
            {['Asset', 'Signatures', ...partsOf.map(([, title]) => title), 'Next unlock'].map((title) => (
              <th scope="col">{title}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {nodes.flatMap(({ asset, singleSignature, multiSignature }) =>
            [
              { title: 'one', parts: singleSignature },
              { title: 'several', parts: multiSignature },
            ].map(({ title, parts }) => (
              <tr key={`${asset.assetId} ${title}`}>
                <td>
                  <a href={assetPath(network, asset.assetId)}>
                    <Name text={asset.symbol || asset.name} />
                  </a>
                </td>
                <td>{title}</td>
                {partsOf.map(([key]) => (
                  <td>
                    <Amount amount={parts[key]} asset={asset} />
                  </td>
                ))}
                <td>{parts.nextUnlockTimestamp ? <Time seconds={parts.nextUnlockTimestamp} /> : 'none'}</td>
              </tr>
            )),
          )}
        </tbody>
      </table>
    </div>
  );
}
