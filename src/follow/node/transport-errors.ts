import { type ErrorRow, rowsOn } from './error-row.js';

const connection = rowsOn('connection');
const http = rowsOn('http');
const answer = rowsOn('answer');

const timeouts = ['ETIMEDOUT', 'UND_ERR_CONNECT_TIMEOUT', 'UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT'];
const untrusted =
  /SELF_SIGNED_CERT|UNABLE_TO_(?:VERIFY_LEAF_SIGNATURE|GET_ISSUER_CERT)|CERT_(?:HAS_EXPIRED|NOT_YET_VALID)|ALTNAME_INVALID/;

/** No reply: codes of Node.js, OpenSSL and undici. */
export const connectionErrors: readonly ErrorRow[] = [
  connection('refused', 'wait', 'nothing listens there: the node is not running, or not yet', {
    codes: ['ECONNREFUSED'],
    endpoint: 'rests',
  }),
  connection('timeout', 'wait', 'no answer in time', {
    codes: timeouts,
    endpoint: 'slower',
    halves: 'at once',
  }),
  connection('no-such-host', 'wait', 'the host name does not resolve', {
    codes: ['ENOTFOUND', 'EAI_AGAIN'],
    endpoint: 'rests',
  }),
  connection(
    'certificate',
    'operator',
    'its certificate is not trusted; NODE_EXTRA_CA_CERTS can name a file with your own authority',
    { text: untrusted, endpoint: 'rests' },
  ),
  connection(
    'not-http',
    'operator',
    'it does not speak this protocol; is it http or https, and which port?',
    {
      text: /^(?:HPE_|ERR_SSL_)|HTTPParserError/,
      endpoint: 'rests',
    },
  ),
  connection('too-much-at-once', 'wait', 'answers were too large together; fewer are asked for', {
    codes: ['EBUDGET'],
    endpoint: 'slower',
    halves: 'at once',
  }),
  connection('connection-lost', 'wait', 'the connection broke', { endpoint: 'doubted' }),
];

/** Replies without JSON, such as those of a chain that bootstraps, and of servers between. */
export const httpErrors: readonly ErrorRow[] = [
  http('bootstrapping', 'wait', 'this chain of the node is still bootstrapping', {
    codes: [503],
    text: /not done bootstrapping/,
    endpoint: 'rests',
    halves: 'never',
  }),
  // 402: the quota of a plan is used up (dRPC, Infura).
  http('busy', 'wait', 'it gets more requests than it allows', {
    codes: [402, 429],
    endpoint: 'slower',
    halves: 'later',
  }),
  // From 520 on: Cloudflare, which does not reach the server behind it.
  http('unavailable', 'wait', 'it cannot answer at the moment', {
    codes: [408, 500, 502, 503, 504, 520, 521, 522, 523, 524, 525, 526, 527, 529, 530],
    endpoint: 'slower',
  }),
  http(
    'host-refused',
    'operator',
    'the node refuses calls under this host name; start it with --http-allowed-hosts=NAME, or use its IP address',
    { codes: [403], text: /invalid host specified/, endpoint: 'rests' },
  ),
  http('access-refused', 'operator', 'it refuses access; are user, password or key in the address right?', {
    codes: [401, 403],
    endpoint: 'rests',
  }),
  http(
    'redirected',
    'operator',
    'it redirects, which is not followed; give the address to which it redirects',
    {
      codes: [301, 302, 303, 307, 308],
      endpoint: 'rests',
    },
  ),
  http('index-off', 'operator', 'it keeps no index; start it with --index-enabled from its first start on', {
    codes: [404],
    path: /^\/ext\/index\//,
    lasting: true,
  }),
  // A node that starts makes X and C only when P has bootstrapped.
  http('no-chain', 'wait', 'it does not serve this chain, or not yet', {
    codes: [404],
    path: /^\/ext\/bc\//,
    endpoint: 'rests',
    halves: 'never',
  }),
  http('no-node', 'operator', 'there is no API of avalanchego at this address', {
    codes: [404],
    endpoint: 'rests',
  }),
  http('too-large', 'wait', 'our request was too large for it', { codes: [413], rounds: 3, mayBeCall: true }),
  http('request-refused', 'wait', 'it refuses the form of our request', {
    codes: [400, 405, 415, 422],
    endpoint: 'slower',
    rounds: 6,
    mayBeCall: true,
  }),
  http('http-error', 'wait', 'it answered with an unexpected HTTP status', {
    endpoint: 'slower',
    rounds: 6,
    mayBeCall: true,
  }),
];

/** Replies that are not what was asked for; the codes are the client's own. */
export const answerErrors: readonly ErrorRow[] = [
  answer('answer-too-large', 'elsewhere', 'the answer is larger than allowed', {
    codes: ['too-large'],
    endpoint: 'doubted',
    mayBeCall: true,
  }),
  answer('not-found', 'elsewhere', 'it does not have this', { codes: ['null'], rounds: 3, mayBeCall: true }),
  answer('trace-refused', 'wait', 'it could not trace a transaction', {
    codes: ['trace-refused'],
    rounds: 3,
    mayBeCall: true,
  }),
  // If similar calls are answered, only this call fails, and the endpoint gets no cooldown.
  answer('broken', 'wait', 'its answer is broken', { codes: ['broken'], rounds: 3, mayBeCall: true }),
  answer('other-network', 'operator', 'it belongs to another network', {
    codes: ['other-network'],
    endpoint: 'distrusted',
    halves: 'never',
  }),
  answer('checksum', 'elsewhere', 'the checksum of the answer is wrong', {
    codes: ['checksum'],
    endpoint: 'doubted',
  }),
  answer('wrong', 'elsewhere', 'an answer was wrong', {
    codes: ['wrong'],
    endpoint: 'distrusted',
    halves: 'never',
  }),
  answer('unreadable', 'elsewhere', 'the answer cannot be read', { endpoint: 'doubted', mayBeCall: true }),
];
