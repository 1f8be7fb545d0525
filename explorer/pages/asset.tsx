import { useAnswer } from '../ask.js';
import { assetDocument } from '../network-documents.js';
import { Amount } from '../parts/amount.js';
import { Asked, Part, Standing } from '../parts/answer.js';
import { TransactionTable } from '../parts/lists.js';
import { Id, Name } from '../parts/text.js';
import { addressPath, networkOf } from '../paths.js';

/** An asset and its largest holders on the X-chain. */
export function AssetPage({ network: name, asset: id = '' }: { network?: string; asset?: string }) {
  const network = networkOf(name);
  const variables = { network, asset: id };
  const answer = useAnswer(assetDocument, variables);
  const asset = answer.data?.asset;
  return (
    <>
      <h1>Asset</h1>
      <p>
        <Id id={id} />
      </p>
      <Standing answer={answer} />
      {answer.data && !asset && <p>This asset is not indexed on {network}.</p>}
      {asset && (
        <>
          <dl>
            <dt>Name</dt>
            <dd>
              <Name text={asset.name} />
            </dd>
            <dt>Symbol</dt>
            <dd>
              <Name text={asset.symbol} />
            </dd>
            <dt>Type</dt>
            <dd>{asset.type}</dd>
            <dt>Decimals</dt>
            <dd>{asset.denomination}</dd>
          </dl>
          <Part title="Created by">
            <TransactionTable
              rows={asset.creatingTransaction ? [asset.creatingTransaction] : []}
              label="The transaction that created the asset"
            />
          </Part>
          <Part title="Holders on the X-chain">
            {asset.holders.nodes.length === 0 && <p>No holder is indexed.</p>}
            <ol>
              {asset.holders.nodes.map(({ address: { address }, unspent }) => (
                <li key={address}>
                  <Id id={address} href={addressPath(network, address)} />{' '}
                  <Amount amount={unspent} asset={asset} />
                </li>
              ))}
            </ol>
          </Part>
        </>
      )}
      <Asked document={assetDocument} variables={variables} />
    </>
  );
}
