import { CircleCheck, CornerDownRight, Hourglass, Lock, ShieldCheck, type IconNode } from 'lucide';
import type { ComponentChildren } from 'preact';
import { chainName } from '../chains.js';
import type { TxType } from '../generated/graphql.js';
import { Icon } from './icon.js';
import { typeWords } from './types.js';

/** What something is, in a word and a colour. */
export const Badge = ({
  tone = '',
  icon,
  title,
  children,
}: {
  /** Class of its colour. */
  tone?: string;
  icon?: IconNode;
  title?: string;
  children: ComponentChildren;
}) => (
  <span class={`badge ${tone}`} title={title}>
    {icon && <Icon of={icon} />}
    {children}
  </span>
);

/** The letter of a chain: the first one of its alias. Chains that only an id names have none. */
export const letterOf = (chain: string) => /^([pxc])-chain$/.exec(chain)?.[1]?.toUpperCase() ?? '';

/** The class of a chain's colour. */
export const toneOf = (chain: string) => (letterOf(chain) ? `of-${chain}` : 'of-evm');

/** A chain by its alias, as a letter in its colour. */
export const ChainBadge = ({ chain, isNamed = false }: { chain: string; isNamed?: boolean }) => (
  <span class={`chain ${toneOf(chain)}`}>
    <b aria-hidden={isNamed} title={chainName(chain)}>
      {letterOf(chain) || '·'}
    </b>
    {isNamed && <span>{chainName(chain)}</span>}
  </span>
);

/** What a transaction does, in few words; the type as the chain names it on hover. */
export const TypeBadge = ({ type }: { type: TxType }) => (
  <Badge icon={typeWords[type].icon} title={type}>
    {typeWords[type].short}
  </Badge>
);

/** What can be done with an output. */
export const states = {
  spendable: { icon: CircleCheck, word: 'Spendable' },
  staked: { icon: ShieldCheck, word: 'Staked' },
  locked: { icon: Lock, word: 'Locked' },
  waiting: { icon: Hourglass, word: 'Waiting' },
  spent: { icon: CornerDownRight, word: 'Spent' },
} as const;
export type State = keyof typeof states;

/** @param children what is said instead of the state's word */
export const StateBadge = ({ state, children }: { state: State; children?: ComponentChildren }) => (
  <Badge tone={`is-${state}`} icon={states[state].icon}>
    {children || states[state].word}
  </Badge>
);
