import { type JsonObject } from '#lib/machinery/json-value.ts';
import {
  annotationsOf,
  metadataOf,
  nameOf,
  namespaceOf,
  ownerReferencesOf,
  resourceVersionOf,
  uidOf,
} from '#lib/machinery/meta.ts';
import { text } from '#lib/machinery/unstructured.ts';
import type { AddressType } from './service.ts';

export const CHANGED_AT = 'endpoints.kubernetes.io/last-change-trigger-time';
const MAX_NAME = 253;

export interface SliceMeta {
  readonly labels: JsonObject;
  readonly annotations?: JsonObject;
}

/** A slice without endpoints that `owner` controls. */
export function emptySlice(
  owner: JsonObject,
  kind: 'Service' | 'Endpoints',
  { labels, annotations }: SliceMeta,
  { type, ports }: { readonly type: AddressType; readonly ports: JsonObject[] },
): JsonObject {
  const [name, uid] = [nameOf(owner), uidOf(owner)];
  return {
    metadata: {
      generateName: name.length < MAX_NAME ? `${name}-` : name,
      namespace: namespaceOf(owner),
      labels,
      ...(annotations === undefined ? {} : { annotations }),
      ownerReferences: [{ apiVersion: 'v1', kind, name, uid, controller: true, blockOwnerDeletion: true }],
    },
    addressType: type,
    endpoints: [],
    ports,
  };
}

export const isOwnedBy = (slice: JsonObject, kind: 'Service' | 'Endpoints', owner: JsonObject): boolean =>
  ownerReferencesOf(slice).some((one) => one.uid === uidOf(owner) && one.kind === kind && one.apiVersion === 'v1');

export const typeOf = (slice: JsonObject): string => text(slice, 'addressType');

export const withLabels = (slice: JsonObject, labels: JsonObject): JsonObject => ({
  ...slice,
  metadata: { ...metadataOf(slice), labels },
});

/** The new slice under the name of one that is there, which it takes the place of. */
export function inPlaceOf(old: JsonObject, slice: JsonObject): JsonObject {
  const { generateName: _, ...metadata } = metadataOf(slice);
  return {
    ...slice,
    metadata: { ...metadata, name: nameOf(old), uid: uidOf(old), resourceVersion: resourceVersionOf(old) },
  };
}

/** Says when what a slice tells began to change; nothing where that is unknown. */
export function changedAt(slice: JsonObject, time: string | undefined): JsonObject {
  const { [CHANGED_AT]: _, ...others } = annotationsOf(slice);
  const annotations = time === undefined ? others : { ...others, [CHANGED_AT]: time };
  return { ...slice, metadata: { ...metadataOf(slice), annotations } };
}
