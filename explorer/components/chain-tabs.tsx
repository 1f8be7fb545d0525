import { ChainBadge } from './badge.js';

const chains = ['p-chain', 'x-chain', 'c-chain'];

/** Links to the same list of each chain. */
export const ChainTabs = ({ shown, pathOf }: { shown: string; pathOf: (chain: string) => string }) => (
  <nav class="tabs" aria-label="Chains">
    {chains.map((each) => (
      <a key={each} href={pathOf(each)} aria-current={each === shown ? 'page' : undefined}>
        <ChainBadge chain={each} isNamed />
      </a>
    ))}
  </nav>
);
