import { parse } from 'lossless-json';
import { shown } from '../../../outbound/target.js';
import { MetadataError } from './error.js';

const maxDepth = 64;

/**
 * Parses JSON (RFC 8259) from bytes of UTF-8. Numbers become their text, so that none is rounded; the last of
 * several equal keys counts, as in JSON.parse.
 *
 * @returns the text and its value
 * @throws MetadataError `document-invalid` for anything else, and for nesting deeper than 64
 */
export function parseJsonDocument(bytes: Buffer): { text: string; value: unknown } {
  const text = decodeUtf8(bytes);
  if (deepest(text) > maxDepth) throw invalid(`the document is nested deeper than ${maxDepth} levels`);
  try {
    const value = parse(text, null, {
      parseNumber: (digits) => digits,
      onDuplicateKey: ({ newValue }) => newValue,
    });
    return { text, value };
  } catch (error) {
    throw invalid(explain(text, error));
  }
}

function decodeUtf8(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw invalid('the document is not UTF-8 text');
  }
}

// The parser recurses, and deep enough nesting would overflow its stack.
function deepest(text: string): number {
  let depth = 0;
  let deepest = 0;
  let inString = false;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (inString) {
      if (character === '\\') at++;
      else if (character === '"') inString = false;
    } else if (character === '"') inString = true;
    else if (character === '[' || character === '{') deepest = Math.max(deepest, ++depth);
    else if (character === ']' || character === '}') depth--;
  }
  return deepest;
}

function explain(text: string, error: unknown): string {
  if (text.trim() === '') return 'the document is empty';
  if (/^\s*<(!doctype html|html|head|body)\b/i.test(text)) return 'the document is an HTML page, not JSON';
  if (/^\s*</.test(text)) return 'the document is XML or SVG, not JSON';
  return `the document is not JSON: ${shown((error as Error).message)}`;
}

function invalid(message: string): MetadataError {
  return new MetadataError('document-invalid', message, false);
}
