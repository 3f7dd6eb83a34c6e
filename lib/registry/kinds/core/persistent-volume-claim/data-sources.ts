import { defined } from '#lib/machinery/defined.ts';
import { objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { has, text } from '#lib/machinery/unstructured.ts';

/**
 * `dataSource` and the later `dataSourceRef` mean the same. Old clients that write anything but claims and snapshots into the
 * former have always been ignored; upstream's EnforceDataSourceBackwardsCompatibility and NormalizeDataSources.
 */
export function normalizeDataSources(spec: JsonObject, old?: JsonObject): void {
  // References across namespaces are behind a gate that is off.
  if (text(objectAt(spec, 'dataSourceRef'), 'namespace') !== '' && !has(old, 'dataSourceRef')) {
    delete spec['dataSourceRef'];
  }
  const inUse = has(old, 'dataSource') || has(old, 'dataSourceRef');
  if (!inUse && !has(spec, 'dataSourceRef') && !isClaimOrSnapshot(objectAt(spec, 'dataSource'))) {
    delete spec['dataSource'];
  }
  copyMissing(spec);
}

/** Fills whichever of the two fields is missing; references across namespaces have no old form. */
export function copyMissing(spec: JsonObject): void {
  const [source, ref] = [objectAt(spec, 'dataSource'), objectAt(spec, 'dataSourceRef')];
  if (source !== undefined && ref === undefined) spec['dataSourceRef'] = local(source);
  if (ref !== undefined && source === undefined && text(ref, 'namespace') === '') spec['dataSource'] = local(ref);
}

function local(reference: JsonObject): JsonObject {
  const { apiGroup, kind, name } = reference;
  return { ...defined({ apiGroup }), kind: kind ?? '', name: name ?? '' };
}

function isClaimOrSnapshot(source: JsonObject | undefined): boolean {
  const [group, kind] = [text(source, 'apiGroup'), text(source, 'kind')];
  if (group === '') return kind === 'PersistentVolumeClaim';
  return group === 'snapshot.storage.k8s.io' && kind === 'VolumeSnapshot';
}
