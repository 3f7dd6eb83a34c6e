import type { EndpointPort as CoreEndpointPort, EndpointAddress, Endpoints } from '#lib/api/types/core.v1.ts';
import type { Endpoint, EndpointPort, EndpointSlice } from '#lib/api/types/discovery.v1.ts';
import { defined } from '#lib/machinery/defined.ts';
import { equal } from '#lib/machinery/json-value.ts';
import { annotationsOf, isDeleting, labelsOf, nameOf } from '#lib/machinery/meta.ts';
import { canonicalIP, ipFamily } from '#lib/machinery/net/parse-addr.ts';
import { repack } from '../endpoint/subsets.ts';
import { EndpointSet, portsKey, portsKeyOf, tellsSame } from '../endpointslice/endpoint-set.ts';
import { MANAGED_BY, SERVICE_NAME } from '../endpointslice/labels.ts';
import type { Changes } from '../endpointslice/pack.ts';
import type { AddressType } from '../endpointslice/service.ts';
import { CHANGED_AT, emptySlice, inPlaceOf, isOwnedBy } from '../endpointslice/slice.ts';

/** The value of the label `MANAGED_BY` for mirrored slices. */
export const CONTROLLER = 'endpointslicemirroring-controller.k8s.io';
/** The maximum number of mirrored addresses in one subset. */
export const MAX_ENDPOINTS = 1000;
const LEADER = 'control-plane.alpha.kubernetes.io/leader';
const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

/** The writes for the mirrored slices, and the numbers of addresses that they omit. */
export interface Mirroring extends Changes {
  /** The number of invalid addresses. */
  readonly invalid: number;
  /** The number of addresses that are not mirrored, for any reason. */
  readonly skipped: number;
}

/** Whether Endpoints are mirrored at all. */
export const isMirrored = (endpoints: Endpoints): boolean =>
  labelsOf(endpoints)['endpointslice.kubernetes.io/skip-mirror'] !== 'true' &&
  !Object.hasOwn(annotationsOf(endpoints), LEADER);

interface Group {
  readonly type: AddressType;
  readonly ports: EndpointPort[];
  readonly wanted: EndpointSet;
}

/** The writes that make slices mirror Endpoints, with one slice for each subset and family: upstream's mirroring reconciler. */
export function decideMirror(endpoints: Endpoints, slices: readonly EndpointSlice[]): Mirroring {
  const { groups, invalid, skipped } = wantedOf(endpoints);
  const there = Map.groupBy(slices, (slice) => `${slice.addressType} ${portsKeyOf(slice)}`);
  const changes = { create: Array<EndpointSlice>(), update: Array<EndpointSlice>(), gone: Array<EndpointSlice>() };
  for (const [key, group] of groups) {
    const [first, ...others] = there.get(key) ?? [];
    there.delete(key);
    changes.gone.push(...others);
    if (group.wanted.size === 0) changes.gone.push(...(first === undefined ? [] : [first]));
    else if (first === undefined) changes.create.push(sliceOf(endpoints, group));
    else if (!mirrors(first, endpoints, group.wanted)) changes.update.push(inPlaceOf(first, sliceOf(endpoints, group)));
  }
  changes.gone.push(...[...there.values()].flat());
  return { ...recycled(endpoints, changes), invalid, skipped };
}

function wantedOf(endpoints: Endpoints): { groups: Map<string, Group>; invalid: number; skipped: number } {
  const groups = new Map<string, Group>();
  let [invalid, skipped] = [0, 0];
  for (const subset of repack(endpoints.subsets ?? [])) {
    const ports = (subset.ports ?? []).map(endpointPort);
    const groupOf = (type: AddressType): Group => {
      const key = `${type} ${portsKey(ports)}`;
      const group = groups.get(key) ?? { type, ports, wanted: new EndpointSet() };
      groups.set(key, group);
      return group;
    };
    let added = 0;
    const all = [...endpointsAt(subset.addresses, true), ...endpointsAt(subset.notReadyAddresses, false)];
    for (const { type, endpoint } of all) {
      if (added === MAX_ENDPOINTS) break;
      if (type === undefined) invalid++;
      else {
        groupOf(type).wanted.add(endpoint);
        added++;
      }
    }
    skipped += all.length - added;
  }
  return { groups, invalid, skipped };
}

function endpointsAt(addresses: readonly EndpointAddress[] = [], ready: boolean) {
  return addresses.map((address) => {
    const { ip } = address;
    const family = ipFamily(ip);
    const type: AddressType | undefined = family === undefined ? undefined : family === 6 ? 'IPv6' : 'IPv4';
    return { type, endpoint: endpointOf(address, canonicalIP(ip) ?? ip, ready) };
  });
}

const endpointOf = ({ targetRef, nodeName, hostname }: EndpointAddress, ip: string, ready: boolean): Endpoint => ({
  addresses: [ip],
  conditions: { ready },
  ...defined({ targetRef, nodeName, hostname: hostname || undefined }),
});

const endpointPort = ({ name = '', port, protocol, appProtocol }: CoreEndpointPort): EndpointPort => ({
  name,
  port,
  ...defined({ protocol, appProtocol }),
});

const labelsFor = (endpoints: Endpoints): Record<string, string> => ({
  ...labelsOf(endpoints),
  [SERVICE_NAME]: nameOf(endpoints),
  [MANAGED_BY]: CONTROLLER,
});

function annotationsFor(endpoints: Endpoints): Record<string, string> {
  const { [CHANGED_AT]: _, [LAST_APPLIED]: __, ...others } = annotationsOf(endpoints);
  return others;
}

function sliceOf(endpoints: Endpoints, { type, ports, wanted }: Group): EndpointSlice {
  const meta = { labels: labelsFor(endpoints), annotations: annotationsFor(endpoints) };
  const empty = emptySlice(endpoints, 'Endpoints', meta, { type, ports });
  return { ...empty, endpoints: wanted.takeSome(MAX_ENDPOINTS) };
}

/** Whether a slice has the wanted content. Does not modify the set. */
function mirrors(slice: EndpointSlice, endpoints: Endpoints, wanted: EndpointSet): boolean {
  const told = slice.endpoints ?? [];
  const isSame = (one: Endpoint): boolean => {
    const other = wanted.get(one);
    return other !== undefined && tellsSame(other, one);
  };
  return (
    isOwnedBy(slice, 'Endpoints', endpoints) &&
    equal({ ...labelsOf(slice) }, labelsFor(endpoints)) &&
    equal({ ...annotationsOf(slice) }, annotationsFor(endpoints)) &&
    told.length === wanted.size &&
    told.every(isSame)
  );
}

/**
 * Reuses a slice of the same family that would be deleted instead of creating a new one. Endpoints that are being deleted get no new
 * slices.
 */
function recycled(
  endpoints: Endpoints,
  { create, update, gone }: Record<'create' | 'update' | 'gone', readonly EndpointSlice[]>,
): Changes {
  const left = [...gone];
  const over: EndpointSlice[] = [];
  const fresh = create.filter((slice) => {
    const index = left.findIndex(({ addressType }) => addressType === slice.addressType);
    const [old] = index < 0 ? [] : left.splice(index, 1);
    if (old !== undefined) over.push(inPlaceOf(old, slice));
    return old === undefined;
  });
  return { create: isDeleting(endpoints) ? [] : fresh, update: [...update, ...over], delete: left };
}
