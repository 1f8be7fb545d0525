// `npm run bench -- NAME`: compares alternatives in one run and prints ratios.
import { existsSync, readdirSync } from 'node:fs';

const names = readdirSync(import.meta.dirname)
  .filter((file) => file.endsWith('.ts') && file !== 'main.ts')
  .map((file) => file.replace(/\.ts$/, ''));
const [name = '', ...args] = process.argv.slice(2);

if (!names.includes(name) || !existsSync(new URL(`${name}.ts`, import.meta.url))) {
  console.error(`usage: npm run bench -- NAME [ARGUMENT…]\n\nNAME is one of: ${names.join(', ')}`);
  process.exitCode = 2;
} else {
  const benchmark = (await import(`./${name}.ts`)) as { run: (args: string[]) => Promise<void> };
  await benchmark.run(args);
}
