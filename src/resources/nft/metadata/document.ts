import { MetadataError } from './error.js';
import { parseJsonDocument } from './json-document.js';

/** One trait of a token, as text: documents write values as text, numbers and booleans alike. */
export interface TokenAttribute {
  traitType: string | null;
  value: string | null;
  /** How the value is meant to be shown, for example `date` or `boost_percentage`. */
  displayType: string | null;
}

/** The standard fields of a metadata document (ERC-721 and ERC-1155 metadata schemas), null where it has none. */
export interface TokenDocument {
  name: string | null;
  description: string | null;
  /** An address or a `data:` image, SVG included: text that is never served as a page. */
  image: string | null;
  attributes: TokenAttribute[];
  /** The whole document as it was read, unknown fields included. */
  raw: string;
}

const maxName = 1_000;
const maxDescription = 20_000;
// An image may be in the document itself. A longer one is in `raw` alone: half a data: address is of no use.
const maxImage = 65_536;
const maxAttributes = 500;
const maxAttributeText = 1_000;

type Fields = Readonly<Record<string, unknown>>;

/**
 * Reads a metadata document.
 *
 * @param idHex where given, replaces each `{id}` in the standard fields (ERC-1155, "Metadata")
 * @throws MetadataError `document-invalid`
 */
export function parseDocument(bytes: Buffer, idHex?: string): TokenDocument {
  const { text, value } = parseJsonDocument(bytes);
  if (!isObject(value))
    throw new MetadataError('document-invalid', 'the document is not a JSON object', false);
  const read = (key: string, longest: number) => textOf(value, key, longest, idHex);
  const image = ['image', 'image_url', 'image_data'].map((key) => read(key, maxImage + 1)).find(Boolean);
  return {
    name: read('name', maxName),
    description: read('description', maxDescription),
    image: image && image.length <= maxImage ? image : null,
    attributes: attributesOf(value, idHex),
    raw: text,
  };
}

// Most documents list their attributes, some (and the schema's `properties`) map names to values.
function attributesOf(document: Fields, idHex: string | undefined): TokenAttribute[] {
  const source = [document['attributes'], document['traits'], document['properties']].find(
    (each) => typeof each === 'object' && each !== null,
  );
  const rows = Array.isArray(source) ? source : Object.entries(source ?? {}).map(fromEntry);
  return rows
    .slice(0, maxAttributes)
    .filter(isObject)
    .map((row) => {
      const read = (key: string) => textOf(row, key, maxAttributeText, idHex);
      return {
        traitType: read('trait_type') ?? read('name'),
        value: read('value'),
        displayType: read('display_type'),
      };
    })
    .filter(({ traitType, value }) => traitType !== null || value !== null);
}

function fromEntry([name, value]: [string, unknown]): Fields {
  return isObject(value) ? { trait_type: name, ...value } : { trait_type: name, value };
}

function textOf(fields: Fields, key: string, longest: number, idHex: string | undefined): string | null {
  const value = Object.hasOwn(fields, key) ? fields[key] : undefined;
  if (typeof value !== 'string' && typeof value !== 'boolean') return null;
  // PostgreSQL text cannot hold U+0000.
  const text = String(value).replaceAll('\0', '');
  const cut = (idHex === undefined ? text : text.replaceAll('{id}', idHex)).slice(0, longest);
  // Nor can its jsonb hold half a surrogate pair, which the cut may leave too; UTF-8 replaces it by U+FFFD.
  return Buffer.from(cut).toString();
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
