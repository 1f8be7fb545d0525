import { l1ValidatorPath, validatorPath } from '../paths.js';
import { OfAvax } from './amount.js';
import type { Found } from './stake-facts.js';
import { Table } from './table.js';
import { Id } from './text.js';

/** How many changed L1 validators of a transaction are listed. */
const SHOWN_VALIDATORS = 100;

/** The L1 validators that a transaction changed, as they are after it. */
export function ChangedValidators({ of: { l1ValidatorDetails, network } }: { of: Found }) {
  const rows = l1ValidatorDetails?.slice(0, SHOWN_VALIDATORS) ?? [];
  const more = (l1ValidatorDetails?.length ?? 0) - rows.length;
  return (
    <>
      <Table
        label="Changed L1 validators"
        rows={rows}
        keyOf={({ validationId }) => validationId}
        columns={[
          {
            title: 'Validation',
            cell: ({ validationId }) => (
              <Id id={validationId} href={l1ValidatorPath(network, validationId)} />
            ),
          },
          { title: 'Node', cell: ({ nodeId }) => <Id id={nodeId} href={validatorPath(network, nodeId)} /> },
          {
            title: 'Weight',
            isFigure: true,
            cell: ({ weight }) => (Number(weight) === 0 ? 'removed' : Number(weight).toLocaleString('en')),
          },
          {
            title: 'Balance',
            isFigure: true,
            cell: ({ remainingBalance }) => <OfAvax amount={remainingBalance} />,
          },
          {
            title: 'Change',
            isFigure: true,
            cell: ({ balanceChange }) =>
              balanceChange ? (
                <>
                  {Number(balanceChange) < 0 ? '−' : '+'}
                  <OfAvax amount={String(balanceChange).replace('-', '')} />
                </>
              ) : (
                'none'
              ),
          },
          {
            title: 'BLS key',
            cell: ({ blsCredentials }) =>
              blsCredentials ? <Id id={blsCredentials.publicKey} /> : 'not named here',
          },
        ]}
      />
      {more > 0 && <p>{more} more are in the JSON.</p>}
    </>
  );
}
