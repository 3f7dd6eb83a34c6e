import { equal, type JsonObject } from '#lib/machinery/json-value.ts';
import { labelsOf, nameOf } from '#lib/machinery/meta.ts';
import { hasAddress, HEADLESS } from './service.ts';

export const SERVICE_NAME = 'kubernetes.io/service-name';
export const MANAGED_BY = 'endpointslice.kubernetes.io/managed-by';
export const CONTROLLER = 'endpointslice-controller.k8s.io';

const RESERVED: readonly string[] = [SERVICE_NAME, MANAGED_BY, HEADLESS];

const ownLabels = (object: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(labelsOf(object)).filter(([key]) => !RESERVED.includes(key)));

/** A slice has its service's labels, and those that say whose it is. */
export const sliceLabels = (service: JsonObject): JsonObject => ({
  ...ownLabels(service),
  ...(hasAddress(service) ? {} : { [HEADLESS]: '' }),
  [SERVICE_NAME]: nameOf(service),
  [MANAGED_BY]: CONTROLLER,
});

/** Whether the service's labels are the slice's, besides those that the controller sets. */
export const labelsAgree = (slice: JsonObject, service: JsonObject): boolean =>
  equal(ownLabels(slice), ownLabels(service));
