import type { IconNode } from 'lucide';
import { h } from 'preact';

/** An icon of Lucide; words next to it, or the label of its button, say what it means. */
export const Icon = ({ of }: { of: IconNode }) => (
  <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
    {of.map(([tag, attributes]) => h(tag, attributes))}
  </svg>
);
