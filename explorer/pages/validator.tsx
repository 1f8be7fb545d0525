import { useAnswer } from '../ask.js';
import { validatorDocument } from '../network-documents.js';
import { Asked, Part, Standing } from '../parts/answer.js';
import { TransactionTable } from '../parts/lists.js';
import { Id } from '../parts/text.js';
import { networkOf } from '../paths.js';

const lists = [
  ['stakingPeriods', 'Staking periods'],
  ['delegations', 'Delegations'],
  ['rewards', 'Rewards'],
] as const;

const activity = (isActive: boolean | null | undefined) =>
  isActive === true
    ? 'It validates now.'
    : isActive === false
      ? 'It does not validate now.'
      : 'Whether it validates now is not known, because no P-chain is followed.';

/** A validator: the transactions that staked on it, and those that paid its rewards. */
export function ValidatorPage({ network: name, node = '' }: { network?: string; node?: string }) {
  const network = networkOf(name);
  const variables = { network, node };
  const answer = useAnswer(validatorDocument, variables);
  const validator = answer.data?.validator;
  return (
    <>
      <h1>Validator</h1>
      <p>
        <Id id={node} />
      </p>
      <Standing answer={answer} />
      {answer.data && !validator && <p>No indexed transaction names this node on {network}.</p>}
      {validator && <p>{activity(validator.isActive)}</p>}
      {validator &&
        lists.map(([key, title]) => (
          <Part key={key} title={title}>
            <TransactionTable rows={validator[key].nodes} label={title} />
          </Part>
        ))}
      <Asked document={validatorDocument} variables={variables} />
    </>
  );
}
