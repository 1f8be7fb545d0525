/** A gateway that cannot go on because its processes keep ending; the message is for the operator. */
export class ProcessesError extends Error {}
