import type { PersistentVolumeClaimSpec, TypedLocalObjectReference } from '#lib/api/types/core.v1.ts';

/**
 * `dataSource` and the newer `dataSourceRef` have the same meaning. A `dataSource` that is neither a claim nor a snapshot is still dropped.
 * Upstream's EnforceDataSourceBackwardsCompatibility and NormalizeDataSources.
 */
export function normalizeDataSources(spec: PersistentVolumeClaimSpec, old?: PersistentVolumeClaimSpec): void {
  // Cross-namespace references need a feature gate that is off.
  if ((spec.dataSourceRef?.namespace ?? '') !== '' && old?.dataSourceRef === undefined) {
    delete spec.dataSourceRef;
  }
  const inUse = old?.dataSource !== undefined || old?.dataSourceRef !== undefined;
  if (!inUse && spec.dataSourceRef === undefined && !isClaimOrSnapshot(spec.dataSource)) {
    delete spec.dataSource;
  }
  copyMissing(spec);
}

/** Copies the field that is set to the other one. Cross-namespace references have no equivalent in `dataSource`. */
export function copyMissing(spec: PersistentVolumeClaimSpec): void {
  const [source, ref] = [spec.dataSource, spec.dataSourceRef];
  if (source !== undefined && ref === undefined) spec.dataSourceRef = local(source);
  if (ref !== undefined && source === undefined && (ref.namespace ?? '') === '') spec.dataSource = local(ref);
}

type Local = Pick<TypedLocalObjectReference, 'apiGroup' | 'kind' | 'name'>;

function local({ apiGroup, kind, name }: Local): Local {
  return { apiGroup, kind, name };
}

function isClaimOrSnapshot(source: TypedLocalObjectReference | undefined): boolean {
  const [group, kind] = [source?.apiGroup ?? '', source?.kind ?? ''];
  if (group === '') return kind === 'PersistentVolumeClaim';
  return group === 'snapshot.storage.k8s.io' && kind === 'VolumeSnapshot';
}
