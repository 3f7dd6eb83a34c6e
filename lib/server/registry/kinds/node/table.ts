import { RUNTIME_CLASSES } from '#lib/api/types/resources.ts';
import { type KindStrategies, strategyOf } from '../../strategy.ts';
import { runtimeClassStrategy } from './runtime-class.ts';

/** The strategies of the group `node.k8s.io`. */
export const nodeStrategies: KindStrategies = { ...strategyOf(RUNTIME_CLASSES, runtimeClassStrategy) };
