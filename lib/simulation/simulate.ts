import type { Reconciler } from '#lib/client/controller/reconciler.ts';
import { simulatedNodes } from './node-reconciler.ts';
import type { SimulationOptions } from './options.ts';
import { simulatedPods } from './pod-reconciler.ts';
import { simulatedVolumes } from './volume-reconciler.ts';

/** The reconcilers that simulate the kubelets of these nodes and their storage. */
export const simulate = (options: SimulationOptions): readonly Reconciler[] => [
  simulatedNodes(options),
  simulatedPods(options),
  simulatedVolumes(options.provisioner),
];
