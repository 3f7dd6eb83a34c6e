import type { JsonObject } from '#lib/machinery/json-value.ts';

/** What several tests of this plugin make. */
interface VolumeOf {
  readonly spec?: JsonObject;
  readonly labels?: JsonObject;
  readonly phase?: string;
}

/** A volume of class `local`, 1Gi. */
export const aVolume = (name: string, { spec = {}, labels = {}, phase = 'Available' }: VolumeOf = {}): JsonObject => ({
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

/** A claim for 1Gi of class `local`. */
export const aClaim = (
  name: string,
  { spec = {}, annotations = {}, metadata = {}, size = '1Gi', phase = 'Pending' }: ClaimOf = {},
): JsonObject => ({
  metadata: { namespace: 'default', name, uid: `uid-${name}`, resourceVersion: '1', annotations, ...metadata },
  spec: {
    accessModes: ['ReadWriteOnce'],
    resources: { requests: { storage: size } },
    storageClassName: 'local',
    ...spec,
  },
  status: { phase },
});

export const aBoundClaim = (name: string, volumeName: string, of: ClaimOf = {}): JsonObject =>
  aClaim(name, {
    ...of,
    spec: { volumeName, ...of.spec },
    annotations: { 'pv.kubernetes.io/bind-completed': 'yes', ...of.annotations },
    phase: of.phase ?? 'Bound',
  });

/** A class whose claims wait for their pods. */
export const aClass = (name: string, more: JsonObject = {}): JsonObject => ({
  metadata: { name },
  provisioner: 'kubernetes.io/no-provisioner',
  volumeBindingMode: 'WaitForFirstConsumer',
  ...more,
});

/** Where a volume can be had. */
export const onNodes = (...names: string[]): JsonObject => ({
  nodeAffinity: {
    required: { nodeSelectorTerms: [{ matchExpressions: [{ key: 'host', operator: 'In', values: names }] }] },
  },
});

/** What a pod says that uses these claims. */
export const using = (...claims: string[]): JsonObject => ({
  volumes: claims.map((claimName) => ({ name: claimName, persistentVolumeClaim: { claimName } })),
});
