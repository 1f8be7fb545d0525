import { createContext, Fragment, type ComponentChildren } from 'preact';

/** Whether something stands among facts: there ids are whole and amounts exact. */
export const AmongFacts = createContext(false);

/** Names and values: one that is undefined is left out, and one that is null is not known. */
export function Facts({
  facts,
}: {
  facts: readonly (readonly [name: string, value: ComponentChildren | undefined])[];
}) {
  if (facts.every(([, value]) => value === undefined)) return null;
  return (
    <dl class="facts">
      <AmongFacts.Provider value={true}>
        {facts.map(([name, value]) =>
          value === undefined ? (
            <Fragment key={name} />
          ) : (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value ?? <span class="unknown">not known</span>}</dd>
            </div>
          ),
        )}
      </AmongFacts.Provider>
    </dl>
  );
}
