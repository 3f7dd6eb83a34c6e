import {
  CONFIG_MAPS,
  ENDPOINTS,
  EVENTS,
  LIMIT_RANGES,
  NAMESPACES,
  NODES,
  PERSISTENT_VOLUME_CLAIMS,
  PERSISTENT_VOLUMES,
  RESOURCE_QUOTAS,
  SECRETS,
  SERVICE_ACCOUNTS,
  SERVICES,
} from '#lib/api/types/resources.ts';
import { type KindStrategies, strategyOf } from '../../strategy.ts';
import { configMapStrategy } from './config-map.ts';
import { endpointsStrategy } from './endpoints.ts';
import { eventStrategy } from './event.ts';
import { limitRangeStrategy } from './limit-range.ts';
import { namespaceStrategy } from './namespace.ts';
import { nodeStrategy } from './node.ts';
import { persistentVolumeStrategy } from './persistent-volume/strategy.ts';
import { persistentVolumeClaimStrategy } from './persistent-volume-claim/strategy.ts';
import { resourceQuotaStrategy } from './resource-quota.ts';
import { secretStrategy } from './secret.ts';
import { serviceStrategy } from './service/strategy.ts';
import { serviceAccountStrategy } from './service-account.ts';

/** The strategies of the core group, except pods and kinds with pod templates. */
export const coreStrategies: KindStrategies = {
  ...strategyOf(CONFIG_MAPS, configMapStrategy),
  ...strategyOf(ENDPOINTS, endpointsStrategy),
  ...strategyOf(EVENTS, eventStrategy),
  ...strategyOf(LIMIT_RANGES, limitRangeStrategy),
  ...strategyOf(NAMESPACES, namespaceStrategy),
  ...strategyOf(NODES, nodeStrategy),
  ...strategyOf(PERSISTENT_VOLUME_CLAIMS, persistentVolumeClaimStrategy),
  ...strategyOf(PERSISTENT_VOLUMES, persistentVolumeStrategy),
  ...strategyOf(RESOURCE_QUOTAS, resourceQuotaStrategy),
  ...strategyOf(SECRETS, secretStrategy),
  ...strategyOf(SERVICE_ACCOUNTS, serviceAccountStrategy),
  ...strategyOf(SERVICES, serviceStrategy),
};
