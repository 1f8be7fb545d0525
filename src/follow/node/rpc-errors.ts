import { type ErrorRow, rowsOn } from './error-row.js';

const rpc = rowsOn('rpc');

/** Each text is the node's own, of avalanchego 1.14.0; what only its EVM says is geth's. */
const texts = {
  notYet:
    /^cannot query unfinalized data|after last accepted block|unfinalized height|> last accepted index|^no container at index/,
  // Of one transaction: the time that the tracer gives it is over.
  notTraced: /execution timeout|^tracing failed/i,
  busy: /context deadline exceeded|request timed out|too many requests|limit exceeded/i,
  stateMissing: /missing trie node|historical state|required historical state|state.*is not available/,
  noTracer: /tracer not found|is not defined at <eval>/,
  illFormed: /request ill-formed|must start with a non-uppercase|couldn't unmarshal an argument/,
  neverAnswered: /^nil transaction ID|genesis is not traceable|invalid block range/,
  callFailed:
    /^(?:execution reverted|out of gas|invalid opcode|invalid jump destination|stack underflow|stack limit reached|gas uint64 overflow|return data out of bounds|write protection|max call depth|contract creation code)/,
  badArgument:
    /^no addresses provided|^number of addresses given|couldn't parse address|^no source chain provided|problem parsing source chainID|there is no chain with alias|numToFetch must be in/,
};

/** The node's own errors. */
export const rpcErrors: readonly ErrorRow[] = [
  rpc('not-accepted-yet', 'wait', 'it has not accepted this height yet', { text: texts.notYet, rounds: 3 }),
  rpc('trace-refused', 'elsewhere', 'it has not traced a transaction', {
    text: texts.notTraced,
    rounds: 3,
  }),
  rpc('node-busy', 'wait', 'it took too long, or has too much to do', {
    text: texts.busy,
    endpoint: 'slower',
    halves: true,
  }),
  // Also said by a node that still bootstraps, and by one that never had a DAG.
  rpc('index-empty', 'elsewhere', 'this index is empty', {
    text: /^no containers have been accepted/,
    lasting: true,
  }),
  rpc(
    'state-missing',
    'elsewhere',
    'it has not kept the state of this height; a node with "pruning-enabled": false keeps it',
    { text: texts.stateMissing, lasting: true },
  ),
  rpc('tracer-missing', 'elsewhere', 'it has no such tracer', { text: texts.noTracer, lasting: true }),
  // Before what is not found: Anvil says "Method not found" of it.
  rpc('method-missing', 'elsewhere', 'it does not offer this method', { codes: [-32601], lasting: true }),
  // Below the head too, where another node has it: a node that was upgraded without bootstrapping lacks heights.
  rpc('not-found', 'elsewhere', 'it does not have this', {
    text: /not found$|^could not find tx /,
    rounds: 3,
  }),
  rpc('method-missing', 'elsewhere', 'it does not offer this method', {
    text: /^rpc: can't find (?:method|service) /,
    lasting: true,
  }),
  rpc('batch-too-large', 'elsewhere', 'the batch was too large for it', {
    text: /batch too large|response too large|batch response exceeded/i,
    halves: true,
  }),
  // What a contract does with a call is the same on every node.
  rpc('call-failed', 'fault', 'the contract refuses this call', { text: texts.callFailed, halves: true }),
  rpc('bad-request', 'fault', 'it does not understand our request', { codes: [-32700, -32600, -32602] }),
  rpc('bad-request', 'fault', 'it does not understand our request', { text: texts.illFormed }),
  rpc('bad-request', 'fault', 'it never answers such a request', { text: texts.neverAnswered }),
  rpc('bad-request', 'fault', 'it refuses the arguments of our request', { text: texts.badArgument }),
  rpc('node-error', 'elsewhere', 'it answered with an error', { rounds: 3 }),
];
