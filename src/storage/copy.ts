/**
 * A value of a column: everything but a list is sent as text, so that a bytea is `\x…`; a list of texts is an
 * array.
 */
export type CopyValue = string | number | bigint | boolean | readonly string[] | null;

const CHUNK_CHARACTERS = 64 * 1024;

/** Rows in COPY's text format, in chunks. */
export function* copyText(rows: Iterable<readonly CopyValue[]>): Generator<string> {
  let text = '';
  for (const row of rows) {
    for (let index = 0; index < row.length; index += 1)
      text += (index === 0 ? '' : '\t') + copyField(row[index] as CopyValue);
    text += '\n';
    if (text.length >= CHUNK_CHARACTERS) {
      yield text;
      text = '';
    }
  }
  if (text !== '') yield text;
}

const SPECIAL = /[\\\t\n\r]/;
const escapes: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };

/** One field of COPY's text format (PostgreSQL documentation, COPY, "Text Format"). */
function copyField(value: CopyValue): string {
  const text = columnText(value);
  if (text === null) return '\\N';
  return SPECIAL.test(text)
    ? text.replace(/[\\\t\n\r]/g, (character) => escapes[character] ?? character)
    : text;
}

/** A value in the text form that PostgreSQL reads. */
export function columnText(value: CopyValue): string | null {
  if (value === null) return null;
  return isList(value) ? arrayText(value) : String(value);
}

/** The text of a PostgreSQL array of texts. */
export function arrayText(items: readonly (string | null)[]): string {
  return `{${items.map((item) => (item === null ? 'NULL' : `"${item.replace(/["\\]/g, '\\$&')}"`)).join(',')}}`;
}

/**
 * The text of an array of values that need no quotes: numbers, ids, members of an enumeration. The driver
 * quotes each item of a list, which takes noticeable time in an import.
 */
export function bareArrayText(items: readonly (string | number | bigint | null)[]): string {
  return `{${items.map((item) => item ?? 'NULL').join(',')}}`;
}

function isList(value: CopyValue): value is readonly string[] {
  return Array.isArray(value);
}
