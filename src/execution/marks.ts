/*
 * What stands in a statement's text for what the database does not know or cannot say in JSON. No JSON text holds these
 * characters: it escapes them.
 */

/** Around a place where a page token belongs. */
export const [BEFORE_CURSOR, AFTER_CURSOR] = ['\u0001', '\u0002'];
/** Where a page is that is empty behind a cursor, whose row may be gone. */
export const NOTHING = '\u0003';
/** Around a text that is handed on as it is: a field of the scalar JsonText. */
export const [BEFORE_TEXT, AFTER_TEXT] = ['\u0004', '\u0005'];
