import type { NodeErrorClass } from './error.js';

/** What came instead of an answer. */
export interface Failure {
  /**
   * `connection`: no reply. `http`: a status other than 200. `rpc`: the node's own error. `answer`: a reply that is not
   * what was asked for.
   */
  readonly on: 'connection' | 'http' | 'rpc' | 'answer';
  /** The path that was asked, without what the operator wrote before it. */
  readonly path: string;
  /** Of a connection the error's code, of http the status, of rpc the error's code, of an answer the kind of it. */
  readonly code: string | number;
  /** What the other side or the socket said. */
  readonly text: string;
  /** Milliseconds that the server asked for (Retry-After). */
  readonly retryAfterMs?: number;
}

/** A line of the table. All that it names must fit. */
export interface ErrorRow {
  /** The reason of the NodeError, and the outcome in metrics. */
  readonly name: string;
  readonly on: Failure['on'];
  readonly codes?: readonly (string | number)[];
  readonly text?: RegExp;
  readonly path?: RegExp;
  readonly class: NodeErrorClass;
  /**
   * The endpoint's path rests for a growing pause; with `slower` it also gets half as many calls at a time; with
   * `distrusted` it rests with all its paths.
   */
  readonly endpoint?: 'rests' | 'slower' | 'distrusted';
  /** The same call fails there until somebody changes something: it is not tried again in this call. */
  readonly lasting?: true;
  /** How often all endpoints are asked before it counts; as often as the call's patience allows when absent. */
  readonly rounds?: number;
  /** A batch that fails so is halved. */
  readonly halves?: true;
  /** For people; the node's own text follows it. */
  readonly says: string;
}

const timeouts = ['ETIMEDOUT', 'UND_ERR_CONNECT_TIMEOUT', 'UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT'];

/**
 * Every failure that is known, the first that fits counts. Texts are those of avalanchego 1.14.0 (recorded from running
 * nodes), those of the EVM's server are geth's.
 */
export const errorTable: readonly ErrorRow[] = [
  // Connections.
  { name: 'refused', on: 'connection', codes: ['ECONNREFUSED'], class: 'wait', endpoint: 'rests', says: 'nothing listens there; the node is not running, or not yet' },
  { name: 'timeout', on: 'connection', codes: timeouts, class: 'wait', endpoint: 'slower', halves: true, says: 'no answer in time' },
  { name: 'no-such-host', on: 'connection', codes: ['ENOTFOUND', 'EAI_AGAIN'], class: 'wait', endpoint: 'rests', says: 'the host name does not resolve' },
  { name: 'certificate', on: 'connection', codes: ['DEPTH_ZERO_SELF_SIGNED_CERT', 'SELF_SIGNED_CERT_IN_CHAIN', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'CERT_HAS_EXPIRED', 'ERR_TLS_CERT_ALTNAME_INVALID'], class: 'operator', endpoint: 'rests', says: 'its certificate is not trusted; NODE_EXTRA_CA_CERTS names a file with your own authority' },
  { name: 'not-http', on: 'connection', text: /^(?:HPE_|ERR_SSL_)|wrong version number|Parse Error|Response does not match the HTTP/, class: 'operator', endpoint: 'rests', says: 'it does not speak this protocol; is it http or https, and the port of the API?' },
  { name: 'connection-lost', on: 'connection', class: 'wait', endpoint: 'rests', says: 'the connection broke' },

  // Replies without JSON (FINDINGS 4).
  { name: 'bootstrapping', on: 'http', codes: [503], text: /not done bootstrapping/, class: 'wait', endpoint: 'rests', says: 'this chain of the node is still bootstrapping' },
  { name: 'busy', on: 'http', codes: [429], class: 'wait', endpoint: 'slower', says: 'it gets more calls than it allows' },
  { name: 'unavailable', on: 'http', codes: [500, 502, 503, 504], class: 'wait', endpoint: 'slower', halves: true, says: 'it cannot answer at the moment' },
  { name: 'host-refused', on: 'http', codes: [403], text: /invalid host specified/, class: 'operator', endpoint: 'rests', says: 'the node refuses calls under this host name; start it with --http-allowed-hosts=NAME, or use its IP address' },
  { name: 'access-refused', on: 'http', codes: [401, 403], class: 'operator', endpoint: 'rests', says: 'it refuses access; are user, password or key in the address right?' },
  { name: 'redirected', on: 'http', codes: [301, 302, 303, 307, 308], class: 'operator', endpoint: 'rests', says: 'it redirects, which is not followed; write the address to which it leads' },
  { name: 'index-off', on: 'http', codes: [404], path: /^\/ext\/index\//, class: 'operator', lasting: true, says: 'it keeps no such index; start the node with --index-enabled from its first start on' },
  // A node that starts makes X and C only when P has bootstrapped.
  { name: 'no-chain', on: 'http', codes: [404], path: /^\/ext\/bc\//, class: 'wait', endpoint: 'rests', says: 'it does not offer this chain, or not yet' },
  { name: 'no-node', on: 'http', codes: [404], class: 'operator', endpoint: 'rests', says: 'there is no API of avalanchego at this address' },
  { name: 'too-large', on: 'http', codes: [413], class: 'fault', halves: true, says: 'our request was too large for it' },
  { name: 'request-refused', on: 'http', codes: [400, 405, 415], class: 'fault', says: 'it refuses the form of our request' },
  { name: 'http-error', on: 'http', class: 'elsewhere', endpoint: 'rests', says: 'it answered with an unexpected status' },

  // The node's own errors: not yet.
  { name: 'not-accepted-yet', on: 'rpc', text: /^cannot query unfinalized data|after last accepted block|unfinalized height|> last accepted index|^no container at index/, class: 'wait', rounds: 3, says: 'it has not accepted this height yet' },
  { name: 'node-busy', on: 'rpc', text: /context deadline exceeded|request timed out|execution timeout|too many requests|limit exceeded/i, class: 'wait', endpoint: 'slower', halves: true, says: 'it took too long, or has too much to do' },
  // FINDINGS 5: also said by a node that still bootstraps, and by one that never had a DAG.
  { name: 'index-empty', on: 'rpc', text: /^no containers have been accepted/, class: 'elsewhere', lasting: true, says: 'this index has nothing' },
  // Another endpoint may have it.
  { name: 'state-missing', on: 'rpc', text: /missing trie node|historical state.*not available|required historical state unavailable|state.*is not available/, class: 'elsewhere', lasting: true, says: 'it has not kept the state of this height; a node with "pruning-enabled": false has' },
  { name: 'tracer-missing', on: 'rpc', text: /tracer not found|is not a (?:known|valid) tracer/, class: 'elsewhere', lasting: true, says: 'it has no such tracer' },
  { name: 'not-found', on: 'rpc', text: /not found$|^could not find tx /, class: 'elsewhere', rounds: 3, says: 'it does not have this' },
  { name: 'method-missing', on: 'rpc', codes: [-32601], class: 'elsewhere', lasting: true, says: 'it does not offer this method' },
  { name: 'method-missing', on: 'rpc', text: /^rpc: can't find (?:method|service) /, class: 'elsewhere', lasting: true, says: 'it does not offer this method' },
  { name: 'batch-too-large', on: 'rpc', text: /batch too large|response too large|batch response exceeded/i, class: 'elsewhere', halves: true, says: 'the batch was too large for it' },
  // Our own requests.
  { name: 'bad-request', on: 'rpc', codes: [-32700, -32600, -32602], class: 'fault', says: 'it does not understand our request' },
  { name: 'bad-request', on: 'rpc', text: /request ill-formed|must start with a non-uppercase|couldn't unmarshal an argument|^nil transaction ID|genesis is not traceable|invalid block range/, class: 'fault', says: 'it does not understand our request' },
  { name: 'bad-request', on: 'rpc', text: /^no addresses provided|^number of addresses given|couldn't parse address|^no source chain provided|problem parsing source chainID|there is no chain with alias|numToFetch must be in/, class: 'fault', says: 'it refuses the arguments of our request' },
  { name: 'node-error', on: 'rpc', class: 'elsewhere', rounds: 3, says: 'it answered with an error' },

  // Replies that are not what was asked for.
  { name: 'answer-too-large', on: 'answer', codes: ['too-large'], class: 'elsewhere', endpoint: 'rests', halves: true, says: 'the answer is larger than allowed' },
  { name: 'not-found', on: 'answer', codes: ['null'], class: 'elsewhere', rounds: 3, says: 'it does not have this' },
  { name: 'other-network', on: 'answer', codes: ['other-network'], class: 'operator', endpoint: 'distrusted', says: 'it belongs to another network' },
  { name: 'checksum', on: 'answer', codes: ['checksum'], class: 'elsewhere', endpoint: 'rests', says: 'the bytes of the answer do not have their checksum' },
  { name: 'wrong', on: 'answer', codes: ['wrong'], class: 'elsewhere', endpoint: 'distrusted', says: 'the answer is wrong' },
  { name: 'unreadable', on: 'answer', class: 'elsewhere', endpoint: 'rests', says: 'the answer cannot be read' },
];

/** The line of the table for this failure. */
export function rowOf(failure: Failure): ErrorRow {
  const found = errorTable.find(
    (row) =>
      row.on === failure.on &&
      (row.codes?.includes(failure.code) ?? true) &&
      (row.text?.test(failure.text) ?? true) &&
      (row.path?.test(failure.path) ?? true),
  );
  // The last line of each kind has no condition.
  return found!;
}
