/** A text or a whole number in a document. */
export interface Literal {
  readonly value: string | number;
  /** Where it begins and ends in the text, quotation marks included: `loc` of its node. */
  readonly start: number;
  readonly end: number;
}

/** A text of a document whose literals were taken out. */
export interface Literals {
  /**
   * The text with a mark for each text and another for each whole number. Two texts of one shape differ in
   * these alone.
   */
  readonly shape: string;
  /** In the order in which they stand. */
  readonly literals: readonly Literal[];
}

/** Longest text that is looked at: a new longer one costs more than one request (document-charge.ts). */
const LONGEST = 4096;
/** Most literals of a text: each becomes a variable. */
const MOST = 32;
/** What no text that is looked at has: so a shape says where its literals were. */
const MARK = '\0';

/**
 * What of a document is a comment, a page size, a name, a text or a number. Page sizes stay in the text,
 * because the plan of a statement depends on them (docs/decisions/0018-one-statement.md).
 */
const token =
  /#[^\n\r]*|\b(?:first|last)[\s,]*:[\s,]*-?\d+|[A-Za-z_]\w*|"(?<text>[^"\\\n\r]*)"(?<block>")?|-?\d+(?<fraction>[.eE][\d.eE+-]*)?|\\/g;

/**
 * Takes the literals out of a text.
 *
 * @returns null for a text without any, and for one that has a form this does not read: block strings,
 *   escapes, unpaired surrogates, zero characters, long texts. The text need not be a document.
 */
export function literalsOf(text: string): Literals | null {
  if (text.length > LONGEST || text.includes(MARK) || !text.isWellFormed()) return null;
  const literals: Literal[] = [];
  let shape = '';
  let last = 0;
  token.lastIndex = 0;
  for (let found = token.exec(text); found; found = token.exec(text)) {
    const { text: words, block, fraction } = found.groups as Partial<Record<string, string>>;
    const { 0: whole, index: start } = found;
    // An empty text before another quotation mark begins a block string.
    if (whole === '\\' || block !== undefined) return null;
    const value = words ?? numberOf(whole, fraction);
    if (value === null) continue;
    const end = start + whole.length;
    if (literals.push({ value, start, end }) > MOST) return null;
    shape += text.slice(last, start) + MARK + (typeof value === 'string' ? '"' : '0');
    last = end;
  }
  return literals.length === 0 ? null : { shape: shape + text.slice(last), literals };
}

/** A whole number that a variable holds exactly; null for everything else, which stays in the text. */
function numberOf(whole: string, fraction: string | undefined): number | null {
  if (fraction !== undefined || !/^-?\d+$/.test(whole)) return null;
  const value = Number(whole);
  // -0 and 007 are no whole numbers of GraphQL, and would become some.
  return Number.isSafeInteger(value) && String(value) === whole ? value : null;
}
