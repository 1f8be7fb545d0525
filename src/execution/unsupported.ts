/** Thrown while a plan is made of an operation that the plain executor has to answer. Not a failure: nobody sees it. */
export class Unsupported extends Error {}
