import { evmAddressPath } from '../paths.js';
import { Id } from './text.js';

/** An address of an EVM chain; a link if the chain is indexed. */
export const EvmAddress = ({
  address,
  chain,
  network,
}: {
  address: string;
  chain: { chainId: string } | null;
  network: string;
}) => <Id id={address} href={chain ? evmAddressPath(network, chain.chainId, address) : undefined} />;
