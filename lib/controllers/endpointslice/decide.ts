import type { Node, Pod, Service } from '#lib/api/types/core.v1.ts';
import type { EndpointPort, EndpointSlice } from '#lib/api/types/discovery.v1.ts';
import { nodeNameOf } from '#lib/helpers/component-helpers/pod/node-name.ts';
import { equal } from '#lib/machinery/json-value.ts';
import { isDeleting, labelsOf, nameOf } from '#lib/machinery/meta.ts';
import { endpointOf, isReachable, portsOn } from './endpoint-of-pod.ts';
import { EndpointSet, portsKey, portsKeyOf } from './endpoint-set.ts';
import { distributionOf, hinted } from './hints.ts';
import { labelsAgree, sliceLabels } from './labels.ts';
import { type Changes, pack } from './pack.ts';
import { type AddressType, addressTypesOf, isPublished } from './service.ts';
import { emptySlice, inPlaceOf, isOwnedBy, withLabels } from './slice.ts';

/** The state that determines the slices of one service. */
export interface ServiceState {
  readonly service: Service;
  /** The pods that the service selects. */
  readonly pods: readonly Pod[];
  /** The nodes of the pods, by name. */
  readonly nodes: ReadonlyMap<string, Node>;
  /** The service's slices that this controller manages. */
  readonly slices: readonly EndpointSlice[];
}

/** Reachable pods that are omitted because their node does not exist. */
export function podsWithoutNode({ service, pods, nodes }: ServiceState): readonly Pod[] {
  return isPublished(service) ? [] : pods.filter((pod) => isReachable(pod) && !nodes.has(nodeNameOf(pod)));
}

/** The writes that one service's slices need: upstream's endpoint slice reconciler. */
export function decideSlices(found: ServiceState): Changes {
  const { service } = found;
  const types: readonly string[] = addressTypesOf(service);
  const live = found.slices.filter((slice) => !isDeleting(slice));
  const changes = addressTypesOf(service).map((type) => {
    const slices = live.filter((slice) => slice.addressType === type);
    return recycled(service, withHints(service, slices, decideType({ ...found, slices }, type)));
  });
  const other = live.filter((slice) => !types.includes(slice.addressType));
  return joined([...changes, { create: [], update: [], delete: other }]);
}

function joined(changes: readonly Changes[]): Changes {
  return {
    create: changes.flatMap((one) => one.create),
    update: changes.flatMap((one) => one.update),
    delete: changes.flatMap((one) => one.delete),
  };
}

function decideType(found: ServiceState, type: AddressType): Changes {
  const { service, slices } = found;
  const empty = (ports: EndpointPort[]): EndpointSlice =>
    emptySlice(service, 'Service', { labels: sliceLabels(service) }, { type, ports });
  const relabelled = (slice: EndpointSlice): EndpointSlice | undefined =>
    labelsAgree(slice, service) ? undefined : withLabels(slice, sliceLabels(service));
  const owned = Map.groupBy(
    slices.filter((slice) => isOwnedBy(slice, 'Service', service)),
    portsKeyOf,
  );
  const packed: Changes[] = [
    { create: [], update: [], delete: slices.filter((one) => !isOwnedBy(one, 'Service', service)) },
  ];
  for (const [key, { ports, wanted }] of wantedByPorts(found, type)) {
    packed.push(pack({ slices: owned.get(key) ?? [], wanted, empty: () => empty(ports), relabelled }));
    owned.delete(key);
  }
  packed.push({ create: [], update: [], delete: [...owned.values()].flat() });
  return withPlaceholder(service, slices, joined(packed), empty([]));
}

interface Group {
  readonly ports: EndpointPort[];
  readonly wanted: EndpointSet;
}

/** Endpoints grouped by their ports: a named port may have a different number on every pod. */
function wantedByPorts(found: ServiceState, type: AddressType): Map<string, Group> {
  const { service, pods, nodes } = found;
  const groups = new Map<string, Group>();
  const homeless = new Set(podsWithoutNode(found));
  for (const pod of pods.filter(isReachable)) {
    const ports = portsOn(pod, service);
    const key = portsKey(ports);
    const group = groups.get(key) ?? { ports, wanted: new EndpointSet() };
    groups.set(key, group);
    if (homeless.has(pod)) continue;
    const endpoint = endpointOf(pod, { node: nodes.get(nodeNameOf(pod)), service, type });
    if ((endpoint.addresses ?? []).length > 0) group.wanted.add(endpoint);
  }
  return groups;
}

/** A service without endpoints still has one empty slice. */
function withPlaceholder(
  service: Service,
  slices: readonly EndpointSlice[],
  changes: Changes,
  placeholder: EndpointSlice,
): Changes {
  const { create, delete: gone } = changes;
  if (slices.length !== gone.length || create.length > 0) return changes;
  const [only, another] = gone;
  const isThere = only !== undefined && another === undefined && isPlaceholder(only, service, placeholder);
  return isThere ? { ...changes, delete: [] } : { ...changes, create: [placeholder] };
}

const isPlaceholder = (slice: EndpointSlice, service: Service, placeholder: EndpointSlice): boolean =>
  isOwnedBy(slice, 'Service', service) &&
  equal({ ...labelsOf(slice) }, { ...labelsOf(placeholder) }) &&
  (slice.endpoints ?? []).length + (slice.ports ?? []).length === 0;

function withHints(service: Service, slices: readonly EndpointSlice[], changes: Changes): Changes {
  const distribution = distributionOf(service);
  const set = (slice: EndpointSlice): EndpointSlice => hinted(slice, distribution) ?? slice;
  const touched = new Set([...changes.update, ...changes.delete].map(nameOf));
  const others = slices.filter((slice) => !touched.has(nameOf(slice)));
  return {
    create: changes.create.map(set),
    update: [
      ...changes.update.map(set),
      ...others.map((slice) => hinted(slice, distribution)).filter((one) => one !== undefined),
    ],
    delete: changes.delete,
  };
}

/** Reuses a slice that would be deleted instead of creating a new one. A service that is being deleted gets no new slices. */
function recycled(service: Service, { create, update, delete: gone }: Changes): Changes {
  const fresh = [...create];
  const over: EndpointSlice[] = [];
  const left = gone.filter((old) => {
    const slice = isOwnedBy(old, 'Service', service) ? fresh.pop() : undefined;
    if (slice !== undefined) over.push(inPlaceOf(old, slice));
    return slice === undefined;
  });
  return { create: isDeleting(service) ? [] : fresh, update: [...update, ...over], delete: left };
}
