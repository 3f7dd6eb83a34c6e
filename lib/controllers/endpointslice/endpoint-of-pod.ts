import type { Node, ObjectReference, Pod, Service, ServicePort } from '#lib/api/types/core.v1.ts';
import type { Endpoint, EndpointPort } from '#lib/api/types/discovery.v1.ts';
import { isPodTerminal } from '#lib/helpers/component-helpers/pod/phase.ts';
import { isPodReady } from '#lib/helpers/component-helpers/pod/readiness.ts';
import { defined } from '#lib/machinery/defined.ts';
import { isDeleting, labelsOf, nameOf, namespaceOf, uidOf } from '#lib/machinery/meta.ts';
import { canonicalIP, ipFamily } from '#lib/machinery/net/parse-addr.ts';
import { type AddressType, isPublished, targetPortOn } from './service.ts';

const ZONE = 'topology.kubernetes.io/zone';

const ipsOf = (pod: Pod): string[] => (pod.status.podIPs ?? []).map(({ ip }) => ip);

/** Whether a pod can be reached: it has an address and has not terminated. */
export function isReachable(pod: Pod): boolean {
  return !isPodTerminal(pod) && ((pod.status.podIP ?? '') !== '' || ipsOf(pod).length > 0);
}

/** The part of a pod that endpoints contain, except its labels, as text. */
export function endpointStateOf(pod: Pod): string {
  const { nodeName = '', hostname = '', subdomain = '' } = pod.spec;
  const names = [nodeName, hostname, subdomain];
  return JSON.stringify([uidOf(pod), isReachable(pod), isDeleting(pod), isPodReady(pod), ipsOf(pod), names]);
}

/** The hostname of a pod in a service that is its subdomain, empty if it has none. */
export function hostnameIn(service: Service, pod: Pod): string {
  const { subdomain = '', hostname = '' } = pod.spec;
  const isWithin = subdomain === nameOf(service) && namespaceOf(service) === namespaceOf(pod);
  return isWithin ? hostname : '';
}

/** The pod's addresses of one family, in canonical form. */
export const addressesOf = (pod: Pod, type: AddressType): string[] =>
  ipsOf(pod)
    .filter((ip) => (ipFamily(ip) === 6) === (type === 'IPv6'))
    .map((ip) => canonicalIP(ip) ?? ip);

/** The reference of an endpoint to its pod. */
export const targetRefOf = (pod: Pod): ObjectReference => ({
  kind: 'Pod',
  namespace: namespaceOf(pod),
  name: nameOf(pod),
  uid: uidOf(pod),
});

/** A pod as an endpoint of a slice: upstream's podToEndpoint. */
export function endpointOf(
  pod: Pod,
  { node, service, type }: { node: Node | undefined; service: Service; type: AddressType },
): Endpoint {
  const [serving, terminating] = [isPodReady(pod), isDeleting(pod)];
  const zone = node === undefined ? '' : labelsOf(node)[ZONE];
  return {
    addresses: addressesOf(pod, type),
    conditions: { ready: isPublished(service) || (serving && !terminating), serving, terminating },
    targetRef: targetRefOf(pod),
    ...defined({
      nodeName: pod.spec.nodeName || undefined,
      zone: zone || undefined,
      hostname: hostnameIn(service, pod) || undefined,
    }),
  };
}

/** The service's ports resolved for this pod. Ports that the pod does not have are omitted. */
export function portsOn(pod: Pod, service: Service): EndpointPort[] {
  return (service.spec.ports ?? []).flatMap((port) => {
    const number = targetPortOn(pod, port);
    return number === undefined ? [] : [endpointPort(port, number)];
  });
}

const endpointPort = ({ name = '', protocol = '', appProtocol }: ServicePort, port: number): EndpointPort => ({
  name,
  port,
  protocol,
  ...defined({ appProtocol }),
});
