import type { KindStrategies } from '../../strategy.ts';
import { cronJobStrategy } from './cron-job.ts';
import { jobStrategy } from './job.ts';

export const batchStrategies: KindStrategies = {
  'batch/cronjobs': cronJobStrategy,
  'batch/jobs': jobStrategy,
};
