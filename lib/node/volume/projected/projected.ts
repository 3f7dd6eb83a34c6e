import type {
  ClusterTrustBundleProjection,
  Pod,
  ServiceAccountTokenProjection,
  VolumeProjection,
} from '#lib/api/types/core.v1.ts';
import { aggregateText } from '#lib/machinery/aggregate.ts';
import { messageOfError } from '#lib/machinery/error-message.ts';
import type { FileProjection, Payload } from '../atomic-writer.ts';
import { configMapPayload } from '../configmap/config-map.ts';
import { downwardAPIPayload } from '../downwardapi/downward-api.ts';
import type { VolumeHost } from '../host.ts';
import { requireMode } from '../keys.ts';
import { payloadPlugin } from '../payload-volume.ts';
import { secretPayload } from '../secret/secret.ts';
import type { MounterArgs, VolumePlugin } from '../volume.ts';

/** The plugin for `projected` volumes, always in memory. */
export const projectedPlugin = (host: VolumeHost): VolumePlugin =>
  payloadPlugin(host, {
    name: 'kubernetes.io/projected',
    medium: 'Memory',
    canSupport: ({ volume }) => volume?.projected !== undefined,
    collect: async ({ volume }, pod, args) => {
      const mode = requireMode(volume?.projected?.defaultMode);
      return collect({ host, pod, mode, args }, volume?.projected?.sources ?? []);
    },
    forget: (podUid) => host.objects.deleteServiceAccountTokens(podUid),
  });

interface Context {
  readonly host: VolumeHost;
  readonly pod: Pod;
  readonly mode: number;
  readonly args: MounterArgs;
}

/** The files of all sources. Later sources override earlier ones. Throws a single error with the reasons of all failed sources. */
async function collect(context: Context, sources: readonly VolumeProjection[]): Promise<Payload> {
  const payload = new Map<string, FileProjection>();
  const failures: string[] = [];
  for (const source of sources) {
    try {
      for (const [path, file] of await sourcePayload(context, source)) payload.set(path, file);
    } catch (error) {
      failures.push(messageOfError(error));
    }
  }
  if (failures.length > 0) throw new Error(aggregateText(failures));
  return payload;
}

async function sourcePayload(context: Context, source: VolumeProjection): Promise<Payload> {
  const { host, pod, mode } = context;
  const namespace = pod.metadata.namespace ?? '';
  if (source.secret !== undefined) return secretPayload(host, namespace, source.secret, mode);
  if (source.configMap !== undefined) return configMapPayload(host, namespace, source.configMap, mode);
  if (source.downwardAPI !== undefined) return downwardAPIPayload(host, pod, source.downwardAPI.items ?? [], mode);
  if (source.serviceAccountToken !== undefined) return tokenPayload(context, source.serviceAccountToken);
  if (source.clusterTrustBundle !== undefined) return trustBundlePayload(context, source.clusterTrustBundle);
  if (source.podCertificate !== undefined) throw new Error('unimplemented'); // upstream's text without the gate PodCertificateRequest
  return new Map();
}

async function tokenPayload(context: Context, source: ServiceAccountTokenProjection): Promise<Payload> {
  const { host, pod } = context;
  const token = await host.objects.serviceAccountToken({
    namespace: pod.metadata.namespace ?? '',
    serviceAccount: pod.spec.serviceAccountName ?? '',
    pod,
    audience: source.audience ?? '',
    expirationSeconds: source.expirationSeconds === undefined ? undefined : Number(source.expirationSeconds),
  });
  return new Map([[source.path, ownerOnly(context, new TextEncoder().encode(token))]]);
}

async function trustBundlePayload(context: Context, source: ClusterTrustBundleProjection): Promise<Payload> {
  const { trustAnchors } = context.host.objects;
  if (trustAnchors === undefined)
    throw new Error('ClusterTrustBundle projection is not supported in static kubelet mode');
  const { name, signerName, labelSelector, optional = false } = source;
  if (name === undefined && signerName === undefined)
    throw new Error('ClusterTrustBundle projection requires either name or signerName to be set');
  const data =
    name === undefined
      ? await trustAnchors.bySigner(signerName ?? '', labelSelector, optional)
      : await trustAnchors.byName(name, optional);
  return new Map([[source.path, ownerOnly(context, data)]]);
}

/**
 * A file that only its owner can access, if the pod specifies a user or group. The change of ownership later grants access to the group.
 */
function ownerOnly({ mode, args }: Context, data: Uint8Array): FileProjection {
  const { fsUser, fsGroup } = args;
  const narrow = fsUser !== undefined || fsGroup !== undefined;
  return { data, mode: narrow ? 0o600 : mode, ...(fsUser === undefined ? {} : { fsUser }) };
}
