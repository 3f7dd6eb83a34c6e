import type { KindStrategies } from '../../strategy.ts';
import { configMapStrategy } from './config-map.ts';
import { endpointsStrategy } from './endpoints.ts';
import { eventStrategy } from './event.ts';
import { limitRangeStrategy } from './limit-range.ts';
import { namespaceStrategy } from './namespace.ts';
import { nodeStrategy } from './node.ts';
import { persistentVolumeClaimStrategy } from './persistent-volume-claim/strategy.ts';
import { persistentVolumeStrategy } from './persistent-volume/strategy.ts';
import { resourceQuotaStrategy } from './resource-quota.ts';
import { secretStrategy } from './secret.ts';
import { serviceAccountStrategy } from './service-account.ts';
import { serviceStrategy } from './service/strategy.ts';

export const coreStrategies: KindStrategies = {
  '/configmaps': configMapStrategy,
  '/endpoints': endpointsStrategy,
  '/events': eventStrategy,
  '/limitranges': limitRangeStrategy,
  '/namespaces': namespaceStrategy,
  '/nodes': nodeStrategy,
  '/persistentvolumeclaims': persistentVolumeClaimStrategy,
  '/persistentvolumes': persistentVolumeStrategy,
  '/resourcequotas': resourceQuotaStrategy,
  '/secrets': secretStrategy,
  '/serviceaccounts': serviceAccountStrategy,
  '/services': serviceStrategy,
};
