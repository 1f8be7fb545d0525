import { MetadataError } from './error.js';
import { parseJsonDocument } from './json-document.js';

/** One trait of a token, as text: documents write values as text, numbers and booleans alike. */
export interface TokenAttribute {
  traitType: string | null;
  value: string | null;
  /** How the value is meant to be shown, for example `date` or `boost_percentage`. */
  displayType: string | null;
}

/** The standard fields of a metadata document (ERC-721 and ERC-1155), null where it has none. */
export interface TokenDocument {
  name: string | null;
  description: string | null;
  /** An address or a `data:` image, SVG included: text that is never served as a page. */
  image: string | null;
  attributes: TokenAttribute[];
  /** The whole document as it was read, unknown fields included; null if it is an image. */
  raw: string | null;
}

const maxName = 1_000;
const maxDescription = 20_000;
// An image may be in the document itself. A longer one is only in `raw`: half a data: address is useless.
const maxImage = 65_536;
const maxAttributes = 500;
const maxAttributeText = 1_000;

/** In the order of preference. */
const imageKeys = ['image', 'image_url', 'imageUrl', 'image_uri', 'image_data'];

type Fields = Readonly<Record<string, unknown>>;

/**
 * Reads a metadata document.
 *
 * @param idHex if given, replaces each `{id}` in the standard fields (ERC-1155, "Metadata")
 * @throws MetadataError `document-invalid`
 */
export function parseDocument(bytes: Buffer, idHex?: string): TokenDocument {
  const { text, value } = parseJsonDocument(bytes);
  if (!isObject(value))
    throw new MetadataError('document-invalid', 'the document is not a JSON object', false);
  const read = (keys: readonly string[], longest: number) => textOf(value, keys, longest, idHex);
  return {
    name: read(['name', 'title'], maxName),
    description: read(['description'], maxDescription),
    image: shortEnough(read(imageKeys, maxImage + 1)),
    attributes: attributesOf(value, idHex),
    raw: text,
  };
}

/** The metadata of a token whose address leads to its image instead of a document. */
export function imageDocument(address: string): TokenDocument {
  return { name: null, description: null, image: shortEnough(address), attributes: [], raw: null };
}

function shortEnough(image: string | null): string | null {
  return image && image.length <= maxImage ? image : null;
}

// Most documents list their attributes, some (and the schema's `properties`) map names to values.
function attributesOf(document: Fields, idHex: string | undefined): TokenAttribute[] {
  const sources = ['attributes', 'traits', 'properties'].flatMap((key) =>
    Object.hasOwn(document, key) ? [rowsOf(document[key])] : [],
  );
  return (sources.find((rows) => rows.length > 0) ?? [])
    .slice(0, maxAttributes)
    .map((row) => {
      const read = (...keys: string[]) => textOf(row, keys, maxAttributeText, idHex);
      return {
        traitType: read('trait_type', 'traitType', 'name', 'key'),
        value: read('value'),
        displayType: read('display_type', 'displayType'),
      };
    })
    .filter(({ traitType, value }) => traitType !== null || value !== null);
}

function rowsOf(source: unknown): Fields[] {
  if (Array.isArray(source)) return source.filter(isObject);
  return isObject(source) ? Object.entries(source).map(fromEntry) : [];
}

function fromEntry([name, value]: [string, unknown]): Fields {
  return isObject(value) ? { trait_type: name, ...value } : { trait_type: name, value };
}

/** The first of the fields that is a text. */
function textOf(
  fields: Fields,
  keys: readonly string[],
  longest: number,
  idHex: string | undefined,
): string | null {
  for (const key of keys) {
    const text = Object.hasOwn(fields, key) ? asText(fields[key]) : null;
    if (text === null || (text === '' && key !== keys.at(-1))) continue;
    // PostgreSQL text cannot contain U+0000.
    const kept = text.replaceAll('\0', '');
    const cut = (idHex === undefined ? kept : kept.replaceAll('{id}', idHex)).slice(0, longest);
    // Its jsonb cannot contain half a surrogate pair, which the cut may leave too; UTF-8 replaces it by
    // U+FFFD.
    return Buffer.from(cut).toString();
  }
  return null;
}

// Numbers are texts already. A list, such as ERC-1155's array properties, becomes its members in one line.
function asText(value: unknown): string | null {
  if (typeof value === 'string' || typeof value === 'boolean') return String(value);
  if (Array.isArray(value)) return value.map((each) => asText(each) ?? JSON.stringify(each)).join(', ');
  return isObject(value) ? JSON.stringify(value) : null;
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
