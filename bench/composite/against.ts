import { NO_WORSE, runHere, runThere, type Other } from '../harness/against.js';
import { startGateway, type Gateway } from '../harness/gateway.js';
import { dataFolder } from '../harness/database.js';
import { stopProcess } from '../harness/processes.js';
import { inRounds } from '../harness/rounds.js';
import { judge } from '../harness/measures.js';
import { median, ratios, spread } from '../harness/statistics.js';
import { bodyOf, PATH, type PageRequest, type Operator, type Page } from './request.js';

const FIRST_PORT = 4740;
const ROUNDS = 15;
/** Requests of a round, because a page of a cached set takes milliseconds. */
const WARM = 20;

/**
 * The times of pages of this checkout and of another one: separate gateways, each on the data that its own
 * benchmark makes, with the same requests in interleaved rounds.
 */
export async function compareCommits(other: Other): Promise<void> {
  await runHere('composite');
  await runThere(other, 'composite');
  const start = (checkout: string, folder: string, index: number) =>
    startGateway(checkout, { DATA_DIR: folder }, FIRST_PORT + index);
  const gateways = [
    await start(process.cwd(), dataFolder('composite'), 0),
    await start(other.checkout, dataFolder('composite', other), 1),
  ];
  try {
    for (const operator of ['AND', 'OR'] as const)
      for (const [name, pages] of Object.entries(kinds)) {
        const [ours = [], theirs = []] = await inRounds(gateways, ROUNDS, pages(operator));
        const found = ratios(ours, theirs);
        const judged = judge({
          name: `composite query, ${operator}, ${name}: time ÷ that of ${other.name}`,
          wanted: `at most ${1 + NO_WORSE}`,
          measured: spread(found),
          isMet: median(found) <= 1 + NO_WORSE,
        });
        console.log(
          `${operator}, ${name}: time ÷ that of ${other.name} ${spread(found)}, wanted at most ${1 + NO_WORSE}: ${judged}; milliseconds: ours ${spread(ours, 1)}, theirs ${spread(theirs, 1)}`,
        );
      }
  } finally {
    await Promise.all(gateways.map(({ child }) => stopProcess(child)));
  }
}

/** Milliseconds of a page, each call a round. */
type Round = (gateway: Gateway) => Promise<number>;

const kinds: Record<string, (operator: Operator) => Round> = {
  'first page of 1,000, cold': (operator) => {
    // Each gateway gets requests for the same sets, in turn.
    const apart = new Map<Gateway, number>();
    return async (gateway) => {
      apart.set(gateway, (apart.get(gateway) ?? 0) + 1);
      return (await ask(gateway, { operator, pageSize: 1000, apart: apart.get(gateway) })).time;
    };
  },
  'first page of 1,000, warm': (operator) => warm({ operator, pageSize: 1000 }),
  'next page of 1,000': (operator) => next({ operator, pageSize: 1000 }),
  'first page of 10,000, warm': (operator) => warm({ operator, pageSize: 10_000 }),
  'next page of 10,000': (operator) => next({ operator, pageSize: 10_000 }),
};

function warm(request: PageRequest): Round {
  return async (gateway) => {
    const times: number[] = [];
    for (let index = 0; index < WARM; index += 1) times.push((await ask(gateway, request)).time);
    return median(times);
  };
}

/** The page after the first thousand. */
function next(request: PageRequest): Round {
  return async (gateway) => {
    const { nextPageToken } = (await ask(gateway, { ...request, pageSize: 1000 })).page;
    return warm({ ...request, pageToken: nextPageToken })(gateway);
  };
}

async function ask({ origin }: Gateway, request: PageRequest): Promise<{ page: Page; time: number }> {
  const start = performance.now();
  const reply = await fetch(`${origin}${PATH}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: bodyOf(request),
  });
  const text = await reply.text();
  const time = performance.now() - start;
  if (reply.status !== 200) throw new Error(text);
  return { page: JSON.parse(text) as Page, time };
}
