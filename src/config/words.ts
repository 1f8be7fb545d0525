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

/** What is wrong with a value, in words, if its schema does not say so; passed to zod as `error`. */
export function inWords(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.code === 'invalid_type') {
    const wanted = `must be ${types[issue.expected] ?? issue.expected}`;
    return issue.input === undefined ? `is missing; it ${wanted}` : wanted;
  }
  if (issue.code === 'too_small') return `must be ${String(issue.minimum)} or more`;
  if (issue.code === 'too_big') return `must be ${String(issue.maximum)} or less`;
  if (issue.code === 'invalid_value')
    return `must be ${issue.values.map((each) => JSON.stringify(each)).join(' or ')}`;
  if (issue.code === 'unrecognized_keys')
    return `${issue.keys.map((each) => JSON.stringify(each)).join(', ')} is unknown`;
  return 'cannot be used';
}
