import { bytesOf } from './http-text.js';
import { raw, type Input } from './input.js';
import type { Random } from './random.js';

const list = '/v1/networks/fuji/blockchains/p-chain/utxos?pageSize=1';
const query = '/v2/lookingGlass/compositeQuery';

/** Bytes whose framing as HTTP/1.1 lies, contradicts itself, never ends, or is none. */
export function framingRequest(random: Random): Input {
  return random.weighted([
    [3, wrongLength],
    [3, wrongChunks],
    [2, brokenLine],
    [2, pipeline],
    [1, otherProtocol],
    [1, unfinished],
  ])(random);
}

const post = (headers: string, body: string) =>
  `POST ${query} HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\n${headers}\r\n${body}`;

function wrongLength(random: Random): Input {
  const length = random.pick([
    '0',
    '1',
    '5',
    '100',
    '-1',
    '+2',
    '2,2',
    '2, 3',
    ' 2',
    '2 ',
    '0x2',
    '2.0',
    '1e1',
    '',
    'x',
    '9'.repeat(30),
    '262145',
    '4294967297',
    '٢',
  ]);
  const second = random.chance(0.3) ? `content-length: ${random.pick(['2', '3', '0'])}\r\n` : '';
  const both = random.chance(0.15) ? 'transfer-encoding: chunked\r\n' : '';
  return raw(
    'lengths',
    Buffer.from(
      post(
        `content-length: ${length}\r\n${second}${both}`,
        random.pick(['{}', '', '{"a":1}', `{}GET ${list} HTTP/1.1\r\nhost: a\r\n\r\n`]),
      ),
    ),
    { methods: ['POST'], halfClosed: random.chance(0.5) },
  );
}

function wrongChunks(random: Random): Input {
  const coding = random.pick([
    'chunked',
    'chunked',
    'chunked',
    'Chunked',
    'gzip, chunked',
    'chunked, gzip',
    'identity',
    'chunked, chunked',
    ' chunked',
    'x',
    '',
    'chunked\r\ntransfer-encoding: chunked',
    '\x0bchunked',
  ]);
  const body = random.pick([
    '2\r\n{}\r\n0\r\n\r\n', '2\r\n{}0\r\n\r\n', '3\r\n{}\r\n0\r\n\r\n', '2\n{}\n0\n\n', '-2\r\n{}\r\n0\r\n\r\n', '0x2\r\n{}\r\n0\r\n\r\n', 'g\r\n{}\r\n0\r\n\r\n',
    '2;a=b\r\n{}\r\n0\r\n\r\n', `2;${'a'.repeat(20_000)}\r\n{}\r\n0\r\n\r\n`, '2 ;a="\r\n"\r\n{}\r\n0\r\n\r\n', 'ffffffffffffffff\r\n{}\r\n0\r\n\r\n', 'fffffffffffffffff\r\n{}', '00000000000000002\r\n{}\r\n0\r\n\r\n',
    '\r\n', '0\r\n', '0\r\n\r\n', '0\r\nx: y\r\n\r\n', '0\r\ncontent-length: 5\r\n\r\n', `0\r\nx: ${'y'.repeat(70_000)}\r\n\r\n`, '0\r\n\0: y\r\n\r\n', '{}', '',
    '1\r\n{\r\n'.repeat(2000) + '0\r\n\r\n', '1;x\r\n{\r\n'.repeat(5000) + '0\r\n\r\n', `2\r\n{}\r\n0\r\n\r\nGET ${list} HTTP/1.1\r\nhost: a\r\n\r\n`,
  ]); // prettier-ignore
  return raw(
    'chunks',
    post(`transfer-encoding: ${coding}\r\n${random.chance(0.2) ? 'content-length: 2\r\n' : ''}`, body),
    { methods: ['POST'], halfClosed: random.chance(0.3) },
  );
}

function brokenLine(random: Random): Input {
  const line = random.pick([
    `GET ${list}`, `GET  ${list} HTTP/1.1`, ` GET ${list} HTTP/1.1`, `GET ${list} HTTP/1.1 `, `GET\t${list}\tHTTP/1.1`, `GET ${list} HTTP/1`, `GET ${list} HTTP/1.2`,
    `GET ${list} HTTP/2.0`, `GET ${list} HTTP/0.9`, `GET ${list} HTTP/9.9`, `GET ${list} HTTP/11`, `GET ${list} http/1.1`, `GET ${list} HTTPS/1.1`, `GET ${list} HTTP/1.1\0`,
    `GET ${list} x HTTP/1.1`, 'GET', 'GET ', 'GET  HTTP/1.1', '', '\r\n\r\n', '\0', '\0\0\0\0', 'HTTP/1.1 200 OK', `${list}`, `GET ${list.replace('?', '\r\nx: y?')} HTTP/1.1`,
    `GET ${list}\0 HTTP/1.1`, `GET /\xc3\xa9 HTTP/1.1`, `GET /${'a'.repeat(random.pick([8000, 16_300, 17_000, 70_000]))} HTTP/1.1`, `${'G'.repeat(20_000)} / HTTP/1.1`,
    `GET ${list} HTTP/1.1\r\nhost: a\r\n\r\nGARBAGE`, `\xff\xfe\xfd`, `GET ${list} ICE/1.0`, `SOURCE ${list} ICE/1.0`, `OPTIONS * RTSP/1.0`, `\r\n\r\n\r\nGET ${list} HTTP/1.1`,
  ]); // prettier-ignore
  return raw('lines', `${line}\r\nhost: a\r\n\r\n`, {
    methods: [line.startsWith('OPTIONS') ? 'OPTIONS' : 'GET'],
  });
}

/** Right requests, then one that is none: those before it are answered. */
function pipeline(random: Random): Input {
  const count = random.whole(1, 20);
  const targets = Array.from({ length: count }, () =>
    random.pick([list, '/v1/live-check', '/no/such/path', '/v1/networks/%zz', '/v1/chains']),
  );
  const last = random.pick([
    '\0\0\r\n\r\n',
    'GET / HTTP/9\r\n\r\n',
    'x',
    post('content-length: 1000\r\n', '{'),
    post('transfer-encoding: chunked\r\n', 'z'),
    `GET ${list} HTTP/1.1\r\n`,
    '',
  ]);
  const bytes = Buffer.concat([
    ...targets.map((target) => bytesOf({ method: 'GET', target })),
    Buffer.from(last, 'latin1'),
  ]);
  return raw('pipelines', bytes, {
    methods: targets.map(() => 'GET'),
    expectations: targets.map(() => ({ door: 'rest' as const })),
  });
}

function otherProtocol(random: Random): Input {
  return raw('protocols', random.pick([
    Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0', 'latin1'),
    Buffer.from('16030100a1010000' + '00'.repeat(155), 'hex'),
    Buffer.from('SSH-2.0-x\r\n'), Buffer.from('EHLO x\r\n'), Buffer.from('*1\r\n$4\r\nPING\r\n'), Buffer.from('0000000804d2162f', 'hex'),
    Buffer.from('PROXY TCP4 1.2.3.4 5.6.7.8 1 2\r\nGET / HTTP/1.1\r\nhost: a\r\n\r\n'),
    random.bytes(random.pick([1, 16, 500, 5000])), Buffer.alloc(random.pick([1, 100_000])),
  ])); // prettier-ignore
}

function unfinished(random: Random): Input {
  const whole = bytesOf({
    method: 'POST',
    target: random.pick([query, '/graphql', list]),
    headers: [['content-type', 'application/json']],
    body: '{"query":"{ __typename }"}',
  });
  return raw('unfinished', whole.subarray(0, random.whole(1, whole.length - 1)), {
    methods: ['POST'],
    halfClosed: random.chance(0.7),
  });
}
