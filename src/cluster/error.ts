/** A gateway that cannot go on because its processes do not; the message is for the operator. */
export class ProcessesError extends Error {}
