import type { ReplicasPaths } from '#lib/api/patch/apply/scale.ts';
import { typedObject } from '#lib/api/typed.ts';
import type { Deployment, ReplicaSet, StatefulSet } from '#lib/api/types/apps.v1.ts';
import type { ReplicationController } from '#lib/api/types/core.v1.ts';
import { DEPLOYMENTS, REPLICA_SETS, REPLICATION_CONTROLLERS, STATEFUL_SETS } from '#lib/api/types/resources.ts';
import { MIN_INT32 } from '#lib/machinery/integer-limits.ts';
import { clone, type Json, type JsonObject, objectAt, ownField } from '#lib/machinery/json-value.ts';
import { selectorFromObject, selectorFromSet, selectorText } from '#lib/machinery/labels/selector.ts';
import { metadataOf } from '#lib/machinery/meta.ts';
import { apiVersion, type GroupVersionKind, type ResourceOf } from '#lib/machinery/schema.ts';
import type { ScaleMapping } from './resource.ts';

/** Represents the replicas of a custom resource that sets none, while its Scale is written. */
export const UNSET_REPLICAS = MIN_INT32;

/** The metadata that a Scale copies from its object. */
function scaleMetadata(object: JsonObject): JsonObject {
  const metadata = metadataOf(object);
  const shown: JsonObject = {};
  for (const field of ['name', 'namespace', 'uid', 'resourceVersion', 'creationTimestamp']) {
    const value = ownField(metadata, field);
    if (value !== undefined) shown[field] = value;
  }
  return shown;
}

/** An autoscaling/v1 Scale. Omits zero `replicas` from spec, as upstream encodes it. */
function scaleObject(metadata: JsonObject, replicas: Json, status: JsonObject): JsonObject {
  const spec: JsonObject = replicas === 0 ? {} : { replicas };
  return { kind: 'Scale', apiVersion: 'autoscaling/v1', metadata, spec, status };
}

type Scaled = Deployment | ReplicaSet | StatefulSet | ReplicationController;

function builtIn<T extends Scaled>(resource: ResourceOf<T>, selectorOf: (object: T) => string): ScaleMapping {
  return {
    get(hub) {
      const object = typedObject(resource, hub);
      const { spec, status } = object;
      const selector = selectorOf(object);
      return scaleObject(scaleMetadata(hub), spec.replicas ?? 0, {
        replicas: status.replicas ?? 0,
        ...(selector === '' ? {} : { selector }),
      });
    },
    put(hub, scale) {
      const spec = clone<Scaled['spec']>(typedObject(resource, hub).spec);
      spec.replicas = Number(ownField(objectAt(scale, 'spec'), 'replicas') ?? 0);
      return { ...hub, spec };
    },
  };
}

const byLabelSelector = ({ spec }: Deployment | ReplicaSet | StatefulSet): string =>
  selectorText(selectorFromObject(spec.selector ?? undefined));
const bySet = ({ spec }: ReplicationController): string => selectorText(selectorFromSet(spec.selector));

/** Built-in kinds with a scale subresource, keyed by `group/resource`. */
export const BUILT_IN_SCALES: Readonly<Record<string, ScaleMapping>> = {
  'apps/deployments': builtIn(DEPLOYMENTS, byLabelSelector),
  'apps/replicasets': builtIn(REPLICA_SETS, byLabelSelector),
  'apps/statefulsets': builtIn(STATEFUL_SETS, byLabelSelector),
  '/replicationcontrollers': builtIn(REPLICATION_CONTROLLERS, bySet),
};

/** The path of the replicas, which is `spec.replicas` in every built-in kind with a Scale. */
export const replicasPathsOf = (kind: GroupVersionKind): ReplicasPaths =>
  new Map([[apiVersion(kind), ['f:spec', 'f:replicas']]]);
