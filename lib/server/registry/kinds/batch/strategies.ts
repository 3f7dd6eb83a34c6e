import { CRON_JOBS, JOBS } from '#lib/api/types/resources.ts';
import { type KindStrategies, strategyOf } from '../../strategy.ts';
import { cronJobStrategy } from './cron-job.ts';
import { jobStrategy } from './job.ts';

/** The strategies of the group `batch`. */
export const batchStrategies: KindStrategies = {
  ...strategyOf(CRON_JOBS, cronJobStrategy),
  ...strategyOf(JOBS, jobStrategy),
};
