// A node of a repeated chain, in a process of its own. Its parent moves its head with a message {"head":
// HEIGHT}.
import { withChecksum } from '../../src/avalanche/cb58.js';
import { serveNode } from '../../test/harness/node-server.js';
import { keyOf, readRecording } from './recording.js';
import { RepeatedChain } from './repeated-chain.js';

const recording = readRecording();
const chain = new RepeatedChain(recording);
const hex = (bytes: Uint8Array) => `0x${Buffer.from(withChecksum(bytes)).toString('hex')}`;
const refused = (message: string) => ({ error: { code: -32000, message, data: null } });

const node = await serveNode({ heads: { P: 0, X: 0, C: 0 }, answer });

process.on('message', ({ head }: { head: number }) => {
  node.heads.P = chain.standsAt(head);
});
process.on('disconnect', () => process.exit());
process.send?.({ url: node.url });

function answer(path: string, method: string, params: unknown, { P }: { P: number }): object {
  const { height, txID, assetID } = params as Record<string, string>;
  switch (method) {
    case 'platform.getHeight':
      return { result: { height: String(P) } };
    case 'platform.getBlockByHeight':
      if (Number(height) > P) return refused(`couldn't get block at height ${height}: not found`);
      return { result: { block: hex(chain.blockAt(Number(height))), encoding: 'hex' } };
    case 'platform.getRewardUTXOs': {
      const utxos = chain.rewards(txID ?? '').map(hex);
      return { result: { numFetched: String(utxos.length), utxos, encoding: 'hex' } };
    }
    case 'platform.getTx':
    case 'avm.getTx':
    case 'avax.getAtomicTx': {
      const found = chain.transaction(txID ?? '');
      // One of genesis has the same id always.
      return found ? { result: { tx: hex(found.bytes), encoding: 'hex', blockHeight: '1' } } : known();
    }
    case 'avm.getAssetDescription': {
      const found = chain.transaction(assetID ?? '');
      return found ? { result: { assetID, name: 'Repeated', symbol: 'AGN', denomination: '9' } } : known();
    }
    default:
      return known();
  }

  function known(): object {
    const result = recording.answers.get(keyOf(path, method, params));
    return result === undefined ? refused('not found') : { result };
  }
}
