import type { KindStrategies } from '../strategy.ts';
import { appsStrategies } from './apps/strategies.ts';
import { batchStrategies } from './batch/strategies.ts';
import { podStrategies } from './core/workload-strategies.ts';

/** What every built-in kind adds to the generic behaviour, by `group/resource`. A kind that is not here adds nothing. */
export const STRATEGIES: KindStrategies = {
  ...podStrategies,
  ...appsStrategies,
  ...batchStrategies,
};
