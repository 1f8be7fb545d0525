import './style.css';
import { render } from 'preact';
import { useState } from 'preact/hooks';
import { ErrorBoundary, LocationProvider, Route, Router, useLocation } from 'preact-iso';
import { explorerTitle } from '../src/http/pages/explorer-titles.js';
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
          <Route path="/" component={Home} />
          <Route path="/explore/:network" component={NetworkPage} />
          <Route path="/explore/:network/search" component={SearchPage} />
          <Route path="/explore/:network/composite" component={CompositePage} />
          <Route path="/explore/:network/status" component={StatusPage} />
          <Route path="/explore/:network/validators" component={ValidatorsPage} />
          <Route path="/explore/:network/validators/:node" component={ValidatorPage} />
          <Route path="/explore/:network/subnets" component={SubnetsPage} />
          <Route path="/explore/:network/subnets/:subnet" component={SubnetPage} />
          <Route path="/explore/:network/l1-validators" component={L1ValidatorsPage} />
          <Route path="/explore/:network/l1-validators/:validation" component={L1ValidatorPage} />
          <Route path="/explore/:network/assets" component={AssetsPage} />
          <Route path="/explore/:network/assets/:asset" component={AssetPage} />
          <Route path="/explore/:network/messages" component={MessagesPage} />
          <Route path="/explore/:network/messages/:message" component={MessagePage} />
          <Route path="/explore/:network/evm" component={EvmChainsPage} />
          <Route path="/explore/:network/evm/:evm" component={EvmChainPage} />
          <Route path="/explore/:network/evm/:evm/addresses/:address" component={EvmAddressPage} />
          <Route path="/explore/:network/evm/:evm/transactions/:hash" component={EvmTransactionPage} />
          <Route path="/explore/:network/evm/:evm/nfts/:collection" component={NftCollectionPage} />
          <Route path="/explore/:network/evm/:evm/nfts/:collection/:token" component={NftTokenPage} />
          <Route path="/explore/:network/addresses/:address" component={AddressPage} />
          <Route path="/explore/:network/:chain/transactions/:hash" component={TransactionPage} />
          <Route path="/explore/:network/:chain/blocks/:number" component={BlockPage} />
          <Route default component={Missing} />
        </Router>
      </ErrorBoundary>
    </>
  );
}

const root = document.getElementById('explorer');
if (root) render(<Explorer />, root);
