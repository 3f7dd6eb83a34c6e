import { ENDPOINT_SLICES } from '#lib/api/types/resources.ts';
import { type KindStrategies, strategyOf } from '../../strategy.ts';
import { endpointSliceStrategy } from './endpoint-slice.ts';

/** The strategies of the group `discovery.k8s.io`. */
export const discoveryStrategies: KindStrategies = { ...strategyOf(ENDPOINT_SLICES, endpointSliceStrategy) };
