import { afterAll, beforeAll, expect, test } from 'vitest';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { createApp, type TestApp } from '../harness/app.js';
import { makeKey } from '../harness/keys.js';
import { operations } from '../harness/openapi.js';

let gateway: TestApp;
/** Webhooks are for who has a key. */
let key: string;
beforeAll(async () => {
  gateway = await createApp({}, { sample: true });
  ({ key } = await makeKey(gateway, 'free'));
});
afterAll(() => gateway.close());

// Without a precision it takes a number that JavaScript prints with an exponent for no multiple of 1.
const ajv = new Ajv2020({ strict: false, validateFormats: false, multipleOfPrecision: 9 });

interface Schema {
  type?: string;
  enum?: readonly string[];
  pattern?: string;
  minimum?: number;
  maximum?: number;
}

const powers = [31n, 32n, 53n, 63n, 64n, 256n].flatMap((each) =>
  [-1n, 0n, 1n].map((more) => 2n ** each + more),
);
const digits = [...powers.map(String), '0', '00', '1', '-1', '+1', '1.5', '1e3', ' 1'].concat(
  [76, 77, 78, 79].flatMap((length) => ['0', '1', '9'].map((digit) => digit.repeat(length))),
  // Every length of what the largest number begins with, and the digit after it one more or less.
  [...String(2n ** 256n - 1n)].flatMap((digit, index, all) =>
    [-1, 0, 1].flatMap((more) => {
      const next = Number(digit) + more;
      const head = all.slice(0, index).join('');
      return next < 0 || next > 9 ? [] : [`${head}${next}${'9'.repeat(77 - index)}`];
    }),
  ),
);

/** Values at the bounds of a parameter's schema, and of what a reader of numbers may hold. */
function boundary({ schema, example }: { schema: Schema; example?: unknown }): string[] {
  const known = typeof example === 'string' ? [example] : [];
  const around = [schema.minimum, schema.maximum].flatMap((bound) =>
    bound === undefined ? [] : [-1n, 0n, 1n].map((more) => String(BigInt(bound) + more)),
  );
  // A whole number of a closed range is written without fraction and exponent.
  if (schema.type === 'integer')
    return [...around, ...powers.map(String), '0', '-1', '0.5', '253402300799001'];
  if (schema.type === 'number')
    return [...around, ...powers.map(String), '0', '-1', '0.5', '1e3', '1e+21', '5.0', '253402300799001'];
  if (schema.type === 'boolean') return ['true', 'false', 'TRUE', '1', 'null'];
  if (schema.enum) return [...schema.enum, ...schema.enum.map((each) => each.toUpperCase()), 'x'];
  const changed = [
    ...known,
    ...known.flatMap((each) => [each.toUpperCase(), `${each}1`, each.slice(1), ` ${each}`]),
  ];
  return [...changed, ...digits, 'x', '0x', `0x${'a'.repeat(40)}`, `0X${'A'.repeat(64)}`, 'a'.repeat(64)];
}

/** Whether a schema allows what a text in an address stands for. */
function allows(schema: Schema, text: string): boolean {
  if (schema.type === 'string') return ajv.validate(schema, text);
  if (schema.type === 'boolean')
    return ajv.validate(schema, text === 'true' || (text === 'false' ? false : text));
  return ajv.validate(schema, Number(text)) && fitsFormat(schema, text);
}

/** A JavaScript number is too coarse for the bounds of int64. */
const fitsFormat = (schema: Schema & { format?: string }, text: string) =>
  schema.format !== 'int64' || !/^\d+$/.test(text) || BigInt(text) < 2n ** 63n;

/**
 * Values that mean no bound of a time: a range with one maximum cannot say that larger ones are right again.
 */
const meansNoBound = (name: string, text: string) =>
  /^(since|until|\w+Timestamp)$/.test(name) && Number(text) > 253_402_300_799_000_000;

/**
 * What is wrong with some of them is no form: a checksum, a network, the hour in which a token was issued.
 */
const hasOtherRules =
  /^(pageToken|addresses|address|assetId|blockchainId|sourceBlockchainId|destinationBlockchainId|chainId|txHash|vertexHash|messageId|subnetId|nodeId|l1ValidationId)$/;

const parameters = operations
  .filter(({ path }) => path.startsWith('/v'))
  .flatMap((each) => (each.operation.parameters ?? []).map((parameter) => ({ ...each, parameter })));

test.each(parameters.map((each) => [`${each.name}: ${each.parameter.name}`, each] as const))(
  'the document allows what the server accepts, %s',
  async (_name, { method, path, operation, parameter }) => {
    const schema = parameter.schema as Schema;
    const different: string[] = [];
    // On the other chains it is ignored, as its description says.
    const others: Record<string, string> = parameter.name === 'assetId' ? { blockchainId: 'x-chain' } : {};
    // An empty end of a path names the path before it.
    const isEnd = path.endsWith(`{${parameter.name}}`);
    for (const value of boundary(parameter).filter((each) => each !== '' || !isEnd)) {
      const filled = path.replaceAll(/\{(\w+)\}/g, (_match, name: string) => {
        const example = operation.parameters?.find((each) => each.name === name)?.example;
        return encodeURIComponent(name === parameter.name ? value : (others[name] ?? String(example)));
      });
      const query = parameter.in === 'query' ? `?${parameter.name}=${encodeURIComponent(value)}` : '';
      const reply = await gateway.app.inject({
        method: method.toUpperCase() as 'GET',
        url: filled + query,
        headers: { 'x-service-api-key': key },
      });
      const { message } = reply.body ? reply.json<{ message?: string | string[] }>() : {};
      const isAccepted = ![message ?? []].flat().some((text) => text.startsWith(`${parameter.name}:`));
      const isAllowed = allows(schema, value);
      if (isAccepted === isAllowed || (isAccepted && meansNoBound(parameter.name, value))) continue;
      if (!isAccepted && hasOtherRules.test(parameter.name)) continue;
      different.push(`${value}: ${isAccepted ? 'accepted' : 'refused'}, ${JSON.stringify(message)}`);
    }
    expect(different).toEqual([]);
  },
);
