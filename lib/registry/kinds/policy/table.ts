import type { KindStrategies } from '../../strategy.ts';
import { podDisruptionBudgetStrategy } from './pod-disruption-budget.ts';

export const policyStrategies: KindStrategies = { 'policy/poddisruptionbudgets': podDisruptionBudgetStrategy };
