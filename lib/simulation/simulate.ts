import type { Reconciler } from '#lib/controller/reconciler.ts';
import { simulatedNodes } from './node-reconciler.ts';
import type { SimulationOptions } from './options.ts';
import { simulatedPods } from './pod-reconciler.ts';

/** What stands in for the kubelets of these nodes. */
export const simulate = (options: SimulationOptions): readonly Reconciler[] => [
  simulatedNodes(options),
  simulatedPods(options),
];
