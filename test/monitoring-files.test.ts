import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createApp, type TestApp } from './harness/app.js';
import { listPath, listQuery, makeKey } from './harness/keys.js';
import { declaredIn, metricsOf, seriesIn } from './harness/promql.js';
import { redisMissing, startRedis, type TestRedis } from './harness/redis.js';

const file = (path: string) => new URL(`../ops/${path}`, import.meta.url);
const read = (path: string) => readFileSync(file(path), 'utf8');

const promtoolMissing =
  spawnSync('promtool', ['--version']).status === 0 || process.env['CI']
    ? undefined
    : 'promtool is not installed (Debian: apt install prometheus)';

interface Panel {
  id: number;
  type: string;
  title: string;
  description?: string;
  datasource?: { type: string; uid: string };
  gridPos: { h: number; w: number; x: number; y: number };
  fieldConfig?: { defaults: { unit?: string } };
  targets?: { refId: string; expr: string }[];
}

const dashboard = JSON.parse(read('grafana/moraine.json')) as {
  uid: string;
  title: string;
  schemaVersion: number;
  templating: { list: { name: string; type: string; query: unknown }[] };
  panels: Panel[];
};
const rules = read('prometheus/alerts.yml');
const charts = dashboard.panels.filter(({ type }) => type !== 'row');

let redis: TestRedis | undefined;
let gateway: TestApp;
let scrape: string;

beforeAll(async () => {
  redis = redisMissing ? undefined : await startRedis();
  // The same metrics show a Redis that is missing and one that is there.
  gateway = await createApp({ RATE_LIMITS: 'on', REDIS_URL: redis?.url ?? 'redis://127.0.0.1:1' });
  const { key } = await makeKey(gateway, 'free');
  await gateway.get(listPath, { 'x-service-api-key': key });
  await gateway.graphql(listQuery);
  await gateway.get('/metrics');
  scrape = (await gateway.get('/metrics')).text;
});

afterAll(async () => {
  await gateway.close();
  await redis?.stop();
});

/**
 * What queries may read: all that a scrape shows, what it declares and has no sample of yet, and Prometheus'
 * own.
 */
function existing(): Set<string> {
  const names = seriesIn(scrape);
  for (const name of declaredIn(scrape).keys()) names.add(name);
  return names.add('up');
}

test('the reader of queries finds metrics and nothing else', () => {
  const query = `sum by (le, a) (rate(x_bucket{b="c_d", e=~"f(g)"}[5m])) / on (i) group_left (j) y_total > 0.5 and z`;
  expect(metricsOf(query)).toEqual(['x_bucket', 'y_total', 'z']);
});

test('every metric is moraine’s by its name, or one that Node’s programs have in common', () => {
  const others = [...declaredIn(scrape).keys()].filter((name) => !/^(moraine|process|nodejs)_/.test(name));
  expect(others).toEqual([]);
});

describe('the dashboard', () => {
  test('reads metrics that exist', () => {
    const known = existing();
    const unknown = charts.flatMap(({ title, targets = [] }) =>
      targets.flatMap(({ expr }) =>
        metricsOf(expr)
          .filter((name) => !known.has(name))
          .map((name) => `${title}: ${name}`),
      ),
    );
    expect(unknown).toEqual([]);
  });

  test('opens without edits: every panel has its source, unit, words and place', () => {
    expect(dashboard).toMatchObject({ uid: 'moraine', title: 'Moraine' });
    expect(dashboard.schemaVersion).toBeGreaterThanOrEqual(36);
    expect(dashboard.templating.list.map(({ name }) => name)).toEqual(['datasource', 'job', 'instance']);
    expect(new Set(dashboard.panels.map(({ id }) => id)).size).toBe(dashboard.panels.length);
    for (const panel of charts) {
      expect(panel.datasource).toEqual({ type: 'prometheus', uid: '${datasource}' });
      expect(panel.description, panel.title).toMatch(/\.$/);
      expect(panel.fieldConfig?.defaults.unit, panel.title).toBeTruthy();
      expect(panel.targets?.length, panel.title).toBeGreaterThan(0);
      expect(panel.gridPos.x + panel.gridPos.w, panel.title).toBeLessThanOrEqual(24);
    }
  });

  test('has no two panels in one place', () => {
    const cells = dashboard.panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_cell, index) => `${x + (index % w)},${y + Math.floor(index / w)}`),
    );
    expect(new Set(cells).size).toBe(cells.length);
  });

  test('shows every metric of Moraine', () => {
    const shown = charts.flatMap(({ targets = [] }) => targets.flatMap(({ expr }) => metricsOf(expr)));
    const forgotten = [...declaredIn(scrape)]
      .filter(([name]) => name.startsWith('moraine_'))
      .filter(([name]) => !shown.some((each) => each.replace(/_(bucket|sum|count)$/, '') === name));
    expect(forgotten).toEqual([]);
  });
});

describe('the alerts', () => {
  const expressions = [...rules.matchAll(/^ +expr: (?:\|\n((?: {10,}.*\n)+)|(.*)$)/gm)].map(
    ([, block, line]) => block ?? line ?? '',
  );
  const names = [...rules.matchAll(/^ +- alert: (\w+)$/gm)].map(([, name]) => name!);

  test('read metrics that exist', () => {
    expect(expressions).toHaveLength(names.length);
    const known = existing();
    const used = expressions.flatMap(metricsOf);
    expect(used.length).toBeGreaterThanOrEqual(names.length);
    expect(used.filter((name) => !known.has(name))).toEqual([]);
  });

  test('each is explained in docs/operating.md, and no other is', () => {
    const guide = readFileSync(new URL('../docs/operating.md', import.meta.url), 'utf8');
    const explained = [...guide.matchAll(/^\| `(Moraine\w+)` \|/gm)].map(([, name]) => name);
    expect(explained).toEqual(names);
  });

  test('each has a case in which it is raised, and one in which it stays silent', () => {
    const cases = [
      ...read('prometheus/alerts.test.yml').matchAll(/alertname: (\w+),?\s+exp_alerts:( \[\])?/g),
    ];
    const having = (isSilent: boolean) =>
      new Set(cases.filter(([, , none]) => !!none === isSilent).map(([, name]) => name));
    expect([...having(false)].sort()).toEqual([...names].sort());
    expect([...having(true)].sort()).toEqual([...names].sort());
  });

  test.skipIf(promtoolMissing)(`promtool takes the rules and their tests${promtoolMissing ?? ''}`, () => {
    for (const args of [
      ['check', 'rules', file('prometheus/alerts.yml').pathname],
      ['test', 'rules', file('prometheus/alerts.test.yml').pathname],
    ]) {
      const { status, stdout, stderr } = spawnSync('promtool', args, { encoding: 'utf8' });
      expect(status, `${stdout}${stderr}`).toBe(0);
    }
  });

  test.skipIf(promtoolMissing)('promtool takes what /metrics says, and the queries of the dashboard', () => {
    const lint = spawnSync('promtool', ['check', 'metrics'], { input: scrape, encoding: 'utf8' });
    // Names of Node's own metrics are prom-client's.
    const complaints = `${lint.stdout}${lint.stderr}`
      .split('\n')
      .filter((line) => line && !/^nodejs_/.test(line));
    expect(complaints).toEqual([]);
    const queries = charts.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
    const groups = {
      groups: [
        {
          name: 'dashboard',
          rules: queries.map((expr, index) => ({
            record: `panel:${index}`,
            expr: expr.replaceAll('$__rate_interval', '5m'),
          })),
        },
      ],
    };
    const folder = mkdtempSync(join(tmpdir(), 'moraine-rules-'));
    // JSON is YAML.
    const queriesFile = join(folder, 'queries.yml');
    writeFileSync(queriesFile, JSON.stringify(groups));
    const checked = spawnSync('promtool', ['check', 'rules', queriesFile], { encoding: 'utf8' });
    rmSync(folder, { recursive: true });
    expect(checked.status, `${checked.stdout}${checked.stderr}`).toBe(0);
  });
});
