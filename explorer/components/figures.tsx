import type { IconNode } from 'lucide';
import type { ComponentChildren } from 'preact';
import { Icon } from './icon.js';

/** A figure that a page is looked at for. */
export interface Figure {
  title: string;
  icon?: IconNode;
  value: ComponentChildren;
  /** What it is compared with, or of when it is. */
  note?: ComponentChildren;
  /** Class of its colour, such as `of-p-chain` or `is-staked`. */
  tone?: string;
}

/** Key figures, as cards. */
export function Figures({ figures }: { figures: readonly Figure[] }) {
  if (figures.length === 0) return null;
  return (
    <dl class="figures">
      {figures.map(({ title, icon, value, note, tone }) => (
        <div key={title} class={tone}>
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
