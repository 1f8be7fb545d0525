import { readModels, type Column, type Enum, type Model } from './prisma-schema.js';

/** docs/tables.md, made from prisma/schema.prisma. */
export async function tablesPage(): Promise<string> {
  const { models, enums } = await readModels(new URL('../prisma/schema.prisma', import.meta.url));
  return [
    '# Tables',
    'The tables of Moraine, as `prisma/schema.prisma` declares them: `npm run tables` writes this page. ' +
      '[Architecture](./architecture.md) says how they are used. The diagram has keys and relations: `PK` is the ' +
      'primary key, `UK` is part of another key. Not every relation has a foreign key in the database.',
    `\`\`\`mermaid\nerDiagram\n${[...models.map(boxOf), ...models.flatMap(relationsOf)].join('\n')}\n\`\`\``,
    ...models.map(sectionOf),
    '## Types',
    table(['type', 'values', 'what it is'], enums.map(rowOf)),
    '',
  ]
    .join('\n\n')
    .replace(/\n\n$/, '\n');
}

function boxOf({ table: name, columns, primaryKey, uniqueKeys, references }: Model): string {
  const marksOf = (column: string) =>
    [
      primaryKey.includes(column) && 'PK',
      uniqueKeys.some((key) => key.includes(column)) && 'UK',
      references.some((each) => each.columns.includes(column)) && 'FK',
    ].filter((mark) => mark !== false);
  const lines = columns.flatMap((column) => {
    const marks = marksOf(column.name);
    return marks.length > 0 ? [`    ${wordOf(column.type)} ${column.name} ${marks.join(', ')}`] : [];
  });
  return [`  ${name} {`, ...lines, '  }'].join('\n');
}

/** A type as the diagram can have it: one word. */
const wordOf = (type: string) =>
  type
    .replace(/\([^)]*\)/, '')
    .replace('timestamp with time zone', 'timestamptz')
    .replaceAll(' ', '_');

const relationsOf = ({ table: name, references }: Model): string[] =>
  references.map(
    ({ name: as, table: other, isOptional }) => `  ${other} ${isOptional ? '|o' : '||'}--o{ ${name} : ${as}`,
  );

function sectionOf({ table: name, description, columns, references }: Model): string {
  const rowOfColumn = ({ name, type, nullable, description }: Column) => {
    const named = references.find((each) => each.columns.includes(name));
    const text = [...(named ? [`Names a row of \`${named.table}\`.`] : []), description];
    return [`\`${name}\``, nullable ? `${type}, or null` : type, text.join(' ').trim()];
  };
  return [
    `## ${name}`,
    ...(description === '' ? [] : [description]),
    table(['column', 'type', 'what it is'], columns.map(rowOfColumn)),
  ].join('\n\n');
}

const rowOf = ({ type, description, values }: Enum) => [`\`${type}\``, values.join(', '), description];

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows]
    .map((cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`)
    .join('\n');
