import { list, object, text, type JsonSchema, type JsonSchemas } from '../fields/json-schema.js';
import { UUID_V4_PATTERN } from '../paging/uuid.js';
import { errorKinds, type AppError, type ErrorCode } from '../errors.js';

/** Headers and body of a refusal (docs/contract.md, "Error body"). */
export interface ErrorReply {
  status: number;
  headers: Record<string, string>;
  body: string;
}

export function errorReply(error: AppError): ErrorReply {
  return { status: error.status, headers: error.retryHeaders, body: errorBody(error.code, error.messages) };
}

function errorBody(code: ErrorCode, message: string | string[]): string {
  const { status, title } = errorKinds[code];
  return JSON.stringify({ message, error: title, statusCode: status });
}

/**
 * A list reply: the page's rows, copied as they came from the database, and the next page's token, which is
 * left out on the last page.
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

/** JSON Schema of a list reply. @param more further members in addition to the rows */
export const page = (field: string, row: JsonSchema, more: JsonSchemas = {}): JsonSchema =>
  object(
    'A page of the list.',
    { [field]: list('The rows of the page, in list order.', row), ...more },
    {
      nextPageToken: text(
        'Send it as pageToken within 24 hours to get the next page. Left out on the last page.',
        { pattern: UUID_V4_PATTERN },
      ),
    },
  );
