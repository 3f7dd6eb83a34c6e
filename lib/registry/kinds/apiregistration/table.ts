import type { KindStrategies } from '../../strategy.ts';
import { apiServiceStrategy } from './api-service.ts';

export const apiRegistrationStrategies: KindStrategies = { 'apiregistration.k8s.io/apiservices': apiServiceStrategy };
