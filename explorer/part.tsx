import type { ComponentType } from 'preact';
import { useRoute } from 'preact-iso/router';
import { useEffect, useState } from 'preact/hooks';
import type * as others from './pages/others.js';

type Others = typeof others;

/** A part of a page that few look at: the file of the other pages has it, and is loaded when it is shown. */
export function part<Name extends keyof Others>(name: Name) {
  type Props = Others[Name] extends (props: infer Given extends object) => unknown ? Given : object;
  let loaded: ComponentType<Props> | undefined;
  return function Later(props: Props) {
    const [Shown, setShown] = useState(() => loaded);
    const [isMissing, setMissing] = useState(false);
    const { path } = useRoute();
    // The next page of the same kind has the same element: what failed on this one is tried again there.
    useEffect(() => {
      if (loaded) return;
      setMissing(false);
      import('./pages/others.js').then(
        (file) => {
          loaded = file[name] as unknown as ComponentType<Props>;
          setShown(() => loaded);
        },
        () => setMissing(true),
      );
    }, [path]);
    if (Shown) return <Shown {...props} />;
    return isMissing ? (
      <div class="failure">
        <p role="alert">This part could not be loaded.</p>
        <p class="again">
          <button type="button" onClick={() => location.reload()}>
            Load the page again
          </button>
        </p>
      </div>
    ) : (
      <p role="status">Asking the gateway…</p>
    );
  };
}
