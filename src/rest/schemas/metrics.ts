import { hex, object, page, ref, whole, type JsonSchemas } from './build.js';

export const metricsSchemas: JsonSchemas = {
  CompositeQueryResponse: page('addresses', hex('An address in mixed-case checksum form.', 20), {
    subQueryCounts: {
      type: 'object',
      description: 'How many addresses each sub-query matches, by its id.',
      additionalProperties: whole('Addresses.'),
    },
    totalCount: whole('Addresses of the whole combined result.'),
  }),
  MetricValue: object('A point of the series.', {
    value: { type: 'number', description: 'Fees in nAVAX, or a number of validators.' },
    timestamp: whole('00:00 UTC of the day, Unix seconds.'),
  }),
  MetricResponse: page('results', ref('MetricValue')),
};
