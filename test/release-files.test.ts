import { existsSync, readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { followerOptions } from '../src/commands/follow-child.js';
import { read, root } from './harness/ops-files.js';

interface Job {
  uses?: string;
  needs?: string;
  permissions?: Record<string, string>;
  strategy?: { matrix: { node: string[] } };
  steps?: { run?: string; uses?: string }[];
}

interface Workflow {
  on: Record<string, { tags?: string[] } | null>;
  permissions: Record<string, string>;
  jobs: Record<string, Job>;
}

const workflow = (name: string) => parse(read(`.github/workflows/${name}.yml`)) as Workflow;
const runs = ({ steps = [] }: Job) => steps.flatMap(({ run }) => run ?? []).join('\n');
const manifest = JSON.parse(read('package.json')) as {
  version: string;
  engines: { node: string };
  scripts: { moraine: string };
};

describe('the workflows', () => {
  test('run the gate for every change, from the oldest Node on', () => {
    const { on, jobs, permissions } = workflow('gate');
    expect(Object.keys(on)).toEqual(expect.arrayContaining(['push', 'pull_request', 'workflow_call']));
    expect(permissions).toEqual({ contents: 'read' });
    expect(runs(jobs['gate']!).split('\n')).toContain('.ci/run');
    expect(jobs['gate']!.strategy!.matrix.node[0]).toBe(manifest.engines.node.replace('>=', ''));
  });

  test('publish a tag after the gate, with provenance and a list of what is in it', () => {
    const { on, jobs, permissions } = workflow('release');
    expect(on).toEqual({ push: { tags: ['v*'] } });
    expect(permissions).toEqual({ contents: 'read' });
    expect(jobs['gate']!.uses).toBe('./.github/workflows/gate.yml');
    const publish = jobs['publish']!;
    expect(publish).toMatchObject({ needs: 'gate', permissions: { 'id-token': 'write' } });
    expect(runs(publish)).toMatch(/npm sbom .*--sbom-format cyclonedx[^]*npm publish --provenance/);
  });
});

test('the templates of issues are forms that ask for something', () => {
  const folder = new URL('.github/ISSUE_TEMPLATE/', root);
  const forms = readdirSync(folder).filter((file) => file !== 'config.yml');
  expect(forms.length).toBeGreaterThan(1);
  for (const file of forms) {
    const form = parse(read(`.github/ISSUE_TEMPLATE/${file}`)) as { name: string; body: { id?: string }[] };
    expect(form.name, file).toBeTruthy();
    expect(form.body.filter(({ id }) => id).length, file).toBeGreaterThan(0);
  }
  expect(existsSync(new URL('.github/pull_request_template.md', root))).toBe(true);
});

test('pages and files that name the present version name that of package.json', () => {
  const named = ['README.md', 'docs/operating.md', 'docs/embedding.md', 'ops/compose/compose.yaml'].flatMap(
    (file) => {
      const found = read(file).matchAll(/\bmoraine[-:](\d+\.\d+\.\d+)|\bVERSION=(\d+\.\d+\.\d+)/g);
      return [...found].map(([, ...versions]) => `${file}: ${versions.find(Boolean)}`);
    },
  );
  expect(named.length).toBeGreaterThan(5);
  // The newer one of the section about upgrades.
  const others = named.filter((each) => !each.endsWith(` ${manifest.version}`));
  expect(others).toEqual(['docs/operating.md: 0.2.0']);
});

test('a follower has the same options of Node.js from npm run moraine, from FOLLOW and in the docs', () => {
  const given = followerOptions.join(' ');
  expect(manifest.scripts.moraine).toBe(`node ${given} bin/moraine.mjs`);
  expect(read('docs/following.md')).toContain(`NODE_OPTIONS=${given}`);
});
