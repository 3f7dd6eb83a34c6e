import type { Endpoints, Service } from '#lib/api/types/core.v1.ts';
import type { EndpointPort, EndpointSlice } from '#lib/api/types/discovery.v1.ts';
import { defined } from '#lib/machinery/defined.ts';
import {
  annotationsOf,
  nameOf,
  namespaceOf,
  ownerReferencesOf,
  resourceVersionOf,
  uidOf,
} from '#lib/machinery/meta.ts';
import type { AddressType } from './service.ts';

/** The annotation with the time at which the content began to change: RFC 3339. */
export const CHANGED_AT = 'endpoints.kubernetes.io/last-change-trigger-time';
const MAX_NAME = 253;

/** The metadata for a new slice. */
export interface SliceMeta {
  readonly labels: Record<string, string>;
  readonly annotations?: Record<string, string>;
}

/** A slice without endpoints that `owner` controls. */
export function emptySlice(
  owner: Service | Endpoints,
  kind: 'Service' | 'Endpoints',
  { labels, annotations }: SliceMeta,
  { type, ports }: { readonly type: AddressType; readonly ports: EndpointPort[] },
): EndpointSlice {
  const [name, uid] = [nameOf(owner), uidOf(owner)];
  return {
    metadata: {
      generateName: name.length < MAX_NAME ? `${name}-` : name,
      namespace: namespaceOf(owner),
      labels,
      ...defined({ annotations }),
      ownerReferences: [{ apiVersion: 'v1', kind, name, uid, controller: true, blockOwnerDeletion: true }],
    },
    addressType: type,
    endpoints: [],
    ports,
  };
}

/** Whether the slice has this object as an owner, by uid. */
export const isOwnedBy = (slice: EndpointSlice, kind: 'Service' | 'Endpoints', owner: Service | Endpoints): boolean =>
  ownerReferencesOf(slice).some((one) => one.uid === uidOf(owner) && one.kind === kind && one.apiVersion === 'v1');

/** A copy of the slice with only these labels. */
export const withLabels = (slice: EndpointSlice, labels: Record<string, string>): EndpointSlice => ({
  ...slice,
  metadata: { ...slice.metadata, labels },
});

/** The new slice under the name of the existing one that it replaces. */
export function inPlaceOf(old: EndpointSlice, slice: EndpointSlice): EndpointSlice {
  const { generateName: _, ...metadata } = slice.metadata;
  return {
    ...slice,
    metadata: { ...metadata, name: nameOf(old), uid: uidOf(old), resourceVersion: resourceVersionOf(old) },
  };
}

/** A copy of the slice annotated with the time at which its content began to change. If that is unknown, it has no annotation. */
export function changedAt(slice: EndpointSlice, time: string | undefined): EndpointSlice {
  const { [CHANGED_AT]: _, ...others } = annotationsOf(slice);
  const annotations = time === undefined ? others : { ...others, [CHANGED_AT]: time };
  return { ...slice, metadata: { ...slice.metadata, annotations } };
}
