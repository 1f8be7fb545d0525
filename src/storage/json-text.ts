/** How a column becomes JSON. */
type Form =
  /** Text that needs no escaping: ids, hashes, hex, digits. */
  | 'plain'
  /** Any text. */
  | 'text'
  /** A number or boolean. */
  | 'number'
  /** An SQL expression whose text already is JSON. */
  | 'json';

export interface JsonField {
  name: string;
  form: Form;
  /** The SQL expression. */
  sql: string;
  /** Whether NULL leaves the key out; otherwise the expression is never NULL. */
  optional?: boolean;
}

/**
 * The SQL expression of a JSON object's text without absent values. Concatenation, because json_strip_nulls
 * over json_build_object would parse the text that was just made.
 *
 * @param fields the first one must not be optional
 * @param members SQL of the text of a JSON object with at least one member, whose members are appended
 */
export function jsonText(fields: readonly JsonField[], members?: string): string {
  const parts = fields.flatMap((field, index) => {
    const key = `${index === 0 ? '{' : ','}"${field.name}":`;
    return field.optional ? [`(${pieces(field, key).join(' || ')})`] : pieces(field, key);
  });
  // concat() takes NULL for an empty text, which removes an optional field together with its key.
  const end = members === undefined ? ["'}'"] : ["','", `substr(${members}, 2)`];
  return `concat(${[...parts, ...end].join(', ')})`;
}

function pieces({ form, sql }: JsonField, key: string): string[] {
  switch (form) {
    case 'plain':
      return [`'${key}"'`, `(${sql})::text`, `'"'`];
    case 'text':
      return [`'${key}'`, `to_json(${sql})::text`];
    case 'number':
      // A boolean's text is t or f in concat(), true or false after a cast.
      return [`'${key}'`, `(${sql})::text`];
    case 'json':
      return [`'${key}'`, sql];
  }
}
