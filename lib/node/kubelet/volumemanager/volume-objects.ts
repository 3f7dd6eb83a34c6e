import type { ConfigMap, PersistentVolumeClaim, Secret } from '#lib/api/types/core.v1.ts';
import { PERSISTENT_VOLUME_CLAIMS, PERSISTENT_VOLUMES } from '#lib/api/types/resources.ts';
import type { Clientset } from '#lib/client/clientset.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import type { VolumeObjects } from '#lib/node/volume/host.ts';
import type { ReferencedObjects as ReferencedPodObjects } from '../kubelet-ports.ts';
import type { ServiceAccountTokens } from '../token/service-account-tokens.ts';
import type { ReferencedObjects } from '../util/manager/referenced-objects.ts';
import type { ClaimReader } from './desired-volumes.ts';

/** The sources for the content of volumes. */
export interface VolumeObjectSources {
  readonly secrets: ReferencedObjects<Secret>;
  readonly configMaps: ReferencedObjects<ConfigMap>;
  readonly tokens: ServiceAccountTokens;
}

/** API objects for volume plugins, from the node's caches. */
export const volumeObjects = ({ secrets, configMaps, tokens }: VolumeObjectSources): VolumeObjects => ({
  secret: (namespace, name) => secrets.get(namespace, name),
  configMap: (namespace, name) => configMaps.get(namespace, name),
  serviceAccountToken: (spec) => tokens.get(spec),
  issuedToken: (spec) => tokens.issued(spec),
  deleteServiceAccountTokens: (podUid) => tokens.deletePod(podUid),
});

/** The node's caches for the kubelet: it registers pods and reads their pull secrets. */
export const podObjects = ({ secrets, configMaps }: Omit<VolumeObjectSources, 'tokens'>): ReferencedPodObjects => ({
  registerPod: (pod) => {
    secrets.registerPod(pod);
    configMaps.registerPod(pod);
  },
  unregisterPod: (pod) => {
    secrets.unregisterPod(pod);
    configMaps.unregisterPod(pod);
  },
  secret: async (namespace, name) => {
    const secret = await secrets.get(namespace, name);
    if (secret === undefined) throw new Error(`secret ${JSON.stringify(name)} not found`);
    return secret;
  },
});

/** Claims and volumes from the API, uncached: a pod's first sync must see that its claim was just bound. */
export const claimReader = (client: Clientset): ClaimReader => ({
  claim: (namespace, name) => client.get({ resource: PERSISTENT_VOLUME_CLAIMS, namespace, name }),
  volume: (name) => client.get({ resource: PERSISTENT_VOLUMES, namespace: '', name }),
});

/** Changes the status of a claim. Rejects if the claim has changed since it was read. */
export const claimStatusWriter =
  (client: Clientset) =>
  ({ metadata }: PersistentVolumeClaim, status: JsonObject): Promise<PersistentVolumeClaim> => {
    const { namespace = '', name = '', resourceVersion = '' } = metadata;
    return client.patch(
      { resource: PERSISTENT_VOLUME_CLAIMS, namespace, name },
      { metadata: { resourceVersion }, status },
      'status',
    );
  };
