// `npm run bench -- NAME`: compares alternatives in one run and prints ratios.
import { readdirSync } from 'node:fs';
import { Command } from 'commander';
import { FAILED } from './harness/measures.js';
import type { Usage } from './harness/usage.js';

interface Benchmark {
  usage: Usage;
  run: (args: string[]) => Promise<void>;
}

const program = new Command('npm run bench --')
  .description(
    'Compares alternatives in one run and prints ratios. Times are of this machine, ratios are not.',
  )
  .addHelpText('after', '\n`npm run bench -- NAME --help` says what it measures and what it takes.');

const files = readdirSync(import.meta.dirname).filter((file) => file.endsWith('.ts') && file !== 'main.ts');
for (const file of files.sort()) {
  const name = file.replace(/\.ts$/, '');
  const { usage, run } = (await import(`./${file}`)) as Benchmark;
  const command = program.command(name).description(usage.about);
  for (const [flags, text] of Object.entries(usage.options)) command.option(flags, text);
  if (usage.rest) command.argument(...usage.rest);
  command.action(() => run(process.argv.slice(3)));
}
try {
  await program.parseAsync();
} catch (error) {
  console.error(error);
  process.exitCode = FAILED;
}
