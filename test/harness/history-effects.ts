import type { TransactionLine } from '../../src/resources/transaction/import-row.js';

/** The effect of a transaction on addresses, as GraphQL returns it for `effectSelection`. */
export interface Effect {
  signedAlone: boolean | null;
  assets: { asset: { assetId: string }; received: string; sent: string | null; fee: string | null }[];
}

export const effectSelection = 'signedAlone assets { asset { assetId } received sent fee }';

type Amounts = readonly { assetId: string; amount: string }[];

function sum(amounts: Amounts, assetId: string): string {
  const own = amounts.filter((each) => each.assetId === assetId);
  return own.reduce((total, { amount }) => total + BigInt(amount), 0n).toString();
}

/** The effect that a transaction's row has on addresses, in the simplest way. */
export function effectOn(
  { txType, consumedUtxos, emittedUtxos, amountBurned, evmInputs }: TransactionLine,
  addresses: readonly string[],
): Effect {
  const isOwn = (each: { addresses: string[] }) => each.addresses.some((owner) => addresses.includes(owner));
  const [received, sent] = [emittedUtxos.filter(isOwn), consumedUtxos.filter(isOwn)];
  const isKnown =
    consumedUtxos.length > 0 ||
    ['RewardValidatorTx', 'AdvanceTimeTx'].includes(txType) ||
    // An export of the C-chain.
    (evmInputs?.length ?? 0) > 0;
  const isBurnKnown = isKnown || amountBurned.length > 0;
  const assetIds = new Set([...received, ...sent, ...amountBurned].map(({ assetId }) => assetId));
  return {
    signedAlone: isKnown
      ? consumedUtxos.length > 0 &&
        consumedUtxos.every((each) => each.addresses.every((owner) => addresses.includes(owner)))
      : null,
    assets: [...assetIds].sort().map((assetId) => ({
      asset: { assetId },
      received: sum(received, assetId),
      sent: isKnown ? sum(sent, assetId) : null,
      fee: isBurnKnown ? sum(amountBurned, assetId) : null,
    })),
  };
}
