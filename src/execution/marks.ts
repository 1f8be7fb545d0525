/*
 * Characters that a statement puts into its text for what the database does not know or cannot say in JSON.
 * They never occur in JSON text, which escapes them.
 */

/** Around a page token. */
export const [BEFORE_CURSOR, AFTER_CURSOR] = ['\u0001', '\u0002'];
/** For a page that is empty after a cursor: the cursor's row may be gone. */
export const LOST_CURSOR = '\u0003';
/**
 * Instead of a text that is larger than its share of the reply: the plain executor measures the whole reply.
 */
export const TOO_LARGE = '\u0006';
/** Around a text that is copied unchanged: a field of the scalar JsonText. */
export const [BEFORE_TEXT, AFTER_TEXT] = ['\u0004', '\u0005'];

/** Whether a statement's text says that the plain executor must answer. */
export const isForPlain = (text: string) => text.includes(LOST_CURSOR) || text.includes(TOO_LARGE);
