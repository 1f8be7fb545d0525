import type { Job, QueueNames } from '../../jobs/queue.js';

/** The queue of jobs that send the events of a webhook. */
export const webhookQueue: QueueNames = {
  name: 'webhook-events',
  lost: 'webhook-events-lost',
  jobs: 'webhook jobs',
};

/** The webhook whose events a job sends. */
export interface WebhookJob extends Job {
  /** Row id, decimal digits. */
  webhook: string;
}
