import { LEASES } from '#lib/api/types/resources.ts';
import { type KindStrategies, strategyOf } from '../../strategy.ts';
import { leaseStrategy } from './lease.ts';

/** The strategies of the group `coordination.k8s.io`. */
export const coordinationStrategies: KindStrategies = { ...strategyOf(LEASES, leaseStrategy) };
