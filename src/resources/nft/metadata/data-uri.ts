import { MetadataError } from './error.js';

/** The parts of a `data:` address. */
export interface DataDocument {
  /** Lower case; `text/plain` if the address names none (RFC 2397). */
  mediaType: string;
  bytes: Buffer;
}

/**
 * Decodes a `data:` address (RFC 2397): base64, percent-encoded, or plain JSON. Contracts write the latter
 * without escaping even `#` and `%`. So nothing is cut off at a `#`, a percent sign without two hex digits is
 * literal, and JSON is not decoded: its strings may contain percent-encoded addresses.
 *
 * @throws MetadataError `document-invalid`
 */
export function decodeDataUri(address: string, maxBytes: number): DataDocument {
  const comma = address.indexOf(',');
  if (comma < 0) throw invalid('the data: address has no comma');
  const [type = '', ...parameters] = address.slice('data:'.length, comma).split(';');
  const payload = address.slice(comma + 1);
  const base64 = parameters.some((each) => each.trim().toLowerCase() === 'base64');
  const bytes = base64 ? decodeBase64(payload) : decodeText(payload);
  if (bytes.length > maxBytes) {
    throw new MetadataError('too-large', `the document is larger than ${maxBytes} bytes`, false);
  }
  return { mediaType: type.trim().toLowerCase() || 'text/plain', bytes };
}

function decodeBase64(payload: string): Buffer {
  const text = payload.replace(/%([0-9a-f]{2})/gi, fromHex).replace(/\s/g, '');
  if (!/^[A-Za-z0-9+/_-]*={0,2}$/.test(text))
    throw invalid('the data: address is not base64, although it says so');
  return Buffer.from(text, 'base64');
}

function decodeText(payload: string): Buffer {
  if (isJson(payload)) return Buffer.from(payload);
  const latin1 = Buffer.from(payload)
    .toString('latin1')
    .replace(/%([0-9a-f]{2})/gi, fromHex);
  return Buffer.from(latin1, 'latin1');
}

function fromHex(_match: string, digits: string): string {
  return String.fromCharCode(Number.parseInt(digits, 16));
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function invalid(message: string): MetadataError {
  return new MetadataError('document-invalid', message, false);
}
