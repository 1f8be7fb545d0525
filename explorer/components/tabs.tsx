import { useRoute } from 'preact-iso/router';
import { useCurrentSeen } from '../focus.js';

/** A tab: the address of the page has its key. */
export interface Tab {
  key: string;
  title: string;
  /** How many things it has, if that is known. */
  count?: number | string;
}

/** The key of the tab that the address names, otherwise of the first one. */
export function useTab(tabs: readonly Tab[]): string {
  const { query } = useRoute();
  const named = tabs.find(({ key }) => key === query['tab']);
  return (named ?? tabs[0])?.key ?? '';
}

/** Links between the parts of a page, so that Back and an address lead to each. */
export function Tabs({ label, tabs }: { label: string; tabs: readonly Tab[] }) {
  const { path } = useRoute();
  const shown = useTab(tabs);
  return (
    <nav class="tabs" aria-label={label} ref={useCurrentSeen(shown)}>
      {tabs.map(({ key, title, count }, index) => (
        <a
          key={key}
          href={index === 0 ? path : `${path}?tab=${encodeURIComponent(key)}`}
          aria-current={key === shown ? 'page' : undefined}
        >
          {title}
          {count !== undefined && <small>{count.toLocaleString('en')}</small>}
        </a>
      ))}
    </nav>
  );
}
