import { bech32 } from '@scure/base';
import { decodeCb58, decodeId, isId } from '../cb58.js';
import { utxoIdOf } from '../codec/ids.js';
import { identityOf } from '../identity.js';
import { networks, primaryChains } from '../networks.js';
import { cleanings, unwrap } from './cleanings.js';
import { readHex, readToken } from './hex.js';
import { right, wrong, type Read, type TextReader } from './read.js';

export type TextForm = Read & {
  /** The text without invisible characters, and without what is cleaned from it. */
  text: string;
};

/** Most digits of a block's number: those of 2^64. */
const MOST_DIGITS = 20;
const ADDRESS_BYTES = 20;
const NODE_BYTES = 20;
const LAST_OUTPUT = 2 ** 32 - 1;
/** Most cleanings, one after the other: the address of a page with a labelled id needs two. */
const MOST_CLEANINGS = 3;

/**
 * Says what a person's text is: an id, an address, a hash or a number, of any chain. Spaces around it,
 * control characters and invisible ones are ignored, capitals where they mean nothing, and what people copy
 * with an id: see cleanings.ts.
 *
 * @param given of any length; reading takes time in proportion to it
 */
export function formOf(given: string): TextForm {
  const visible = given.replace(/[\p{Cc}\p{Cf}]/gu, (character) => (/\s/.test(character) ? ' ' : ''));
  const text = unwrap(visible.replace(/\s+/g, ' '));
  return cleaned(text, MOST_CLEANINGS) ?? { text, ...readAsItIs(text) };
}

/** The form of the text, or of what is left after the first cleanings that leave one; null if none do. */
function cleaned(text: string, most: number): TextForm | null {
  const read = readAsItIs(text);
  if (read.form) return { text, ...read };
  if (most === 0) return null;
  for (const { clean } of cleanings)
    for (const shorter of clean(text)) {
      const found = cleaned(unwrap(shorter), most - 1);
      if (found) return found;
    }
  return null;
}

function readAsItIs(text: string): Read {
  for (const read of readers) {
    const found = read(text);
    if (found) return found;
  }
  return { form: null, problem: null };
}

/** The first that knows the text reads it; null from those that do not. */
const readers: readonly TextReader[] = [
  (text) => (text === '' ? wrong('The text is empty.') : null),
  readAlias,
  readNode,
  readOutput,
  readToken,
  readHex,
  (text) => (isId(text) ? right({ is: 'id', id: text }) : null),
  readAddress,
  readNumber,
  readOtherId,
];

function readAlias(text: string): Read | null {
  const chain = primaryChains.find((each) => text.toLowerCase() === `${each}-chain`);
  return chain ? right({ is: 'chain', chain }) : null;
}

function readNode(text: string): Read | null {
  const [, id] = /^nodeid-(.*)$/is.exec(text) ?? [];
  if (id === undefined) return null;
  if (decodeCb58(id)?.length === NODE_BYTES) return right({ is: 'node', nodeId: `NodeID-${id}` });
  return wrong(
    'This looks like a node id, but its checksum or its length is wrong: a character may be missing or different.',
  );
}

function readOutput(text: string): Read | null {
  const [, txHash = '', index] = /^([1-9A-HJ-NP-Za-km-z]{37,50}) ?: ?(\d{1,10})$/.exec(text) ?? [];
  const txId = decodeId(txHash);
  if (!txId || Number(index) > LAST_OUTPUT) return null;
  return right({ is: 'output', txHash, utxoId: utxoIdOf(txId, Number(index)) });
}

function readAddress(text: string): Read | null {
  const [, prefix, bare = '', hrp = ''] =
    /^(?:([a-z]{1,20})-)?(([a-z]{1,20})1[a-z0-9]{6,80})$/i.exec(text) ?? [];
  const network = networks.find((each) => identityOf(each).hrp === hrp.toLowerCase());
  const bytes = bytesOf(bare);
  if (!network) {
    if (bytes?.length !== ADDRESS_BYTES) return null;
    const known = networks.map((each) => `${identityOf(each).hrp}1 on ${each}`);
    return wrong(
      `This is an address of a network that is not here: it begins with ${hrp.toLowerCase()}1. Addresses begin with ${known.join(' and ')}.`,
    );
  }
  if (prefix !== undefined && !/^[pxc]$/i.test(prefix))
    return wrong(`This looks like an address of ${network}, but no chain has the prefix ${prefix}-.`);
  if (/[a-z]/.test(bare) && /[A-Z]/.test(bare))
    return wrong(`This looks like an address of ${network}, but mixes capitals and small letters.`);
  if (!bytes)
    return wrong(
      `This looks like an address of ${network}, but its checksum is wrong: a character may be missing or different.`,
    );
  if (bytes.length !== ADDRESS_BYTES)
    return wrong(`This looks like an address of ${network}, but has ${bytes.length} bytes instead of 20.`);
  return right({ is: 'address', network, address: bare.toLowerCase() });
}

/** The bytes in a Bech32 text; undefined if its checksum is wrong. */
function bytesOf(bare: string): Uint8Array | undefined {
  const decoded = bech32.decodeUnsafe(bare);
  return (decoded && bech32.fromWordsUnsafe(decoded.words)) || undefined;
}

function readNumber(text: string): Read | null {
  if (!/^\d+$/.test(text)) return null;
  const number = text.replace(/^0+(?=\d)/, '');
  if (number.length <= MOST_DIGITS) return right({ is: 'number', number });
  return wrong('This number is larger than that of any block and the id of any EVM chain.');
}

/** A node id without its beginning, or what is nearly an id of 32 bytes. */
function readOtherId(text: string): Read | null {
  if (decodeCb58(text)?.length === NODE_BYTES) return right({ is: 'node', nodeId: `NodeID-${text}` });
  if (!/^[1-9A-HJ-NP-Za-km-z]{37,60}$/.test(text)) return null;
  return wrong('This looks like an id, but its checksum is wrong: a character may be missing or different.');
}
