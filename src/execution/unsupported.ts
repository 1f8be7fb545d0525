/** Thrown while an operation is planned that only the plain executor can answer. Not a failure: nobody sees it. */
export class Unsupported extends Error {}
