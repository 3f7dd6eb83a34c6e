import type { PodSpec, ProjectedVolumeSource } from '#lib/api/types/core.v1.ts';
import { randomSuffix } from '#lib/machinery/random.ts';

const PREFIX = 'kube-api-access-';
const MOUNT_PATH = '/var/run/secrets/kubernetes.io/serviceaccount';
/**
 * The expiration in seconds that the pod requests: upstream's hour and seven seconds. A token with it is valid longer, and its late use
 * causes a warning.
 */
const EXPIRATION = 3607;

/** Mounts the account's token, the cluster's certificate and the namespace into every container without a mount at that path. */
export function mountToken(spec: PodSpec): void {
  const volumes = spec.volumes ?? [];
  const known = volumes.find((volume) => volume.name.startsWith(PREFIX));
  const name = known?.name ?? `${PREFIX}${randomSuffix()}`;
  const containers = [...(spec.initContainers ?? []), ...(spec.containers ?? [])].filter(
    ({ volumeMounts = [] }) => !volumeMounts.some(({ mountPath }) => mountPath === MOUNT_PATH),
  );
  for (const container of containers) {
    const mount = { name, readOnly: true, mountPath: MOUNT_PATH };
    container.volumeMounts = [...(container.volumeMounts ?? []), mount];
  }
  if (known === undefined && containers.length > 0) spec.volumes = [...volumes, { name, projected: tokenSource() }];
}

function tokenSource(): ProjectedVolumeSource {
  const namespace = { path: 'namespace', fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.namespace' } };
  return {
    sources: [
      { serviceAccountToken: { expirationSeconds: EXPIRATION, path: 'token' } },
      { configMap: { name: 'kube-root-ca.crt', items: [{ key: 'ca.crt', path: 'ca.crt' }] } },
      { downwardAPI: { items: [namespace] } },
    ],
    defaultMode: 0o644,
  };
}
