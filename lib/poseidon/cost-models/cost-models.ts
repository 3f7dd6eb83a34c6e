import type { CostModel } from '../cost-model.ts';
import { cpuMemory } from './cpu-memory.ts';
import { leastNodes } from './least-nodes.ts';
import { locality } from './locality.ts';
import { netAware } from './net-aware.ts';

/** The names of the cost models, the default first. */
export const COST_MODEL_NAMES = ['cpu-memory', 'least-nodes', 'locality', 'net-aware'] as const;
/** The name of a cost model. */
export type CostModelName = (typeof COST_MODEL_NAMES)[number];

/** The cost models by name. */
export const COST_MODELS: Readonly<Record<CostModelName, CostModel>> = {
  'cpu-memory': cpuMemory,
  'least-nodes': leastNodes,
  locality,
  'net-aware': netAware,
};
