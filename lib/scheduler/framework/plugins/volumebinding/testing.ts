import { decodedAs } from '#lib/api/testing.ts';
import type { PersistentVolume, PersistentVolumeClaim } from '#lib/api/types/core.v1.ts';
import { PERSISTENT_VOLUME_CLAIMS, PERSISTENT_VOLUMES, STORAGE_CLASSES } from '#lib/api/types/resources.ts';
import type { StorageClass } from '#lib/api/types/storage.v1.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';

/** The fields of a volume that a test sets. */
interface VolumeOf {
  readonly spec?: JsonObject;
  readonly labels?: JsonObject;
  readonly phase?: string;
}

/** A 1Gi volume of class `local`. */
export const aVolume = (
  name: string,
  { spec = {}, labels = {}, phase = 'Available' }: VolumeOf = {},
): PersistentVolume =>
  decodedAs(PERSISTENT_VOLUMES, {
    metadata: { name, resourceVersion: '1', labels },
    spec: { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], storageClassName: 'local', ...spec },
    status: { phase },
  });

interface ClaimOf {
  readonly spec?: JsonObject;
  readonly annotations?: JsonObject;
  readonly metadata?: JsonObject;
  readonly size?: string;
  readonly phase?: string;
}

/** A 1Gi claim of class `local`. */
export const aClaim = (
  name: string,
  { spec = {}, annotations = {}, metadata = {}, size = '1Gi', phase = 'Pending' }: ClaimOf = {},
): PersistentVolumeClaim =>
  decodedAs(PERSISTENT_VOLUME_CLAIMS, {
    metadata: { namespace: 'default', name, uid: `uid-${name}`, resourceVersion: '1', annotations, ...metadata },
    spec: {
      accessModes: ['ReadWriteOnce'],
      resources: { requests: { storage: size } },
      storageClassName: 'local',
      ...spec,
    },
    status: { phase },
  });

/** A claim bound to a volume. */
export const aBoundClaim = (name: string, volumeName: string, of: ClaimOf = {}): PersistentVolumeClaim =>
  aClaim(name, {
    ...of,
    spec: { volumeName, ...of.spec },
    annotations: { 'pv.kubernetes.io/bind-completed': 'yes', ...of.annotations },
    phase: of.phase ?? 'Bound',
  });

/** A class with binding mode WaitForFirstConsumer. */
export const aClass = (name: string, more: JsonObject = {}): StorageClass =>
  decodedAs(STORAGE_CLASSES, {
    metadata: { name },
    provisioner: 'kubernetes.io/no-provisioner',
    volumeBindingMode: 'WaitForFirstConsumer',
    ...more,
  });

/** The node affinity of a volume. */
export const onNodes = (...names: string[]): JsonObject => ({
  nodeAffinity: {
    required: { nodeSelectorTerms: [{ matchExpressions: [{ key: 'host', operator: 'In', values: names }] }] },
  },
});

/** The spec of a pod that uses these claims. */
export const using = (...claims: string[]): JsonObject => ({
  volumes: claims.map((claimName) => ({ name: claimName, persistentVolumeClaim: { claimName } })),
});
