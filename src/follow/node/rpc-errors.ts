import { type ErrorRow, rowsOn } from './error-row.js';
import { meaningOf, type Meaning } from './refusals.js';

const rpc = rowsOn('rpc');

/** An error that nobody knows. */
const unknown = rpc('node-error', 'wait', 'it answered with an error', {
  // It may be a limit.
  endpoint: 'slower',
  rounds: 6,
  mayBeCall: true,
});

const known: Readonly<Record<Meaning, ErrorRow>> = {
  // What a contract does with a call is the same on every node.
  'call-failed': rpc('call-failed', 'refused', 'the contract refuses this call', { same: true }),
  'batch-too-large': rpc('batch-too-large', 'elsewhere', 'the request, or its answer, is too large for it', {
    rounds: 3,
    mayBeCall: true,
  }),
  'plan-lacks': rpc('plan-lacks', 'elsewhere', 'the plan of this address does not include this', {
    lasting: true,
  }),
  busy: rpc('busy', 'wait', 'it gets more requests than it allows', { endpoint: 'slower', halves: 'later' }),
  'node-busy': rpc('node-busy', 'wait', 'it took too long, or is too busy', { endpoint: 'slower' }),
  syncing: rpc('syncing', 'wait', 'it has not caught up with its network yet', {
    endpoint: 'rests',
    halves: 'never',
  }),
  'not-accepted-yet': rpc('not-accepted-yet', 'wait', 'it has not accepted this height yet', { rounds: 3 }),
  'history-missing': rpc('history-missing', 'elsewhere', 'it has not kept the blocks of this height', {
    lasting: true,
  }),
  'state-missing': rpc(
    'state-missing',
    'elsewhere',
    'it does not keep the state of this height; a node with "pruning-enabled": false keeps it',
    { lasting: true },
  ),
  'tracer-missing': rpc('tracer-missing', 'elsewhere', 'it does not have this tracer', { lasting: true }),
  'method-missing': rpc('method-missing', 'elsewhere', 'it does not offer this method', { lasting: true }),
  // Below the head too, where another node has it: a node that was upgraded without bootstrapping lacks
  // heights.
  'not-found': rpc('not-found', 'elsewhere', 'it does not have this', { rounds: 3, mayBeCall: true }),
  // Of one transaction: the time that the tracer gives it is over.
  'trace-refused': rpc('trace-refused', 'wait', 'it could not trace a transaction', {
    rounds: 3,
    mayBeCall: true,
  }),
  'call-aborted': rpc('call-aborted', 'wait', 'it gave up this call', { rounds: 3, mayBeCall: true }),
  // Also said by a node that still bootstraps, and by one that never had a DAG.
  'index-empty': rpc('index-empty', 'elsewhere', 'this index is empty', { lasting: true }),
  'never-answered': rpc('never-answered', 'elsewhere', 'it never answers such a request', { lasting: true }),
  'access-refused': rpc(
    'access-refused',
    'operator',
    'it refuses access; are user, password or key in the address right?',
    { endpoint: 'rests' },
  ),
  // A stranger's word: the same request was answered before, or is answered by another node.
  'bad-request': rpc('bad-request', 'wait', 'it does not understand our request', {
    rounds: 3,
    mayBeCall: true,
  }),
};

/** The line of a node's own error. */
export function rpcErrorOf(code: number, text: string): ErrorRow {
  const meaning = meaningOf(code, text);
  return meaning === null ? unknown : known[meaning];
}

/** What servers between say without JSON-RPC. */
const withoutCode: ReadonlySet<Meaning> = new Set(['busy', 'node-busy', 'batch-too-large']);

/**
 * The line of what a reply with another status than 200 says; null where the status says more.
 *
 * @param code of the JSON-RPC error in it; undefined for none
 */
export function errorInReply(code: number | undefined, text: string): ErrorRow | null {
  const meaning = meaningOf(code, text);
  if (meaning === null || meaning === 'bad-request') return null;
  return code === undefined && !withoutCode.has(meaning) ? null : known[meaning];
}

export const rpcErrors: readonly ErrorRow[] = [...Object.values(known), unknown];
