import { sankeyLinkHorizontal, type SankeyLink } from 'd3-sankey';
import type { ComponentChildren } from 'preact';

interface FlowsProps<Node extends object, Link extends object> {
  /** What is drawn, for screen readers. */
  label: string;
  width: number;
  height: number;
  links: readonly SankeyLink<Node, Link>[];
  /** The class of a link's colour. */
  toneOf: (link: SankeyLink<Node, Link>) => string;
  /** What the pointer shows of a link; if omitted, nothing. */
  titleOf?: (link: SankeyLink<Node, Link>) => string;
  /** The boxes at the ends of the links. */
  children: ComponentChildren;
}

/** A picture of flows, each as wide as its amount. */
export function Flows<Node extends object, Link extends object>({
  label,
  width,
  height,
  links,
  toneOf,
  titleOf,
  children,
}: FlowsProps<Node, Link>) {
  const line = sankeyLinkHorizontal<Node, Link>();
  return (
    <svg
      class="picture"
      viewBox={`0 0 ${width} ${height}`}
      width={width}
      height={height}
      role="group"
      aria-label={label}
    >
      {links.map((link) => (
        <path class={`flow ${toneOf(link)}`} d={line(link) ?? ''} stroke-width={Math.max(1, link.width ?? 1)}>
          {titleOf && <title>{titleOf(link)}</title>}
        </path>
      ))}
      {children}
    </svg>
  );
}
