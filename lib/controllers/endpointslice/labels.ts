import type { Service } from '#lib/api/types/core.v1.ts';
import type { EndpointSlice } from '#lib/api/types/discovery.v1.ts';
import { equal } from '#lib/machinery/json-value.ts';
import { labelsOf, nameOf } from '#lib/machinery/meta.ts';
import { HEADLESS, hasAddress } from './service.ts';

/** The label that names a slice's service. */
export const SERVICE_NAME = 'kubernetes.io/service-name';
/** The label that names the controller of a slice. */
export const MANAGED_BY = 'endpointslice.kubernetes.io/managed-by';
/** The value of `MANAGED_BY` for slices of this controller. */
export const CONTROLLER = 'endpointslice-controller.k8s.io';

const RESERVED: readonly string[] = [SERVICE_NAME, MANAGED_BY, HEADLESS];

const ownLabels = (object: Service | EndpointSlice): Record<string, string> =>
  Object.fromEntries(Object.entries(labelsOf(object)).filter(([key]) => !RESERVED.includes(key)));

/** The labels of a service's slices: those of the service, and those that name the service and the controller. */
export const sliceLabels = (service: Service): Record<string, string> => ({
  ...ownLabels(service),
  ...(hasAddress(service) ? {} : { [HEADLESS]: '' }),
  [SERVICE_NAME]: nameOf(service),
  [MANAGED_BY]: CONTROLLER,
});

/** Whether the slice has the service's labels, ignoring those that the controller sets. */
export const labelsAgree = (slice: EndpointSlice, service: Service): boolean =>
  equal(ownLabels(slice), ownLabels(service));
