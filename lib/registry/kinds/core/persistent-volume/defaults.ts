import { objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { ensure, text, unlessText } from '#lib/machinery/unstructured.ts';
import { roundResources } from '#lib/machinery/resource/quantities.ts';

/** Sources whose fields have a value of their own where a client gives none. */
const SOURCE_DEFAULTS: readonly (readonly [source: string, field: string, value: string | boolean])[] = [
  ['hostPath', 'type', ''],
  ['iscsi', 'iscsiInterface', 'default'],
  ['rbd', 'pool', 'rbd'],
  ['rbd', 'user', 'admin'],
  ['rbd', 'keyring', '/etc/ceph/keyring'],
  ['azureDisk', 'cachingMode', 'ReadWrite'],
  ['azureDisk', 'kind', 'Shared'],
  ['azureDisk', 'fsType', 'ext4'],
  ['azureDisk', 'readOnly', false],
  ['scaleIO', 'storageMode', 'ThinProvisioned'],
  ['scaleIO', 'fsType', 'xfs'],
];

/** Fields that are pointers in Go, whose empty text is a choice. */
const POINTERS = new Set(['type', 'cachingMode', 'kind', 'fsType', 'readOnly']);

/** Upstream's SetDefaults_PersistentVolume, and those of its source. */
export function defaultPersistentVolume(volume: JsonObject): void {
  const spec = ensure(volume, 'spec');
  unlessText(ensure(volume, 'status'), 'phase', 'Pending');
  unlessText(spec, 'persistentVolumeReclaimPolicy', 'Retain');
  spec['volumeMode'] ??= 'Filesystem';
  roundResources(spec, 'capacity');
  for (const [name, field, value] of SOURCE_DEFAULTS) {
    const source = objectAt(spec, name);
    if (source === undefined) continue;
    const pointer = POINTERS.has(field) && name !== 'scaleIO';
    if (pointer) source[field] ??= value;
    else if (text(source, field) === '') source[field] = value;
  }
}
