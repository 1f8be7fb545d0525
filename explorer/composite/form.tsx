import { useState } from 'preact/hooks';
import {
  kinds,
  labels,
  newCondition,
  parametersOf,
  type Condition,
  type Kind,
  type Parameter,
  type Question,
} from './conditions.js';

/** How browsers check what is written, before it is sent. */
const checks: Readonly<Record<Parameter, object>> = {
  evmChainId: { pattern: '[0-9]{1,20}', inputMode: 'numeric', title: 'Digits' },
  contractAddress: { pattern: '0x[0-9a-fA-F]{40}', title: '0x and 40 hexadecimal digits' },
  minBalance: { pattern: '[0-9]{1,78}', inputMode: 'numeric', title: 'Digits; 0 or more' },
  firstDate: { type: 'date' },
  lastDate: { type: 'date' },
};

/**
 * The conditions as a form.
 *
 * @param most how many conditions the gateway allows
 */
export function CompositeForm({
  asked,
  chain,
  most,
  onAsk,
}: {
  asked: Question | undefined;
  /** EVM chain id of a new condition. */
  chain: string;
  most: number;
  onAsk: (question: Question) => void;
}) {
  const [question, setQuestion] = useState<Question>(
    () => asked ?? { operator: 'AND', conditions: [newCondition(chain)] },
  );
  const { operator, conditions } = question;
  const change = (position: number, changed: Partial<Condition>) =>
    setQuestion({
      operator,
      conditions: conditions.map((each, index) => (index === position ? { ...each, ...changed } : each)),
    });
  const submit = (event: Event) => {
    event.preventDefault();
    onAsk(question);
  };
  return (
    <form class="conditions" onSubmit={submit}>
      <label>
        Addresses that match{' '}
        <select
          value={operator}
          onChange={({ currentTarget: { value } }) =>
            setQuestion({ conditions, operator: value === 'OR' ? 'OR' : 'AND' })
          }
        >
          <option value="AND">all of the conditions</option>
          <option value="OR">any of the conditions</option>
        </select>
      </label>
      {conditions.map((condition, index) => (
        <Fields
          key={index}
          number={index + 1}
          condition={condition}
          onChange={(changed) => change(index, changed)}
          onRemove={
            conditions.length > 1
              ? () => setQuestion({ operator, conditions: conditions.toSpliced(index, 1) })
              : undefined
          }
        />
      ))}
      <p>
        <button
          type="button"
          disabled={conditions.length >= most}
          onClick={() => setQuestion({ operator, conditions: [...conditions, newCondition(chain)] })}
        >
          Add a condition
        </button>{' '}
        <button type="submit">Find addresses</button>
      </p>
    </form>
  );
}

function Fields({
  number,
  condition,
  onChange,
  onRemove,
}: {
  number: number;
  condition: Condition;
  onChange: (changed: Partial<Condition>) => void;
  onRemove?: () => void;
}) {
  return (
    <fieldset>
      <legend>Condition {number}</legend>
      <label>
        Those that
        <select
          value={condition.kind}
          onChange={({ currentTarget }) => onChange({ kind: currentTarget.value as Kind })}
        >
          {Object.entries(kinds).map(([kind, [title]]) => (
            <option value={kind}>{title}</option>
          ))}
        </select>
      </label>
      {parametersOf(condition.kind).map((name) => (
        <label key={name}>
          {labels[name]}
          <input
            required
            {...checks[name]}
            value={condition[name]}
            onInput={({ currentTarget }) => onChange({ [name]: currentTarget.value.trim() })}
          />
        </label>
      ))}
      {onRemove && (
        <button type="button" aria-label={`Remove condition ${number}`} onClick={onRemove}>
          Remove
        </button>
      )}
    </fieldset>
  );
}
