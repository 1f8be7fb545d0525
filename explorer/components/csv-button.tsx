import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { download } from '../charts/csv.js';
import { MOST_ROWS, rowsAsCsv } from '../rows-as-csv.js';
import { wordsOf } from '../send.js';

/**
 * Downloads the rows of a list as CSV.
 *
 * @param path of the list in the REST API, as restList makes it; of another list what makes its rows
 */
export function CsvButton({
  title,
  path,
  children = 'Download as CSV',
}: {
  title: string;
  path: string | (() => ReturnType<typeof rowsAsCsv>);
  children?: ComponentChildren;
}) {
  const [said, setSaid] = useState('');
  const [isBusy, setBusy] = useState(false);
  const start = async () => {
    setBusy(true);
    setSaid('Asking the gateway…');
    try {
      const { text, isWhole } = await (typeof path === 'string' ? rowsAsCsv(path) : path());
      download(`${title.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}.csv`, text);
      setSaid(isWhole ? '' : `The file has the first ${MOST_ROWS.toLocaleString('en')} rows.`);
    } catch (error) {
      setSaid(wordsOf(error));
    }
    setBusy(false);
  };
  return (
    <>
      <button
        type="button"
        disabled={isBusy}
        onClick={() => void start()}
        aria-label={`Download as CSV: ${title}`}
      >
        {children}
      </button>
      <span role="status">{said}</span>
    </>
  );
}
