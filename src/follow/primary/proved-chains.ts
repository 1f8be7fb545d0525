import { C_VM_ID, decodeXGenesis, X_VM_ID } from '../../avalanche/codec/genesis.js';
import { ZERO_ID } from '../../avalanche/codec/ids.js';
import { decodePTransaction } from '../../avalanche/codec/p-transaction.js';
import type { PTransaction } from '../../avalanche/codec/types.js';
import { publicIdentities } from '../../avalanche/identity.js';
import { evmChainIdOfGenesis } from '../evm/evm-genesis.js';
import type { NodeFacts } from '../network/node-facts.js';
import { contradiction } from '../node/error.js';
import type { Nodes } from '../node/nodes.js';
import { proved, transactionReader } from '../node/proof.js';

const isPublic = ({ networkId }: NodeFacts) =>
  Object.values(publicIdentities).some((known) => known.networkId === networkId);

/**
 * Compares what a node says of a network of one's own, without its genesis file, with the transactions that
 * made its X- and C-chain: they have the network's number, AVAX and the EVM chain id, and the chains' ids are
 * their hashes. A database keeps these for ever.
 *
 * @throws NodeError where the node contradicts them, or does not have them
 */
export async function checkFacts(
  facts: NodeFacts,
  { platform }: Pick<Nodes, 'platform'>,
  signal: AbortSignal,
): Promise<void> {
  if (isPublic(facts)) return;
  const chain = (id: string) => {
    const readTransaction = transactionReader(id, decodePTransaction);
    const read = (bytes: Uint8Array) =>
      proved(`the transaction that made ${id}`, () => madeBy(readTransaction(bytes)));
    return platform.transaction(id, { signal, read });
  };
  const [x, c] = await Promise.all([chain(facts.xChainId), chain(facts.cChainId)]);
  const said = [
    ['the X-chain', facts.xChainId, x?.vmId === X_VM_ID ? x.id : null],
    ['the C-chain', facts.cChainId, c?.vmId === C_VM_ID ? c.id : null],
    ['the number of the network', facts.networkId, x?.networkId],
    ['AVAX', facts.avaxAssetId, x?.assetId],
    ['the EVM chain id', facts.cEvmChainId, c?.evmChainId],
  ] as const;
  const wrong = said.find(([, own, made]) => own !== made);
  if (!wrong) return;
  const [what, own, made] = wrong;
  throw contradiction(
    `a node says that ${what} is ${own}, and the transactions that made the X- and the C-chain say ${made ?? 'otherwise'}: use another node, or give the genesis file`,
  );
}

/** What a transaction says that made a chain of the primary network; null of another one. */
function madeBy(transaction: PTransaction) {
  if (transaction.type !== 'CreateChainTx' || transaction.subnetId !== ZERO_ID) return null;
  const { id, vmId, genesis, base } = transaction;
  const [asset] = vmId === X_VM_ID ? decodeXGenesis(genesis) : [];
  const evmChainId = vmId === C_VM_ID ? evmChainIdOfGenesis(genesis) : null;
  return {
    id,
    vmId,
    networkId: BigInt(base.networkId),
    assetId: asset?.transaction.id ?? null,
    evmChainId: evmChainId === null ? null : BigInt(evmChainId),
  };
}
