import type { KindStrategies } from '../../strategy.ts';
import { deviceClassStrategy } from './device-class.ts';
import { resourceClaimTemplateStrategy } from './resource-claim-template.ts';
import { resourceClaimStrategy } from './resource-claim.ts';
import { resourceSliceStrategy } from './resource-slice.ts';

export const resourceStrategies: KindStrategies = {
  'resource.k8s.io/deviceclasses': deviceClassStrategy,
  'resource.k8s.io/resourceclaims': resourceClaimStrategy,
  'resource.k8s.io/resourceclaimtemplates': resourceClaimTemplateStrategy,
  'resource.k8s.io/resourceslices': resourceSliceStrategy,
};
