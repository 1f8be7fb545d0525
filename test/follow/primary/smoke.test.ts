import { readFileSync } from 'node:fs';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { rebuildGenesis } from '../../../src/avalanche/codec/genesis-bytes.js';
import { follow } from '../../../src/follow/follow.js';
import { openNode } from '../../../src/follow/node/nodes.js';
import { readForkTimes, readNodeFacts } from '../../../src/follow/node-facts.js';
import { primaryPipelines } from '../../../src/follow/primary/primary.js';
import { parseJson } from '../../../src/json.js';
import { createImportPlace } from '../../harness/ingest.js';

const name = process.env['SMOKE'] ?? 'network-a';
test('smoke', { timeout: 600_000 }, async () => {
  const shared = '/work/shared/node/';
  const { serve } = (await import(`${shared}recorded-node.mjs`)) as { serve: (dir: string, opt: object) => { server: import('node:http').Server; close: () => void } };
  const server = serve(`${shared}${name}`, { port: 19650 });
  await new Promise((done) => setTimeout(done, 500));
  const place = await createImportPlace();
  const signal = AbortSignal.timeout(500_000);
  const nodes = openNode(['http://127.0.0.1:19650'], { log: pino({ level: 'warn' }) });
  const facts = await readNodeFacts(nodes, signal);
  const genesis = rebuildGenesis(parseJson(readFileSync(`${shared}${name}/genesis.json`, 'utf8')));
  expect(genesis.id).toBe(facts.genesis);
  const network = { network: 'fuji' as const, ...facts, ...(await readForkTimes(nodes, signal)), fee: await nodes.platform.validatorFeeConfig({ signal }) };
  const made = primaryPipelines(nodes, network, genesis);
  const only = (process.env['ONLY'] ?? 'p,x,c-atomic').split(',');
  const began = performance.now();
  const following = follow({
    storage: place.storage,
    network: 'fuji',
    pipelines: Object.values(made).filter((each) => only.includes(each.name)),
    nodes,
    from: {},
    once: true,
    log: pino({ level: 'silent' }),
    signal,
  });
  const timer = setInterval(() => console.log(following.views.map((v) => `${v.name} ${v.state} ${(v.note ?? '').slice(0, 300)}`)), 5000);
  const ended = await following.ended;
  clearInterval(timer);
  console.log('seconds', (performance.now() - began) / 1000);
  console.log(await place.storage.prisma.$queryRawUnsafe(`select chain, tx_type, count(*)::int from transaction group by 1,2 order by 1,2`));
  console.log(await place.storage.prisma.$queryRawUnsafe(`select count(*)::int, count(*) filter (where consuming_tx_hash is null)::int unspent from utxo`));
  console.log(await place.storage.prisma.$queryRawUnsafe(`select name, state::text, memo::text, counters::text from follow_pipeline`));
  expect(ended.map((e) => String(e.why.message).slice(0, 600))).toEqual([]);
  await nodes.close();
  await place.close();
  server.close();
});
