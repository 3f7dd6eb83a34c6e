import {
  DEVICE_CLASSES,
  RESOURCE_CLAIM_TEMPLATES,
  RESOURCE_CLAIMS,
  RESOURCE_SLICES,
} from '#lib/api/types/resources.ts';
import { type KindStrategies, strategyOf } from '../../strategy.ts';
import { deviceClassStrategy } from './device-class.ts';
import { resourceClaimStrategy } from './resource-claim.ts';
import { resourceClaimTemplateStrategy } from './resource-claim-template.ts';
import { resourceSliceStrategy } from './resource-slice.ts';

/** The strategies of the group `resource.k8s.io`. */
export const resourceStrategies: KindStrategies = {
  ...strategyOf(DEVICE_CLASSES, deviceClassStrategy),
  ...strategyOf(RESOURCE_CLAIMS, resourceClaimStrategy),
  ...strategyOf(RESOURCE_CLAIM_TEMPLATES, resourceClaimTemplateStrategy),
  ...strategyOf(RESOURCE_SLICES, resourceSliceStrategy),
};
