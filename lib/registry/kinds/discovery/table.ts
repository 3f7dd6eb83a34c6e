import type { KindStrategies } from '../../strategy.ts';
import { endpointSliceStrategy } from './endpoint-slice.ts';

export const discoveryStrategies: KindStrategies = { 'discovery.k8s.io/endpointslices': endpointSliceStrategy };
