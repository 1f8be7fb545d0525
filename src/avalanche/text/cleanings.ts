import { encodeCb58, withoutChecksum } from '../cb58.js';
import { idsInAddress } from './page-address.js';
import { idsInRow } from './row.js';

/** A form in which people have an id with something else, which is cleaned from it. */
export interface Cleaning {
  /** For people. */
  what: string;
  example: string;
  /** What the example is cleaned to. */
  cleaned: string;
  /**
   * What may be left of a text, the likeliest first; nothing of a text of another form. Takes time in
   * proportion to the text's length.
   */
  clean: (text: string) => readonly string[];
}

const id = 'FvwEAhmxKfeiG8SnEvq42hc6whRyY3EFYAvebMqDNDGCgxN5Z';
const contract = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const bytes =
  '0x000021e67317cbc4be2aeb00677ad6462778a8f52274b9d605df2591b23027a87dff0000000721e67317cbc4be2aeb00677ad6462778a8f52274b9d605df2591b23027a87dff000000070000000000000001000000000000000000000001000000013cb7d3842e8cee6a0ebd09f1fe884f6861e1b29ce8f1e008';

/** Cleans a text of one form by a pattern: what is left are its groups, joined. */
const by =
  (pattern: RegExp, between = '') =>
  (text: string): string[] => {
    const found = pattern.exec(text);
    return found ? [found.slice(1).join(between)] : [];
  };

/**
 * The forms that are cleaned, in addition to quotes and commas around a text (see unwrap). Their patterns are
 * anchored and repeat nothing in two ways: a text of any kind takes time in proportion to its length.
 */
export const cleanings: readonly Cleaning[] = [
  { what: 'a number or an id after #', example: '#1234', cleaned: '1234', clean: by(/^# ?(.+)$/) },
  {
    what: 'a number with its digits in groups',
    example: '1,234,567',
    cleaned: '1234567',
    clean: (text) => (/^\d{1,3}(?:[,_ '’]\d{3})+$/.test(text) ? [text.replace(/\D/g, '')] : []),
  },
  {
    what: 'a number after the word block, height or chain',
    example: 'block 1,234',
    cleaned: '1234',
    clean: by(/^(?:block|height|chain)(?: (?:number|height|id|no\.?))?[ :=#№]{1,3}(\d.*)$/i),
  },
  {
    what: 'an id after a word that says what it is',
    example: `tx hash: ${id}`,
    cleaned: id,
    clean: by(
      /^(?:tx|txid|transaction|block|vertex|address|asset|subnet|blockchain|chain|validator|validation|node|utxo|output|message|contract|token|hash|id)(?: ?(?:hash|id|address))?[ :=#]{1,3}((?=\S*[a-z])\S+)$/i,
    ),
  },
  {
    what: 'a transaction and the index of its output',
    example: `${id}#7`,
    cleaned: `${id}:7`,
    clean: by(/^([1-9A-HJ-NP-Za-km-z]{37,50}) ?[#/.[( ] ?(\d{1,10})[\])]?$/, ':'),
  },
  {
    what: 'a contract and its token',
    example: `${contract}/12`,
    cleaned: `${contract}:12`,
    clean: by(/^(0x[0-9a-f]{40})(?: ?[/#] ?| |\?a=)(\d{1,78})$/i, ':'),
  },
  {
    what: 'the address of a page of this or another explorer',
    example: `https://explorer.example/p-chain/tx/${id}?tab=outputs`,
    cleaned: id,
    clean: idsInAddress,
  },
  {
    what: 'a row as JSON',
    example: `{"blockNumber": "7", "txHash": "${id}", "memo": "0x"}`,
    cleaned: id,
    clean: idsInRow,
  },
  { what: 'the bytes of an output (utxoBytes)', example: bytes, cleaned: `${id}:7`, clean: outputOfBytes },
];

/** Codec version, transaction id and index, before all else of an output. */
const TX_ID_AT = 2;
const INDEX_AT = 34;
const LEAST_OUTPUT = 76;

function outputOfBytes(text: string): string[] {
  if (!/^0x0000(?:[0-9a-f]{2})+$/i.test(text)) return [];
  const all = Buffer.from(text.slice(2), 'hex');
  if (all.length < LEAST_OUTPUT) return [];
  try {
    withoutChecksum(all);
  } catch {
    return [];
  }
  return [`${encodeCb58(all.subarray(TX_ID_AT, INDEX_AT))}:${all.readUInt32BE(INDEX_AT)}`];
}

/** What closes a text that these open. */
const closings: Readonly<Record<string, string>> = {
  '"': '"',
  "'": "'",
  '`': '`',
  '“': '”',
  '„': '“',
  '‘': '’',
  '«': '»',
  '<': '>',
  '(': ')',
};

/** The text without quotes, brackets, commas and semicolons around it, nor the full stop of a sentence. */
export function unwrap(text: string): string {
  // By index and not by a pattern, which would try each comma within a text as the first of the last ones.
  let [start, end] = [0, text.length];
  const isAt = (index: number, characters: string) =>
    start < end && characters.includes(text[index] as string);
  for (let before = -1; before !== end - start;) {
    before = end - start;
    while (isAt(start, ' ,;')) start += 1;
    while (isAt(end - 1, ' ,;') || (isAt(end - 1, '.') && text[end - 2] !== '.')) end -= 1;
    if (end - start > 1 && closings[text[start] as string] === text[end - 1])
      [start, end] = [start + 1, end - 1];
  }
  return text.slice(start, end);
}
