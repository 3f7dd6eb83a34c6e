import type { Pod, Service, ServicePort } from '#lib/api/types/core.v1.ts';
import { type LabelSelector, selectorFromSet } from '#lib/machinery/labels/selector.ts';
import { ipFamily } from '#lib/machinery/net/parse-addr.ts';

/** A family of addresses that a slice can hold. */
export type AddressType = 'IPv4' | 'IPv6';

/** The label of slices and Endpoints of a service without an address. */
export const HEADLESS = 'service.kubernetes.io/headless';

/** Whether unready pods count as ready for a service. */
export const isPublished = ({ spec }: Service): boolean => spec.publishNotReadyAddresses === true;

/** The selector of a service's pods. Undefined if controllers do not manage its endpoints. */
export function selectorOf({ spec: { selector, type } }: Service): LabelSelector | undefined {
  if (selector === undefined || Object.keys(selector).length === 0) return undefined;
  return type === 'ExternalName' ? undefined : selectorFromSet(selector);
}

/** Whether the service has a cluster IP. */
export const hasAddress = ({ spec: { clusterIP = '' } }: Service): boolean => !['', 'None'].includes(clusterIP);

/** The address families that a service serves. A service without any was written by a server that predates dual-stack. */
export function addressTypesOf(service: Service): readonly AddressType[] {
  const families = (service.spec.ipFamilies ?? []).filter((one) => one === 'IPv4' || one === 'IPv6');
  if (families.length > 0) return families;
  if (!hasAddress(service)) return ['IPv4', 'IPv6'];
  return [ipFamily(service.spec.clusterIP ?? '') === 6 ? 'IPv6' : 'IPv4'];
}

/** The number of a service's port on a pod: upstream's FindPort. Undefined if the pod has no port of that name. */
export function targetPortOn({ spec }: Pod, { targetPort, protocol = '' }: ServicePort): number | undefined {
  if (typeof targetPort === 'number') return targetPort;
  const restarted = (spec.initContainers ?? []).filter(({ restartPolicy }) => restartPolicy === 'Always');
  const ports = [...(spec.containers ?? []), ...restarted].flatMap((container) => container.ports ?? []);
  const found = ports.find((port) => (port.name ?? '') === targetPort && (port.protocol ?? '') === protocol);
  return found?.containerPort;
}
