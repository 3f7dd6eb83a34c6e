import type { KindStrategies } from '../../strategy.ts';
import { priorityClassStrategy } from './priority-class.ts';

export const schedulingStrategies: KindStrategies = { 'scheduling.k8s.io/priorityclasses': priorityClassStrategy };
