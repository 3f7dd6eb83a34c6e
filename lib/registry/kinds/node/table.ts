import type { KindStrategies } from '../../strategy.ts';
import { runtimeClassStrategy } from './runtime-class.ts';

export const nodeStrategies: KindStrategies = { 'node.k8s.io/runtimeclasses': runtimeClassStrategy };
