/** HTML text, as the tag `markup` makes it. */
export class Html {
  constructor(readonly text: string) {}
}

type Value = string | number | Html | readonly Html[];

/** A piece of HTML; every value that is not HTML itself is escaped. */
export function markup(strings: TemplateStringsArray, ...values: readonly Value[]): Html {
  const pieces = strings.map(
    (string, index) => string + (index < values.length ? render(values[index] ?? '') : ''),
  );
  return new Html(pieces.join(''));
}

function render(value: Value): string {
  if (value instanceof Html) return value.text;
  if (typeof value === 'object') return value.map(render).join('');
  return String(value).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
