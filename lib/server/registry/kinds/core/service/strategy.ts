import type { LoadBalancerStatus, Service } from '#lib/api/types/core.v1.ts';
import { FieldPath } from '#lib/machinery/validation/field.ts';
import { nameIsDNSLabel } from '#lib/machinery/validation/names.ts';
import type { KindStrategy } from '../../../strategy.ts';
import { validateLoadBalancerStatus } from '../../shared/load-balancer-status.ts';
import { keepField, statusStrategy } from '../../shared/status.ts';
import { validateClusterIPs } from './cluster-ips.ts';
import { defaultService } from './defaults.ts';
import { dropInternalTrafficPolicy, keepAllocated, mayHaveNeedlessPolicy, normalizeClusterIPs } from './normalize.ts';
import { typeOf } from './shape.ts';
import { dropTypeDependentFields } from './type-change.ts';
import { validateService, validateServiceUpdate } from './validation.ts';
import { serviceWarnings } from './warnings.ts';

const LOAD_BALANCER = FieldPath.of('status', 'loadBalancer');

const balancerOf = (service: Service): LoadBalancerStatus => service.status.loadBalancer;

/** Upstream's pkg/registry/core/service. The registry allocates addresses and ports with `allocation.ts`. */
export const serviceStrategy: KindStrategy<Service> = {
  validateName: nameIsDNSLabel,
  allowCreateOnUpdate: true,
  hasGeneration: false,
  default: defaultService,
  onRead: { concerns: mayHaveNeedlessPolicy, change: dropInternalTrafficPolicy },
  prepareForCreate(service) {
    service.status = { loadBalancer: {} };
    normalizeClusterIPs(service);
    dropInternalTrafficPolicy(service);
  },
  prepareForUpdate(service, old) {
    keepField(service, old, 'status');
    keepAllocated(service, old);
    normalizeClusterIPs(service, old);
    dropTypeDependentFields(service, old);
    dropInternalTrafficPolicy(service);
  },
  preValidate: validateClusterIPs,
  validate: (service) => validateService(service),
  validateUpdate: validateServiceUpdate,
  warnings: serviceWarnings,
  selectableFields: (service) => ({
    'spec.clusterIP': service.spec.clusterIP ?? '',
    'spec.type': service.spec.type ?? '',
  }),
  subresources: {
    status: statusStrategy((service, old) =>
      validateLoadBalancerStatus(balancerOf(service), balancerOf(old), typeOf(service), LOAD_BALANCER),
    ),
  },
};
