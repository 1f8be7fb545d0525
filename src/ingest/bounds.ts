const MIB = 1024 * 1024;

/** Bytes of a line: a transaction of so many outputs and inputs, of a kilobyte each, has half of it. */
export const LONGEST_LINE = 16 * MIB;
/** Blank lines, one after the other. */
export const MOST_BLANK_LINES = 1_000_000;
/**
 * How many times its size a compressed file may unpack to, beyond a first part: JSON reaches 10 to 50, gzip itself
 * 1,032.
 */
export const MOST_UNPACKED_TIMES = 400;
export const UNPACKED_ANYWAY = 64 * MIB;
