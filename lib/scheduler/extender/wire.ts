import type { Pod } from '#lib/api/types/core.v1.ts';
import { isObject, type Json, type JsonObject, ownField } from '#lib/machinery/json-value.ts';
import { uidOf } from '#lib/machinery/meta.ts';
import type { Victims } from '../framework/extender.ts';
import type { NodeInfo } from '../framework/node-info.ts';

/** Upstream's `k8s.io/kube-scheduler/extender/v1`. Its structs have no JSON tags, so fields have their Go names. */

/** Encodes ExtenderArgs. An extender that caches nodes receives only their names. */
export function extenderArgs(pod: Pod, nodes: readonly NodeInfo[], byName: boolean): JsonObject {
  return {
    Pod: pod,
    Nodes: byName ? null : { metadata: {}, items: nodes.map(({ node }) => node) },
    NodeNames: byName ? nodes.map(({ name }) => name) : null,
  };
}

/** Encodes ExtenderPreemptionArgs. */
export function preemptionArgs(pod: Pod, candidates: ReadonlyMap<string, Victims>, byUid: boolean): JsonObject {
  const victims = (toJson: (pod: Pod) => JsonObject): JsonObject =>
    Object.fromEntries(
      [...candidates].map(([node, { pods, pdbViolations }]) => [
        node,
        { Pods: pods.map(toJson), NumPDBViolations: pdbViolations },
      ]),
    );
  return {
    Pod: pod,
    NodeNameToVictims: byUid ? null : victims((one) => one),
    NodeNameToMetaVictims: byUid ? victims((one) => ({ UID: uidOf(one) })) : null,
  };
}

/** A field of a response. As in Go's decoder, the name is case-insensitive. */
export function fieldOf(object: Json | undefined, name: string): Json | undefined {
  if (!isObject(object)) return undefined;
  const exact = ownField(object, name);
  if (exact !== undefined) return exact;
  const key = Object.keys(object).find((one) => one.toLowerCase() === name.toLowerCase());
  return key === undefined ? undefined : ownField(object, key);
}

/** The field as a string; empty if it is absent or has another type. */
export function textOf(object: Json | undefined, name: string): string {
  const value = fieldOf(object, name);
  return typeof value === 'string' ? value : '';
}

/** The field as a number; 0 if it is absent or has another type. */
export function numberOf(object: Json | undefined, name: string): number {
  const value = fieldOf(object, name);
  return typeof value === 'number' || typeof value === 'bigint' ? Number(value) : 0;
}

/** The list in a field; undefined for Go's nil. */
export function listOf(object: Json | undefined, name: string): readonly Json[] | undefined {
  const value = fieldOf(object, name);
  return Array.isArray(value) ? value : undefined;
}

/** The entries of a map field; none if it is absent or has another type. */
export function entriesOf(object: Json | undefined, name: string): readonly [string, Json][] {
  const value = fieldOf(object, name);
  return isObject(value) ? Object.entries(value) : [];
}
