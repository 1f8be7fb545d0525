import { badInput } from '../../errors.js';

/** Where a node is. Only `name` and what `hide` gives may be shown. */
export interface NodeAddress {
  /** Scheme, host and port. */
  readonly name: string;
  readonly origin: string;
  /** The path and query of a request, with those that the operator wrote around it. */
  readonly pathOf: (path: string) => string;
  /** Whether it is the RPC of one EVM chain, not a node. */
  readonly isRpc: boolean;
  /** The credentials that the operator wrote into the address. */
  readonly headers: Readonly<Record<string, string>>;
  /** The text without what is secret in this address. */
  readonly hide: (text: string) => string;
}

/**
 * Reads an address of a node. People copy whole paths (`…/ext/bc/P`): what begins with `/ext` is left out.
 *
 * @throws AppError BAD_USER_INPUT; its message has nothing of the address but scheme and host
 */
export function parseNodeAddress(text: string): NodeAddress {
  const url = readUrl(text);
  const base = url.pathname.replace(/\/ext(\/.*)?$/, '').replace(/\/+$/, '');
  return { ...addressOf(url, base), isRpc: false, pathOf: (path) => `${base}${path}${url.search}` };
}

function readUrl(text: string): URL {
  if (!URL.canParse(text)) {
    throw badInput('an address of a node is not a URL; write it as http://127.0.0.1:9650');
  }
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw badInput(
      'an address of a node must begin with http:// or https://, for example http://127.0.0.1:9650',
    );
  }
  return url;
}

/**
 * Reads the address of the RPC of an EVM chain, which has one path for all of its methods.
 *
 * @throws AppError BAD_USER_INPUT; its message has nothing of the address but scheme and host
 */
export function parseRpcAddress(text: string): NodeAddress {
  const url = readUrl(text);
  return { ...addressOf(url, url.pathname), isRpc: true, pathOf: () => `${url.pathname}${url.search}` };
}

/** @param base the path that the operator wrote, which may be a key */
function addressOf(url: URL, base: string): Omit<NodeAddress, 'isRpc' | 'pathOf'> {
  const secrets = secretsOf(url, base);
  return {
    name: url.origin,
    origin: url.origin,
    headers: basicAuthorization(url),
    hide: (shown) => secrets.reduce((rest, secret) => rest.replaceAll(secret, '…'), shown),
  };
}

function basicAuthorization({ username, password }: URL): Record<string, string> {
  if (username === '' && password === '') return {};
  const pair = `${decoded(username)}:${decoded(password)}`;
  return { authorization: `Basic ${Buffer.from(pair).toString('base64')}` };
}

/** Texts that a server might repeat, the longest first. One or two letters are no keys. */
function secretsOf(url: URL, base: string): string[] {
  const parts = [base, ...base.split('/'), url.search, url.search.slice(1), ...url.searchParams.values()];
  const credentials = [url.username, url.password].flatMap((text) => [text, decoded(text)]);
  const secrets = parts.flatMap((text) => [text, decoded(text)]).filter(({ length }) => length > 2);
  const token = basicAuthorization(url)['authorization']?.replace('Basic ', '') ?? '';
  return [...new Set([...secrets, ...credentials, token])]
    .filter((text) => text !== '')
    .sort((a, b) => b.length - a.length);
}

/** A `%` that begins no escape stays as it is. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
