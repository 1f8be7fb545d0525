import { join, relative, sep } from 'node:path';
import ts from 'typescript';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../../..');
const union = join(root, 'src/avalanche/codec/p-types.ts');

/** The files of src that do not compile once the P-chain has one more type of transactions. */
function failing(): string[] {
  const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), (path) => ts.sys.readFile(path));
  const { options, fileNames } = ts.parseJsonConfigFileContent(config, ts.sys, root);
  const host = ts.createCompilerHost(options);
  const read = host.readFile.bind(host);
  host.readFile = (path) => {
    const text = read(path);
    return join(path) === union
      ? text?.replace("| { readonly type: 'BaseTx' }", "$& | { readonly type: 'TestTx' }")
      : text;
  };
  // Only these see the union; the whole of src takes a minute.
  const source = fileNames.filter(
    (path) =>
      relative(root, path).startsWith(`src${sep}`) &&
      /codec\/types|\/p-types/.test(ts.sys.readFile(path) ?? ''),
  );
  const program = ts.createProgram(source, { ...options, noEmit: true, skipLibCheck: true }, host);
  expect(program.getSourceFile(union)?.text).toContain('TestTx');
  const files = source
    .flatMap((path) => program.getSemanticDiagnostics(program.getSourceFile(path)))
    .map(({ file }) => relative(root, file?.fileName ?? ''));
  return [...new Set(files)].sort();
}

test('a new type of transactions is named by the compiler in the table of types, and where it is read and its details are made', () => {
  expect(failing()).toEqual([
    'src/avalanche/chain/transactions.ts',
    'src/avalanche/codec/p-transaction.ts',
    'src/follow/primary/p-details.ts',
  ]);
});
