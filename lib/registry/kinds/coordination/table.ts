import type { KindStrategies } from '../../strategy.ts';
import { leaseStrategy } from './lease.ts';

export const coordinationStrategies: KindStrategies = { 'coordination.k8s.io/leases': leaseStrategy };
