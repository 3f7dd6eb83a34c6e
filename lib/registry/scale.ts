import { metadataOf } from '#lib/machinery/meta.ts';
import { clone, objectAt, ownField, type Json, type JsonObject } from '#lib/machinery/json-value.ts';
import { selectorFromObject, selectorFromSet, selectorText } from '#lib/machinery/labels/selector.ts';
import { apiVersion, type GroupVersionKind } from '#lib/machinery/schema.ts';
import type { ReplicasPaths } from '#lib/patch/apply/scale.ts';
import type { ScaleMapping } from './resource.ts';

/** Stands in for replicas that a custom resource does not have while its Scale is written. */
export const UNSET_REPLICAS = -2147483648;

/** Metadata that a Scale shows of its object. */
function scaleMetadata(object: JsonObject): JsonObject {
  const metadata = metadataOf(object);
  const shown: JsonObject = {};
  for (const field of ['name', 'namespace', 'uid', 'resourceVersion', 'creationTimestamp']) {
    const value = ownField(metadata, field);
    if (value !== undefined) shown[field] = value;
  }
  return shown;
}

/** An autoscaling/v1 Scale. `replicas` of zero is left out of spec, as upstream encodes it. */
function scaleObject(metadata: JsonObject, replicas: Json, status: JsonObject): JsonObject {
  const spec: JsonObject = replicas === 0 ? {} : { replicas };
  return { kind: 'Scale', apiVersion: 'autoscaling/v1', metadata, spec, status };
}

function builtIn(selectorOf: (spec: JsonObject | undefined) => string): ScaleMapping {
  return {
    get(object) {
      const spec = objectAt(object, 'spec');
      const status = objectAt(object, 'status');
      const selector = selectorOf(spec);
      return scaleObject(scaleMetadata(object), ownField(spec, 'replicas') ?? 0, {
        replicas: ownField(status, 'replicas') ?? 0,
        ...(selector === '' ? {} : { selector }),
      });
    },
    put(object, scale) {
      const spec = clone(objectAt(object, 'spec') ?? {});
      spec['replicas'] = ownField(objectAt(scale, 'spec'), 'replicas') ?? 0;
      return { ...object, spec };
    },
  };
}

const byLabelSelector = builtIn((spec) => selectorText(selectorFromObject(objectAt(spec, 'selector'))));
const bySet = builtIn((spec) => selectorText(selectorFromSet(objectAt(spec, 'selector'))));

/** Built-in kinds with a scale subresource, by `group/resource`. */
export const BUILT_IN_SCALES: Readonly<Record<string, ScaleMapping>> = {
  'apps/deployments': byLabelSelector,
  'apps/replicasets': byLabelSelector,
  'apps/statefulsets': byLabelSelector,
  '/replicationcontrollers': bySet,
};

/** Every built-in kind that scales has its replicas at `spec.replicas`. */
export const replicasPathsOf = (kind: GroupVersionKind): ReplicasPaths =>
  new Map([[apiVersion(kind), ['f:spec', 'f:replicas']]]);
