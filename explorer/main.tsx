import './style.css';
import { render, type ComponentType } from 'preact';
import { useState } from 'preact/hooks';
import { ErrorBoundary, LocationProvider, Route, Router, useLocation } from 'preact-iso';
import { explorerTitle, type PagePath } from '../src/http/pages/explorer-titles.js';
import { Frame } from './frame.js';
import { AddressPage } from './pages/address.js';
import { AssetPage } from './pages/asset.js';
import { BlockPage } from './pages/block.js';
import { CompositePage } from './pages/composite.js';
import {
  AssetsPage,
  EvmChainsPage,
  L1ValidatorsPage,
  MessagesPage,
  SubnetsPage,
  ValidatorsPage,
} from './pages/directory.js';
import { EvmAddressPage, EvmChainPage } from './pages/evm.js';
import { EvmTransactionPage } from './pages/evm-transaction.js';
import { Home, Newest } from './pages/home.js';
import { L1ValidatorPage } from './pages/l1-validator.js';
import { MessagePage } from './pages/message.js';
import { NftCollectionPage, NftTokenPage } from './pages/nft.js';
import { SearchPage } from './pages/search.js';
import { StatusPage } from './pages/status.js';
import { SubnetPage } from './pages/subnet.js';
import { TransactionPage } from './pages/transaction.js';
import { ValidatorPage } from './pages/validator.js';
import { networkOf, searchPath } from './paths.js';

const NetworkPage = ({ network }: { network?: string }) => <Newest network={networkOf(network)} />;

/** The names of the parts of an address. */
type PartOf<Path extends string> = Path extends `${string}/:${infer Name}/${infer Rest}`
  ? Name | PartOf<`/${Rest}`>
  : Path extends `${string}/:${infer Name}`
    ? Name
    : never;

/** What draws each page; the parts of its address are its properties. */
const pages: { readonly [Path in PagePath]: ComponentType<Partial<Record<PartOf<Path>, string>>> } = {
  '/': Home,
  '/explore/:network': NetworkPage,
  '/explore/:network/search': SearchPage,
  '/explore/:network/composite': CompositePage,
  '/explore/:network/status': StatusPage,
  '/explore/:network/validators': ValidatorsPage,
  '/explore/:network/validators/:node': ValidatorPage,
  '/explore/:network/subnets': SubnetsPage,
  '/explore/:network/subnets/:subnet': SubnetPage,
  '/explore/:network/l1-validators': L1ValidatorsPage,
  '/explore/:network/l1-validators/:validation': L1ValidatorPage,
  '/explore/:network/assets': AssetsPage,
  '/explore/:network/assets/:asset': AssetPage,
  '/explore/:network/messages': MessagesPage,
  '/explore/:network/messages/:message': MessagePage,
  '/explore/:network/evm': EvmChainsPage,
  '/explore/:network/evm/:evm': EvmChainPage,
  '/explore/:network/evm/:evm/addresses/:address': EvmAddressPage,
  '/explore/:network/evm/:evm/transactions/:hash': EvmTransactionPage,
  '/explore/:network/evm/:evm/nfts/:collection': NftCollectionPage,
  '/explore/:network/evm/:evm/nfts/:collection/:token': NftTokenPage,
  '/explore/:network/addresses/:address': AddressPage,
  '/explore/:network/:chain/transactions/:hash': TransactionPage,
  '/explore/:network/:chain/blocks/:number': BlockPage,
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
if (root) render(<Explorer />, root);
