import { POD_DISRUPTION_BUDGETS } from '#lib/api/types/resources.ts';
import { type KindStrategies, strategyOf } from '../../strategy.ts';
import { podDisruptionBudgetStrategy } from './pod-disruption-budget.ts';

/** The strategies of the group `policy`. */
export const policyStrategies: KindStrategies = { ...strategyOf(POD_DISRUPTION_BUDGETS, podDisruptionBudgetStrategy) };
