import { equal, type JsonObject } from '#lib/machinery/json-value.ts';
import { annotationsOf, isDeleting, labelsOf, metadataOf, nameOf, namespaceOf } from '#lib/machinery/meta.ts';
import { at, items, text } from '#lib/machinery/unstructured.ts';
import { ipFamily } from '#lib/registry/kinds/shared/ip.ts';
import { addressesOf, hostnameIn, isReachable, targetRefOf } from '../endpointslice/endpoint-of-pod.ts';
import { addressTypesOf, hasAddress, HEADLESS, targetPortOn, type AddressType } from '../endpointslice/service.ts';
import { CHANGED_AT } from '../endpointslice/slice.ts';
import { isReady } from '../workload/pod.ts';
import { repack } from './subsets.ts';
import { truncated } from './truncate.ts';

const MANAGED_BY = 'endpoints.kubernetes.io/managed-by';
const OVER_CAPACITY = 'endpoints.kubernetes.io/over-capacity';

const isPublished = (service: JsonObject): boolean => at(service, 'spec')?.['publishNotReadyAddresses'] === true;

/** Endpoints are of one family: the service's first, or what its pod has where the service does not say. */
function typeFor(service: JsonObject, pod: JsonObject): AddressType | undefined {
  const isSaid = hasAddress(service) || items(at(service, 'spec'), 'ipFamilies').length > 0;
  if (isSaid) return addressTypesOf(service)[0];
  return ipFamily(text(at(pod, 'status'), 'podIP')) === 6 ? 'IPv6' : 'IPv4';
}

function addressIn(service: JsonObject, pod: JsonObject): JsonObject | undefined {
  const type = typeFor(service, pod);
  const ip = type === undefined ? undefined : addressesOf(pod, type)[0];
  if (ip === undefined) return undefined;
  const hostname = hostnameIn(service, pod);
  const nodeName = text(at(pod, 'spec'), 'nodeName');
  return { ip, ...(hostname === '' ? {} : { hostname }), nodeName, targetRef: targetRefOf(pod) };
}

/** The service's ports as the pod has them; one that is undefined where a headless service names none. */
function portsIn(service: JsonObject, pod: JsonObject): (JsonObject | undefined)[] {
  const ports = items(at(service, 'spec'), 'ports');
  if (ports.length === 0) return text(at(service, 'spec'), 'clusterIP') === 'None' ? [undefined] : [];
  return ports.flatMap((port) => {
    const number = targetPortOn(pod, port);
    return number === undefined ? [] : [endpointPort(port, number)];
  });
}

function endpointPort(port: JsonObject, number: number): JsonObject {
  const [name, appProtocol] = [text(port, 'name'), text(port, 'appProtocol')];
  return {
    ...(name === '' ? {} : { name }),
    port: number,
    protocol: text(port, 'protocol'),
    ...(appProtocol === '' ? {} : { appProtocol }),
  };
}

function wantedSubsets(service: JsonObject, pods: readonly JsonObject[]): JsonObject[] {
  const published = isPublished(service);
  const subsets = pods
    .filter((pod) => isReachable(pod) && (published || !isDeleting(pod)))
    .flatMap((pod) => {
      const address = addressIn(service, pod);
      if (address === undefined) return [];
      const field = published || isReady(pod) ? 'addresses' : 'notReadyAddresses';
      return portsIn(service, pod).map((port) => ({ [field]: [address], ports: port === undefined ? [] : [port] }));
    });
  return repack(subsets);
}

/** The Endpoints that a service should have, as they are to be written; undefined where it has them. */
export function decideEndpoints(
  service: JsonObject,
  pods: readonly JsonObject[],
  current: JsonObject | undefined,
  changedAt: string | undefined,
): JsonObject | undefined {
  const all = wantedSubsets(service, pods);
  const cut = truncated(all);
  const subsets = cut ?? all;
  const headless = hasAddress(service) ? {} : { [HEADLESS]: '' };
  const { [HEADLESS]: _, ...own } = labelsOf(service);
  const labels: JsonObject = { ...own, ...headless, [MANAGED_BY]: 'endpoint-controller' };
  const { [OVER_CAPACITY]: before, [CHANGED_AT]: __, ...others } = annotationsOf(current ?? {});
  const isCut = cut === undefined ? undefined : 'truncated';
  if (current !== undefined && before === isCut && hasAll(current, labels, subsets)) return undefined;
  const annotations = {
    ...others,
    ...(changedAt === undefined ? {} : { [CHANGED_AT]: changedAt }),
    ...(isCut === undefined ? {} : { [OVER_CAPACITY]: isCut }),
  };
  const place =
    current === undefined ? { name: nameOf(service), namespace: namespaceOf(service) } : metadataOf(current);
  return { ...current, metadata: { ...place, labels, annotations }, subsets };
}

const hasAll = (current: JsonObject, labels: JsonObject, subsets: readonly JsonObject[]): boolean =>
  equal({ ...labelsOf(current) }, labels) &&
  equal(repack(items(current, 'subsets')).map(unversioned), repack(subsets).map(unversioned));

/** Pods' versions are nobody's concern here. */
function unversioned(subset: JsonObject): JsonObject {
  const lists = ['addresses', 'notReadyAddresses'].map((field) => [
    field,
    items(subset, field).map((address) => ({
      ...address,
      targetRef: { ...at(address, 'targetRef'), resourceVersion: '' },
    })),
  ]);
  return { ...subset, ...Object.fromEntries(lists) };
}
