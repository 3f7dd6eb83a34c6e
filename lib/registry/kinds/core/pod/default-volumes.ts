import { objectAt, ownField, type JsonObject } from '#lib/machinery/json-value.ts';
import { ensure, has, items, text, unlessText } from '#lib/machinery/unstructured.ts';
import { defaultClaimSpec } from '../../shared/persistent-volume-claim-spec.ts';
import { canonicalQuantity, roundResources } from '#lib/machinery/resource/quantities.ts';
import { defaultFieldRef, defaultResourceRef, pullPolicy } from './default-containers.ts';
import { VOLUME_SOURCES } from './validation/volume-sources.ts';

const FILE_MODE = 0o644;
const HOUR = 3600;

/** Upstream's defaults of a volume; one that says nothing is an empty directory. */
export function defaultVolume(volume: JsonObject): void {
  if (!VOLUME_SOURCES.some(({ field }) => has(volume, field))) volume['emptyDir'] = {};
  for (const [field, apply] of Object.entries(DEFAULTS)) {
    const source = objectAt(volume, field);
    if (source !== undefined) apply(source);
  }
}

const DEFAULTS: Readonly<Record<string, (source: JsonObject) => void>> = {
  emptyDir,
  hostPath: (source) => void (source['type'] ??= ''),
  secret: fileMode,
  configMap: fileMode,
  downwardAPI: (source) => {
    fileMode(source);
    downwardAPI(source);
  },
  projected,
  iscsi: (source) => unlessText(source, 'iscsiInterface', 'default'),
  rbd,
  azureDisk,
  scaleIO: (source) => {
    unlessText(source, 'fsType', 'xfs');
    unlessText(source, 'storageMode', 'ThinProvisioned');
  },
  ephemeral,
  image: (source) => unlessText(source, 'pullPolicy', pullPolicy(text(source, 'reference'))),
};

function emptyDir(source: JsonObject): void {
  const limit = ownField(source, 'sizeLimit');
  if (limit !== undefined && limit !== null) source['sizeLimit'] = canonicalQuantity(limit);
}

function fileMode(source: JsonObject): void {
  source['defaultMode'] ??= FILE_MODE;
}

function downwardAPI(source: JsonObject): void {
  for (const file of items(source, 'items')) {
    defaultFieldRef(objectAt(file, 'fieldRef'));
    defaultResourceRef(objectAt(file, 'resourceFieldRef'));
  }
}

function projected(volume: JsonObject): void {
  fileMode(volume);
  for (const source of items(volume, 'sources')) {
    const files = objectAt(source, 'downwardAPI');
    if (files !== undefined) downwardAPI(files);
    const token = objectAt(source, 'serviceAccountToken');
    if (token !== undefined) token['expirationSeconds'] ??= HOUR;
  }
}

function rbd(source: JsonObject): void {
  unlessText(source, 'pool', 'rbd');
  unlessText(source, 'user', 'admin');
  unlessText(source, 'keyring', '/etc/ceph/keyring');
}

function azureDisk(source: JsonObject): void {
  source['cachingMode'] ??= 'ReadWrite';
  source['kind'] ??= 'Shared';
  source['fsType'] ??= 'ext4';
  source['readOnly'] ??= false;
}

function ephemeral(source: JsonObject): void {
  const template = objectAt(source, 'volumeClaimTemplate');
  if (template === undefined) return;
  ensure(template, 'metadata');
  const spec = ensure(template, 'spec');
  defaultClaimSpec(spec);
  roundResources(ensure(spec, 'resources'), 'limits', 'requests');
}
