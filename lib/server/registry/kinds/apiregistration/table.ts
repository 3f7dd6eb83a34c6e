import { API_SERVICES } from '#lib/api/types/resources.ts';
import { type KindStrategies, strategyOf } from '../../strategy.ts';
import { apiServiceStrategy } from './api-service.ts';

/** The strategies of the group `apiregistration.k8s.io`. */
export const apiRegistrationStrategies: KindStrategies = { ...strategyOf(API_SERVICES, apiServiceStrategy) };
