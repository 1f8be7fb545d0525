/** Thrown while planning an operation that only the plain executor can answer. It is caught. */
export class Unsupported extends Error {}
