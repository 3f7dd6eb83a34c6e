import type { Pod, Volume } from '#lib/api/types/core.v1.ts';
import { secretNames } from '#lib/server/registry/kinds/core/pod/secret-names.ts';
import { containersOf } from '#lib/server/registry/kinds/core/pod/validation/visit.ts';

/** The API resource that a pod refers to first, or undefined without a reference (upstream: HasAPIObjectReference). */
export function apiObjectReference({ spec }: Pod): string | undefined {
  if ((spec.serviceAccountName ?? '') !== '') return 'serviceaccounts';
  if (secretNames(spec).length > 0) return 'secrets';
  const volumes = spec.volumes ?? [];
  const isConfigured = containersOf(spec).some(
    ({ env = [], envFrom = [] }) =>
      env.some(({ valueFrom }) => valueFrom?.configMapKeyRef !== undefined) ||
      envFrom.some(({ configMapRef }) => configMapRef !== undefined),
  );
  const isMounted = volumes.some(
    ({ configMap, projected }) =>
      configMap !== undefined || (projected?.sources ?? []).some((source) => source.configMap !== undefined),
  );
  if (isConfigured || isMounted) return 'configmaps';
  if ((spec.resourceClaims ?? []).length > 0) return 'resourceclaims';
  for (const volume of volumes) {
    const resource = resourceOf(volume);
    if (resource !== undefined) return resource;
  }
  return undefined;
}

/** The API resource that a volume refers to, in upstream's terms. Undefined without a reference. */
function resourceOf({
  csi,
  glusterfs,
  persistentVolumeClaim,
  ephemeral,
  azureFile,
  projected,
  secret,
}: Volume): string | undefined {
  if (secret !== undefined) return 'secrets (via secret volumes)';
  if (csi !== undefined) return 'csidrivers (via CSI volumes)';
  if (glusterfs !== undefined) return 'endpoints (via glusterFS volumes)';
  if (persistentVolumeClaim !== undefined) return 'persistentvolumeclaims';
  if (ephemeral !== undefined) return 'persistentvolumeclaims (via ephemeral volumes)';
  if (azureFile !== undefined) return 'secrets (via azureFile volumes)';
  for (const source of projected?.sources ?? []) {
    if (source.serviceAccountToken !== undefined) return 'serviceaccounts (via projected volumes)';
    if (source.clusterTrustBundle !== undefined) return 'clustertrustbundles';
    if (source.podCertificate !== undefined) return 'podcertificates';
  }
  return undefined;
}
