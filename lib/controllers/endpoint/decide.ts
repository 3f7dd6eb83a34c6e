import type {
  EndpointAddress,
  EndpointPort,
  EndpointSubset,
  Endpoints,
  Pod,
  Service,
  ServicePort,
} from '#lib/api/types/core.v1.ts';
import { nodeNameOf } from '#lib/helpers/component-helpers/pod/node-name.ts';
import { isPodReady } from '#lib/helpers/component-helpers/pod/readiness.ts';
import { defined } from '#lib/machinery/defined.ts';
import { equal, type JsonObject } from '#lib/machinery/json-value.ts';
import { annotationsOf, isDeleting, labelsOf, nameOf, namespaceOf } from '#lib/machinery/meta.ts';
import { ipFamily } from '#lib/machinery/net/parse-addr.ts';
import { addressesOf, hostnameIn, isReachable, targetRefOf } from '../endpointslice/endpoint-of-pod.ts';
import {
  type AddressType,
  addressTypesOf,
  HEADLESS,
  hasAddress,
  isPublished,
  targetPortOn,
} from '../endpointslice/service.ts';
import { CHANGED_AT } from '../endpointslice/slice.ts';
import { repack } from './subsets.ts';
import { truncated } from './truncate.ts';

const MANAGED_BY = 'endpoints.kubernetes.io/managed-by';
const OVER_CAPACITY = 'endpoints.kubernetes.io/over-capacity';

/** Endpoints have one family: the first of the service, or the pod's if the service specifies none. */
function typeFor(service: Service, pod: Pod): AddressType | undefined {
  const isSaid = hasAddress(service) || (service.spec.ipFamilies ?? []).length > 0;
  if (isSaid) return addressTypesOf(service)[0];
  return ipFamily(pod.status.podIP ?? '') === 6 ? 'IPv6' : 'IPv4';
}

function addressIn(service: Service, pod: Pod): EndpointAddress | undefined {
  const type = typeFor(service, pod);
  const ip = type === undefined ? undefined : addressesOf(pod, type)[0];
  if (ip === undefined) return undefined;
  const hostname = hostnameIn(service, pod) || undefined;
  return { ip, ...defined({ hostname }), nodeName: nodeNameOf(pod), targetRef: targetRefOf(pod) };
}

/** The service's ports resolved for the pod. Contains undefined if a headless service has no ports. */
function portsIn({ spec: { ports = [], clusterIP } }: Service, pod: Pod): (EndpointPort | undefined)[] {
  if (ports.length === 0) return clusterIP === 'None' ? [undefined] : [];
  return ports.flatMap((port) => {
    const number = targetPortOn(pod, port);
    return number === undefined ? [] : [endpointPort(port, number)];
  });
}

const endpointPort = ({ name, protocol = '', appProtocol }: ServicePort, port: number): EndpointPort =>
  defined({ name: name || undefined, port, protocol, appProtocol: appProtocol || undefined });

function wantedSubsets(service: Service, pods: readonly Pod[]): EndpointSubset[] {
  const published = isPublished(service);
  const subsets = pods
    .filter((pod) => isReachable(pod) && (published || !isDeleting(pod)))
    .flatMap((pod) => {
      const address = addressIn(service, pod);
      if (address === undefined) return [];
      const hosts = published || isPodReady(pod) ? { addresses: [address] } : { notReadyAddresses: [address] };
      return portsIn(service, pod).map((port) => ({ ...hosts, ports: port === undefined ? [] : [port] }));
    });
  return repack(subsets);
}

/** The Endpoints to write for a service. Undefined if they are up to date. */
export function decideEndpoints(
  service: Service,
  pods: readonly Pod[],
  current: Endpoints | undefined,
  changedAt: string | undefined,
): Endpoints | undefined {
  const all = wantedSubsets(service, pods);
  const cut = truncated(all);
  const subsets = cut ?? all;
  const headless = hasAddress(service) ? {} : { [HEADLESS]: '' };
  const { [HEADLESS]: _, ...own } = labelsOf(service);
  const labels: Record<string, string> = { ...own, ...headless, [MANAGED_BY]: 'endpoint-controller' };
  const { [OVER_CAPACITY]: before, [CHANGED_AT]: __, ...others } = annotationsOf(current ?? {});
  const isCut = cut === undefined ? undefined : 'truncated';
  if (current !== undefined && before === isCut && hasAll(current, labels, subsets)) return undefined;
  const annotations = {
    ...others,
    ...defined({ [CHANGED_AT]: changedAt, [OVER_CAPACITY]: isCut }),
  };
  const place = current?.metadata ?? { name: nameOf(service), namespace: namespaceOf(service) };
  return { ...current, metadata: { ...place, labels, annotations }, subsets };
}

const hasAll = (current: Endpoints, labels: JsonObject, subsets: readonly EndpointSubset[]): boolean =>
  equal({ ...labelsOf(current) }, labels) &&
  equal(repack(current.subsets ?? []).map(unversioned), repack(subsets).map(unversioned));

/** A subset without its pods' resource versions, which do not count as a difference. */
function unversioned({ addresses = [], notReadyAddresses = [], ports = [] }: EndpointSubset): JsonObject {
  const plain = (address: EndpointAddress): JsonObject => ({
    ...address,
    targetRef: { ...address.targetRef, resourceVersion: '' },
  });
  return { addresses: addresses.map(plain), notReadyAddresses: notReadyAddresses.map(plain), ports };
}
