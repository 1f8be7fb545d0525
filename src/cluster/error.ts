/** A gateway cannot continue because its processes keep ending; the message is for the operator. */
export class ProcessesError extends Error {}
