import { ownField, type JsonObject } from '#lib/machinery/json-value.ts';
import { isDeleting, labelsOf, nameOf, namespaceOf, uidOf } from '#lib/machinery/meta.ts';
import { at, items, text } from '#lib/machinery/unstructured.ts';
import { canonicalIP, ipFamily } from '#lib/registry/kinds/shared/ip.ts';
import { isReady, isTerminal } from '../workload/pod.ts';
import { targetPortOn, type AddressType } from './service.ts';

const ZONE = 'topology.kubernetes.io/zone';

const ipsOf = (pod: JsonObject): string[] => items(at(pod, 'status'), 'podIPs').map((one) => text(one, 'ip'));

/** Whether a pod can be reached: it has an address and has not come to its end. */
export function isReachable(pod: JsonObject): boolean {
  return !isTerminal(pod) && (text(at(pod, 'status'), 'podIP') !== '' || ipsOf(pod).length > 0);
}

/** What of a pod, besides its labels, endpoints tell. */
export function endpointStateOf(pod: JsonObject): string {
  const spec = at(pod, 'spec');
  const names = ['nodeName', 'hostname', 'subdomain'].map((field) => text(spec, field));
  return JSON.stringify([uidOf(pod), isReachable(pod), isDeleting(pod), isReady(pod), ipsOf(pod), names]);
}

/** The name that a pod has within a service that is its subdomain; empty where it has none. */
export function hostnameIn(service: JsonObject, pod: JsonObject): string {
  const spec = at(pod, 'spec');
  const isWithin = text(spec, 'subdomain') === nameOf(service) && namespaceOf(service) === namespaceOf(pod);
  return isWithin ? text(spec, 'hostname') : '';
}

export const addressesOf = (pod: JsonObject, type: AddressType): string[] =>
  ipsOf(pod)
    .filter((ip) => (ipFamily(ip) === 6) === (type === 'IPv6'))
    .map((ip) => canonicalIP(ip) ?? ip);

export const targetRefOf = (pod: JsonObject): JsonObject => ({
  kind: 'Pod',
  namespace: namespaceOf(pod),
  name: nameOf(pod),
  uid: uidOf(pod),
});

/** A pod as an endpoint of a slice: upstream's podToEndpoint. */
export function endpointOf(
  pod: JsonObject,
  { node, service, type }: { node: JsonObject | undefined; service: JsonObject; type: AddressType },
): JsonObject {
  const [serving, terminating] = [isReady(pod), isDeleting(pod)];
  const published = at(service, 'spec')?.['publishNotReadyAddresses'] === true;
  const nodeName = text(at(pod, 'spec'), 'nodeName');
  const zone = node === undefined ? '' : (labelsOf(node)[ZONE] ?? '');
  const hostname = hostnameIn(service, pod);
  return {
    addresses: addressesOf(pod, type),
    conditions: { ready: published || (serving && !terminating), serving, terminating },
    targetRef: targetRefOf(pod),
    ...(nodeName === '' ? {} : { nodeName }),
    ...(zone === '' ? {} : { zone }),
    ...(hostname === '' ? {} : { hostname }),
  };
}

/** The service's ports as they are on this pod; those that the pod does not have are left out. */
export function portsOn(pod: JsonObject, service: JsonObject): JsonObject[] {
  return items(at(service, 'spec'), 'ports').flatMap((port) => {
    const number = targetPortOn(pod, port);
    return number === undefined ? [] : [endpointPort(port, number)];
  });
}

function endpointPort(port: JsonObject, number: number): JsonObject {
  const appProtocol = ownField(port, 'appProtocol');
  return {
    name: text(port, 'name'),
    port: number,
    protocol: text(port, 'protocol'),
    ...(typeof appProtocol === 'string' ? { appProtocol } : {}),
  };
}
