import './style.css';
import './style/address.css';
import { render, type ComponentType } from 'preact';
import { useState } from 'preact/hooks';
import lazy, { ErrorBoundary } from 'preact-iso/lazy';
import { LocationProvider, Route, Router, useLocation } from 'preact-iso/router';
import { explorerTitle, type PagePath } from '../src/http/pages/explorer-titles.js';
import { Unloaded } from './components/unloaded.js';
import { Frame } from './frame.js';
import { SearchPage } from './pages/search.js';
import type * as others from './pages/others.js';
import type * as start from './pages/start.js';
import type * as things from './pages/things.js';
import { searchPath } from './paths.js';

/** The pages of a file that is loaded when one of them is opened. */
const pagesOf =
  <Pages,>(load: () => Promise<Pages>) =>
  <Name extends keyof Pages>(name: Name): Pages[Name] =>
    lazy(() =>
      load().then(
        (loaded) => loaded[name],
        () => Unloaded as Pages[Name],
      ),
    );
const first = pagesOf<typeof start>(() => import('./pages/start.js'));
const thing = pagesOf<typeof things>(() => import('./pages/things.js'));
const later = pagesOf<typeof others>(() => import('./pages/others.js'));

/** The names of the parts of an address. */
type PartOf<Path extends string> = Path extends `${string}/:${infer Name}/${infer Rest}`
  ? Name | PartOf<`/${Rest}`>
  : Path extends `${string}/:${infer Name}`
    ? Name
    : never;

/** What draws each page; the parts of its address are its properties. */
const pages: { readonly [Path in PagePath]: ComponentType<Partial<Record<PartOf<Path>, string>>> } = {
  '/': first('Home'),
  '/explore/:network': first('NetworkPage'),
  '/explore/:network/search': SearchPage,
  '/explore/:network/composite': later('CompositePage'),
  '/explore/:network/status': later('StatusPage'),
  '/explore/:network/validators': later('ValidatorsPage'),
  '/explore/:network/validators/:node': later('ValidatorPage'),
  '/explore/:network/subnets': later('SubnetsPage'),
  '/explore/:network/subnets/:subnet': later('SubnetPage'),
  '/explore/:network/l1-validators': later('L1ValidatorsPage'),
  '/explore/:network/l1-validators/:validation': later('L1ValidatorPage'),
  '/explore/:network/assets': later('AssetsPage'),
  '/explore/:network/assets/:asset': later('AssetPage'),
  '/explore/:network/messages': later('MessagesPage'),
  '/explore/:network/messages/:message': later('MessagePage'),
  '/explore/:network/vertices': later('VerticesPage'),
  '/explore/:network/vertices/:vertex': later('VertexPage'),
  '/explore/:network/blockchains/:blockchain': later('BlockchainPage'),
  '/explore/:network/evm': later('EvmChainsPage'),
  '/explore/:network/evm/:evm': later('EvmChainPage'),
  '/explore/:network/evm/:evm/addresses/:address': later('EvmAddressPage'),
  '/explore/:network/evm/:evm/transactions/:hash': later('EvmTransactionPage'),
  '/explore/:network/evm/:evm/nfts/:collection': later('NftCollectionPage'),
  '/explore/:network/evm/:evm/nfts/:collection/:token': later('NftTokenPage'),
  '/explore/:network/addresses/:address': thing('AddressPage'),
  '/explore/:network/:chain/transactions/:hash': thing('TransactionPage'),
  '/explore/:network/:chain/blocks': later('BlocksPage'),
  '/explore/:network/:chain/transactions': later('TransactionsPage'),
  '/explore/:network/:chain/blocks/:number': thing('BlockPage'),
};

/** Says why an address has no page, if it is known. */
function Missing() {
  const { path } = useLocation();
  const { problem } = explorerTitle(path);
  return (
    <>
      <h1>There is no such page</h1>
      {problem && (
        <p>
          {problem.text} <a href={searchPath('mainnet', problem.value)}>Search for “{problem.value}”</a>
        </p>
      )}
      <p>
        <a href="/">Back to the newest transactions</a>
      </p>
    </>
  );
}

/** Links to other pages of the gateway, such as GraphiQL, are the browser's. */
const OWN_PAGES = /^\/(explore(\/|$)|$)/;

function Explorer() {
  return (
    <LocationProvider scope={OWN_PAGES}>
      <Frame>
        <Pages />
      </Frame>
    </LocationProvider>
  );
}

function Pages() {
  const [failure, setFailure] = useState<string>();
  const { path } = useLocation();
  // What cannot exist is not requested.
  if (explorerTitle(path).problem) return <Missing />;
  return (
    <>
      {failure && <p role="alert">This page cannot be shown: {failure}</p>}
      <ErrorBoundary onError={({ message }) => setFailure(message)}>
        <Router onRouteChange={() => setFailure(undefined)}>
          {Object.entries<ComponentType<object>>(pages).map(([path, component]) => (
            <Route key={path} path={path} component={component} />
          ))}
          <Route default component={Missing} />
        </Router>
      </ErrorBoundary>
    </>
  );
}

const root = document.getElementById('explorer');
// What is seen before is in the document.
root?.replaceChildren();
if (root) render(<Explorer />, root);
