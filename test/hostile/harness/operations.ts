import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

/** A parameter as OpenAPI describes it. */
export interface Parameter {
  name: string;
  in: 'path' | 'query';
  schema: { type: string; enum?: readonly string[]; minimum?: number; maximum?: number };
  example?: unknown;
  required?: boolean;
}

/** One method of one path of the OpenAPI document. */
export interface Operation {
  method: 'GET' | 'POST';
  path: string;
  parameters: readonly Parameter[];
  /** The example of its body, where it has one. */
  example?: unknown;
  /** The status of success. */
  status: number;
  /** Whether a success fits the documented reply; absent for one without body. */
  fits?: ValidateFunction;
}

interface Described {
  parameters?: Parameter[];
  requestBody?: { content: { 'application/json': { example?: unknown } } };
  responses: Record<string, { content?: object }>;
}

/** Every operation of the document that the gateway at `url` serves. */
export async function readOperations(url: string): Promise<Operation[]> {
  const document = (await (await fetch(`${url}/openapi.json`)).json()) as {
    paths: Record<string, Record<string, Described>>;
  };
  const ajv = addFormats.default(new Ajv2020({ strict: false }));
  ajv.addSchema(document, 'openapi.json');
  // Webhooks need an API key, which strangers do not have.
  const open = Object.entries(document.paths).filter(([path]) => !path.startsWith('/v1/webhooks'));
  return open.flatMap(([path, item]) =>
    (['get', 'post'] as const)
      .filter((method) => item[method])
      .map((method) => {
        const { parameters = [], requestBody, responses } = item[method] as Described;
        const status = Object.keys(responses).find((each) => each.startsWith('2')) ?? '200';
        const position = [
          'paths',
          path,
          method,
          'responses',
          status,
          'content',
          'application/json',
          'schema',
        ];
        const pointer = position.map((each) => each.replaceAll('~', '~0').replaceAll('/', '~1')).join('/');
        return {
          method: method === 'get' ? ('GET' as const) : ('POST' as const),
          path,
          parameters,
          example: requestBody?.content['application/json'].example,
          status: Number(status),
          ...(responses[status]?.content && {
            fits: ajv.compile({ $ref: `openapi.json#/${encodeURI(pointer)}` }),
          }),
        };
      }),
  );
}
