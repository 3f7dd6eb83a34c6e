import { equal, objectAt, ownField, type JsonObject } from '#lib/machinery/json-value.ts';
import { annotationsOf, isDeleting, labelsOf, nameOf } from '#lib/machinery/meta.ts';
import { items, text } from '#lib/machinery/unstructured.ts';
import { canonicalIP, ipFamily } from '#lib/registry/kinds/shared/ip.ts';
import { repack } from '../endpoint/subsets.ts';
import { EndpointSet, portsKey, portsKeyOf, tellsSame } from '../endpointslice/endpoint-set.ts';
import { MANAGED_BY, SERVICE_NAME } from '../endpointslice/labels.ts';
import type { Changes } from '../endpointslice/pack.ts';
import type { AddressType } from '../endpointslice/service.ts';
import { CHANGED_AT, emptySlice, inPlaceOf, isOwnedBy, typeOf } from '../endpointslice/slice.ts';

export const CONTROLLER = 'endpointslicemirroring-controller.k8s.io';
/** Addresses of one subset that are mirrored at most. */
export const MAX_ENDPOINTS = 1000;
const LEADER = 'control-plane.alpha.kubernetes.io/leader';
const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

export interface Mirroring extends Changes {
  /** Addresses that are none. */
  readonly invalid: number;
  /** Addresses that are not mirrored, for whatever reason. */
  readonly skipped: number;
}

/** Whether Endpoints are to be seen as slices at all. */
export const isMirrored = (endpoints: JsonObject): boolean =>
  labelsOf(endpoints)['endpointslice.kubernetes.io/skip-mirror'] !== 'true' &&
  !Object.hasOwn(annotationsOf(endpoints), LEADER);

interface Group {
  readonly type: AddressType;
  readonly ports: JsonObject[];
  readonly wanted: EndpointSet;
}

/** What there is to write so that slices say what Endpoints say, one for each subset and family: upstream's mirroring reconciler. */
export function decideMirror(endpoints: JsonObject, slices: readonly JsonObject[]): Mirroring {
  const { groups, invalid, skipped } = wantedOf(endpoints);
  const there = Map.groupBy(slices, (slice) => `${typeOf(slice)} ${portsKeyOf(slice)}`);
  const changes = { create: Array<JsonObject>(), update: Array<JsonObject>(), gone: Array<JsonObject>() };
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

function wantedOf(endpoints: JsonObject): { groups: Map<string, Group>; invalid: number; skipped: number } {
  const groups = new Map<string, Group>();
  let [invalid, skipped] = [0, 0];
  for (const subset of repack(items(endpoints, 'subsets'))) {
    const ports = items(subset, 'ports').map(endpointPort);
    const groupOf = (type: AddressType): Group => {
      const key = `${type} ${portsKey(ports)}`;
      const group = groups.get(key) ?? { type, ports, wanted: new EndpointSet() };
      groups.set(key, group);
      return group;
    };
    let added = 0;
    const all = [...endpointsAt(subset, 'addresses', true), ...endpointsAt(subset, 'notReadyAddresses', false)];
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

function endpointsAt(subset: JsonObject, field: string, ready: boolean) {
  return items(subset, field).map((address) => {
    const ip = text(address, 'ip');
    const family = ipFamily(ip);
    const type: AddressType | undefined = family === undefined ? undefined : family === 6 ? 'IPv6' : 'IPv4';
    return { type, endpoint: endpointOf(address, canonicalIP(ip) ?? ip, ready) };
  });
}

function endpointOf(address: JsonObject, ip: string, ready: boolean): JsonObject {
  const [target, hostname] = [objectAt(address, 'targetRef'), text(address, 'hostname')];
  const nodeName = ownField(address, 'nodeName');
  return {
    addresses: [ip],
    conditions: { ready },
    ...(target === undefined ? {} : { targetRef: target }),
    ...(typeof nodeName === 'string' ? { nodeName } : {}),
    ...(hostname === '' ? {} : { hostname }),
  };
}

const endpointPort = (port: JsonObject): JsonObject => ({
  ...port,
  name: text(port, 'name'),
});

const labelsFor = (endpoints: JsonObject): JsonObject => ({
  ...labelsOf(endpoints),
  [SERVICE_NAME]: nameOf(endpoints),
  [MANAGED_BY]: CONTROLLER,
});

function annotationsFor(endpoints: JsonObject): JsonObject {
  const { [CHANGED_AT]: _, [LAST_APPLIED]: __, ...others } = annotationsOf(endpoints);
  return others;
}

function sliceOf(endpoints: JsonObject, { type, ports, wanted }: Group): JsonObject {
  const meta = { labels: labelsFor(endpoints), annotations: annotationsFor(endpoints) };
  const empty = emptySlice(endpoints, 'Endpoints', meta, { type, ports });
  return { ...empty, endpoints: wanted.takeSome(MAX_ENDPOINTS) };
}

/** Whether a slice says what is wanted; leaves the set as it is. */
function mirrors(slice: JsonObject, endpoints: JsonObject, wanted: EndpointSet): boolean {
  const told = items(slice, 'endpoints');
  const isSame = (one: JsonObject): boolean => {
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

/** A slice that would go is written over in place of a new one of its family. Endpoints that go get no new ones. */
function recycled(
  endpoints: JsonObject,
  { create, update, gone }: Record<'create' | 'update' | 'gone', readonly JsonObject[]>,
): Changes {
  const left = [...gone];
  const over: JsonObject[] = [];
  const fresh = create.filter((slice) => {
    const index = left.findIndex((old) => typeOf(old) === typeOf(slice));
    const [old] = index < 0 ? [] : left.splice(index, 1);
    if (old !== undefined) over.push(inPlaceOf(old, slice));
    return old === undefined;
  });
  return { create: isDeleting(endpoints) ? [] : fresh, update: [...update, ...over], delete: left };
}
