import type { ComponentChildren } from 'preact';

/** Names and values; a value that is undefined is left out, and one that is null is not known. */
export function Facts({
  facts,
}: {
  facts: readonly (readonly [name: string, value: ComponentChildren | undefined])[];
}) {
  return (
    <dl>
      {facts.map(([name, value]) =>
        value === undefined ? null : (
          <>
            <dt>{name}</dt>
            <dd>{value ?? 'not known'}</dd>
          </>
        ),
      )}
    </dl>
  );
}
