import type { z } from 'zod';

const types: Readonly<Record<string, string>> = {
  int: 'a whole number',
  number: 'a number',
  string: 'a text',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
};

/** What is wrong with a value, in words, where its schema does not say so itself; to be given to zod as `error`. */
export function inWords(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case 'invalid_type': {
      const wanted = `must be ${types[issue.expected] ?? issue.expected}`;
      return issue.input === undefined ? `is missing; it ${wanted}` : wanted;
    }
    case 'too_small':
      return `must be ${String(issue.minimum)} or more`;
    case 'too_big':
      return `must be ${String(issue.maximum)} or less`;
    case 'invalid_value':
      return `must be ${issue.values.map((each) => JSON.stringify(each)).join(' or ')}`;
    case 'unrecognized_keys':
      return `${issue.keys.map((each) => JSON.stringify(each)).join(', ')} is not known here`;
    default:
      return 'cannot be used';
  }
}
