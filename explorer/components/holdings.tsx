import type { AddressQuery } from '../generated/things/graphql.js';
import { Amount } from './amount.js';

type Balance = NonNullable<AddressQuery['address']>['balances']['nodes'][number];

/** What can be done with an amount: the class of its colour, its word, and the parts of a balance. */
const states = [
  ['is-spendable', 'Spendable', ['spendable']],
  ['is-staked', 'Staked', ['staked']],
  ['is-locked', 'Locked', ['lockedStakeable', 'lockedPlatform']],
  ['is-waiting', 'Exported, waiting', ['inFlight']],
] as const;

/** How many assets are named after the first one; the table of balances has all. */
const SHOWN_ASSETS = 3;
/** Width of a bar in units of its drawing, and the least that is seen of it. */
const WIDTH = 1000;
const LEAST = 4;

/** What an address has: of its first asset as a bar by what can be done with it, of others the sum. */
export function Holdings({ balances }: { balances: readonly Balance[] }) {
  const [first, ...others] = balances.map(amountsOf).filter(({ sum }) => sum > 0n);
  if (!first) return <p class="empty">It has nothing now.</p>;
  const more = others.length - SHOWN_ASSETS;
  return (
    <>
      <Bar {...first} />
      {others.length > 0 && (
        <p class="others">
          Also{' '}
          {others.slice(0, SHOWN_ASSETS).map(({ asset, sum }) => (
            <>
              <Amount key={asset.assetId} amount={String(sum)} asset={asset} />{' '}
            </>
          ))}
          {more > 0 && `and ${more} more assets`}
        </p>
      )}
    </>
  );
}

/** The amounts in the order of `states`, of one and of several signatures, and their sum; smallest units. */
function amountsOf({ asset, singleSignature, multiSignature }: Balance) {
  const amounts = states.map(([, , parts]) =>
    parts.reduce((sum, part) => sum + BigInt(singleSignature[part]) + BigInt(multiSignature[part]), 0n),
  );
  return { asset, amounts, sum: amounts.reduce((sum, amount) => sum + amount, 0n) };
}

function Bar({ asset, amounts, sum }: ReturnType<typeof amountsOf>) {
  let end = 0;
  const parts = states.map(([kind, word], index) => {
    const amount = amounts[index] ?? 0n;
    const share = Number((amount * BigInt(WIDTH)) / sum);
    const width = amount > 0n ? Math.max(share, LEAST) : 0;
    end += width;
    return { kind, word, amount, width, x: end - width };
  });
  return (
    <section class="holdings" aria-label={`What it has of ${asset.symbol || asset.name}`.slice(0, 100)}>
      <p class="sum">
        <Amount amount={String(sum)} asset={asset} />
      </p>
      {/* The words below say the same. */}
      <svg viewBox={`0 0 ${end} 10`} preserveAspectRatio="none" aria-hidden="true">
        {parts.map(
          ({ kind, x, width }) =>
            width > 0 && <rect key={kind} class={kind} x={x} width={width} height={10} />,
        )}
      </svg>
      <dl>
        {parts.map(
          ({ kind, word, amount }) =>
            amount > 0n && (
              <div key={kind}>
                <dt class={kind}>{word}</dt>
                <dd>
                  <Amount amount={String(amount)} asset={asset} />
                </dd>
              </div>
            ),
        )}
      </dl>
    </section>
  );
}
