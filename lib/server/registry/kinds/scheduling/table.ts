import { PRIORITY_CLASSES } from '#lib/api/types/resources.ts';
import { type KindStrategies, strategyOf } from '../../strategy.ts';
import { priorityClassStrategy } from './priority-class.ts';

/** The strategies of the group `scheduling.k8s.io`. */
export const schedulingStrategies: KindStrategies = { ...strategyOf(PRIORITY_CLASSES, priorityClassStrategy) };
