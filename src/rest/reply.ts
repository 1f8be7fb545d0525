import { errorKinds, type AppError, type ErrorCode } from '../errors.js';

/** Headers and body of a refusal (spec.md, "Error body"). */
export interface ErrorReply {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** REST names of the paging arguments that a resolver's message may begin with. */
const restNames: Readonly<Record<string, string>> = { after: 'pageToken', first: 'pageSize' };

export function errorReply(error: AppError): ErrorReply {
  const message = Array.isArray(error.messages)
    ? error.messages.map(inRestTerms)
    : inRestTerms(error.messages);
  return { status: error.status, headers: error.retryHeaders, body: errorBody(error.code, message) };
}

export function errorBody(code: ErrorCode, message: string | string[]): string {
  const { status, title } = errorKinds[code];
  return JSON.stringify({ message, error: title, statusCode: status });
}

function inRestTerms(message: string): string {
  return message.replace(/^(after|first):/, (_match, name: string) => `${restNames[name]}:`);
}

/**
 * A list reply: the page's rows, spliced in as they came from the database, and the next page's token, which
 * is left out on the last page.
 *
 * @param more further members as JSON text, each beginning with a comma
 */
export function listReply(
  field: string,
  connection: { json: string; pageInfo: { hasNextPage: boolean; endCursor?: string | null } },
  more = '',
): string {
  const { hasNextPage, endCursor } = connection.pageInfo;
  const token = hasNextPage && endCursor ? `,"nextPageToken":"${endCursor}"` : '';
  return `{"${field}":${connection.json}${token}${more}}`;
}
