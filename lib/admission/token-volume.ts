import { arrayAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { randomSuffix } from '#lib/machinery/random.ts';
import { items, text } from '#lib/machinery/unstructured.ts';

const PREFIX = 'kube-api-access-';
const MOUNT_PATH = '/var/run/secrets/kubernetes.io/serviceaccount';
/** Asks for an hour and seven seconds: a token that is accepted longer, with a warning. */
const EXPIRATION = 3607;

/** Mounts the account's token, the cluster's certificate and the namespace into every container that has nothing there. */
export function mountToken(spec: JsonObject): void {
  const volumes = arrayAt(spec, 'volumes');
  const known = items(spec, 'volumes').find((volume) => text(volume, 'name').startsWith(PREFIX));
  const name = known === undefined ? `${PREFIX}${randomSuffix()}` : text(known, 'name');
  const containers = [...items(spec, 'initContainers'), ...items(spec, 'containers')].filter(
    (container) => !items(container, 'volumeMounts').some((mount) => text(mount, 'mountPath') === MOUNT_PATH),
  );
  for (const container of containers) {
    const mount = { name, readOnly: true, mountPath: MOUNT_PATH };
    container['volumeMounts'] = [...arrayAt(container, 'volumeMounts'), mount];
  }
  if (known === undefined && containers.length > 0) spec['volumes'] = [...volumes, { name, projected: tokenSource() }];
}

function tokenSource(): JsonObject {
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
