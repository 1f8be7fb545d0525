/*
 * Words that texts, comments, names and test titles of this repository do not use, because a reader has to
 * guess which of their meanings is meant. A new one is a line here.
 */
const refused: readonly [word: string, instead: string][] = [
  ['heed(s|ed|ing|less)?|unheeded', 'handle, follow, ignore'],
  ['dear(er|est)?', 'expensive'],
  ['told', 'shown, named, given, returned, logged'],
  ['tell(s|ing)? of', 'report, show, name'],
  ['besides?', 'next to, in addition to, together with, other than'],
  ['(is|are|was|were|be|been|being|not) held', 'stored, indexed, counted, cached, kept, taken'],
  ['reckon(s|ed|ing)?', 'calculate, count, estimate'],
  ['asked (of|for by)', 'read from, the arguments of'],
  ['(hang|hangs|hung) on', 'belong to, depend on'],
  ['lest', 'so that … not'],
  ['(get|gets|got) hold of', 'use, reach'],
  ['knock(s|ed|ing)?', 'connect'],
  ['unasked', 'by default, without a request'],
  ['befall(s|en)?|befell', 'happen to'],
];

// A text of several words may go on in the next line of a comment.
const patterns = refused.map(([word, instead]) => ({
  pattern: new RegExp(`(?<![\\w$-])(?:${word.replaceAll(' ', '[\\s*/#]+')})(?![\\w-])`, 'gi'),
  instead,
}));

/**
 * Whether a file or a folder of its path is named `terms`, `parts` or `place`, or ends so; ESLint looks at
 * the names in it.
 */
export const isRefusedFile = (path: string): boolean => /(^|[/-])(terms|parts|places?)([./]|$)/i.test(path);

export interface RefusedWord {
  /** From 1. */
  line: number;
  word: string;
  instead: string;
}

/** The refused words of a text, in its order. */
export function findRefusedWords(text: string): RefusedWord[] {
  const found = patterns.flatMap(({ pattern, instead }) =>
    [...text.matchAll(pattern)].map(({ 0: word, index }) => ({ index, word, instead })),
  );
  return found
    .sort((a, b) => a.index - b.index)
    .map(({ index, word, instead }) => ({
      line: text.slice(0, index).split('\n').length,
      word: word.replace(/[\s*/#]+/g, ' '),
      instead,
    }));
}
