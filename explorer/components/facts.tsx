import type { IconNode } from 'lucide';
import { createContext, Fragment, type ComponentChildren } from 'preact';
import { Icon } from './icon.js';

/** Whether something stands among facts: there ids are whole and amounts exact. */
export const AmongFacts = createContext(false);

/** Names and values: one that is undefined is left out, and one that is null is not known. */
export function Facts({
  facts,
}: {
  facts: readonly (readonly [name: string, value: ComponentChildren | undefined])[];
}) {
  if (facts.every(([, value]) => value === undefined)) return null;
  return (
    <dl class="facts">
      <AmongFacts.Provider value={true}>
        {facts.map(([name, value]) =>
          value === undefined ? (
            <Fragment key={name} />
          ) : (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value ?? <span class="unknown">not known</span>}</dd>
            </div>
          ),
        )}
      </AmongFacts.Provider>
    </dl>
  );
}

/** A figure that a page is looked at for. */
export interface Figure {
  title: string;
  icon?: IconNode;
  value: ComponentChildren;
  /** What it is compared with, or of when it is. */
  note?: ComponentChildren;
  /** Class of its colour, such as `of-p-chain` or `is-staked`. */
  tone?: string;
  /** Whether it has a line of a phone for itself, so that no card moves when it comes. */
  isLong?: boolean;
}

/** Key figures, as cards. */
export function Figures({ figures }: { figures: readonly Figure[] }) {
  if (figures.length === 0) return null;
  return (
    <dl class="figures">
      {figures.map(({ title, icon, value, note, tone, isLong }) => (
        <div key={title} class={isLong ? `alone ${tone ?? ''}` : tone}>
          <dt>
            {icon && <Icon of={icon} />}
            {title}
          </dt>
          <dd>{value}</dd>
          {note && <dd class="note">{note}</dd>}
        </div>
      ))}
    </dl>
  );
}
