/*
 * What stands in a statement's text for what the database does not know or cannot say in JSON. No JSON text holds these
 * characters: it escapes them.
 */

/** Around a place where a page token belongs. */
export const [BEFORE_CURSOR, AFTER_CURSOR] = ['\u0001', '\u0002'];
/** Where a page is that is empty behind a cursor, whose row may be gone. */
export const NOTHING = '\u0003';
/** In place of what is larger than its share of a reply: the plain executor measures it whole. */
export const TOO_LARGE = '\u0006';
/** Around a text that is handed on as it is: a field of the scalar JsonText. */
export const [BEFORE_TEXT, AFTER_TEXT] = ['\u0004', '\u0005'];

/** Whether a statement's text leaves the answer to the plain executor. */
export const isForPlain = (text: string) => text.includes(NOTHING) || text.includes(TOO_LARGE);
