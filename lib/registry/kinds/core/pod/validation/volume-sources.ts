import { objectAt, ownField, type JsonObject } from '#lib/machinery/json-value.ts';
import { items, text } from '#lib/machinery/unstructured.ts';
import { forbidden, required, type FieldError, type FieldPath } from '#lib/machinery/validation/field.ts';
import { validateClaimTemplate } from '../../../shared/persistent-volume-claim-spec.ts';
import { signOf } from '#lib/machinery/resource/quantities.ts';
import { each, requiredText, requiredTexts } from '../../../shared/validate.ts';
import type { PodValidationOptions } from './options.ts';
import { hostPath, nfs } from './file-sources.ts';
import { fileMode, validateDownwardAPIFile, validateKeyToPath } from './volume-files.ts';
import { localDescendingPath } from './paths.ts';
import { validateProjected } from './projected-volumes.ts';
import { validatePullPolicy } from './pull-policy.ts';
import * as legacy from './volume-sources-legacy.ts';

type Validate = (source: JsonObject, path: FieldPath, options: PodValidationOptions) => FieldError[];

interface VolumeSource {
  readonly field: string;
  readonly validate: Validate;
  /** Upstream's name of the field in errors, where it is another. */
  readonly validatedAs?: string;
  readonly forbiddenAs?: string;
  /** What is checked beside the source, also where it is one too many. */
  readonly beside?: (volume: JsonObject, path: FieldPath) => FieldError[];
}

/** In upstream's order, in which the second of two sources is the one too many. */
export const VOLUME_SOURCES: readonly VolumeSource[] = [
  { field: 'emptyDir', validate: () => [], beside: emptyDirSize },
  { field: 'hostPath', validate: hostPath },
  { field: 'gitRepo', validate: gitRepo },
  { field: 'gcePersistentDisk', validate: legacy.gcePersistentDisk, validatedAs: 'persistentDisk' },
  { field: 'awsElasticBlockStore', validate: legacy.awsElasticBlockStore },
  { field: 'secret', validate: keyed('secretName') },
  { field: 'nfs', validate: nfs },
  { field: 'iscsi', validate: legacy.iscsi, beside: legacy.iscsiNameLength },
  { field: 'glusterfs', validate: requiredTexts('endpoints', 'path') },
  { field: 'flocker', validate: legacy.flocker },
  { field: 'persistentVolumeClaim', validate: requiredTexts('claimName') },
  { field: 'rbd', validate: legacy.rbd },
  { field: 'cinder', validate: legacy.cinder },
  { field: 'cephfs', validate: legacy.cephfs, forbiddenAs: 'cephFS' },
  { field: 'quobyte', validate: legacy.quobyte },
  { field: 'downwardAPI', validate: downwardAPI, forbiddenAs: 'downwarAPI' },
  { field: 'fc', validate: legacy.fc },
  { field: 'flexVolume', validate: legacy.flexVolume },
  { field: 'configMap', validate: keyed('name') },
  { field: 'azureFile', validate: requiredTexts('secretName', 'shareName') },
  { field: 'vsphereVolume', validate: requiredTexts('volumePath') },
  { field: 'photonPersistentDisk', validate: requiredTexts('pdID') },
  { field: 'portworxVolume', validate: requiredTexts('volumeID') },
  { field: 'azureDisk', validate: legacy.azureDisk },
  { field: 'storageos', validate: legacy.storageos },
  { field: 'projected', validate: validateProjected },
  { field: 'scaleIO', validate: requiredTexts('gateway', 'system', 'volumeName') },
  { field: 'csi', validate: legacy.csi },
  { field: 'ephemeral', validate: ephemeral },
  { field: 'image', validate: image },
];

function emptyDirSize(volume: JsonObject, path: FieldPath): FieldError[] {
  const limit = ownField(objectAt(volume, 'emptyDir'), 'sizeLimit');
  if (limit === undefined || limit === null || signOf(limit) >= 0) return [];
  return [forbidden(path.child('emptyDir', 'sizeLimit'), 'SizeLimit field must be a valid resource quantity')];
}

function gitRepo(source: JsonObject, path: FieldPath): FieldError[] {
  const directory = text(source, 'directory');
  return [...requiredText(source, 'repository', path), ...localDescendingPath(directory, path.child('directory'))];
}

/** Secrets and config maps: a name, a mode, and keys to paths. */
function keyed(name: string): Validate {
  return (source, path) => [
    ...requiredText(source, name, path),
    ...fileMode(source, 'defaultMode', path),
    ...each(items(source, 'items'), path.child('items'), validateKeyToPath),
  ];
}

function downwardAPI(source: JsonObject, path: FieldPath): FieldError[] {
  return [
    ...fileMode(source, 'defaultMode', path),
    ...items(source, 'items').flatMap((file) => validateDownwardAPIFile(file, path)),
  ];
}

function ephemeral(source: JsonObject, path: FieldPath): FieldError[] {
  const where = path.child('volumeClaimTemplate');
  const template = objectAt(source, 'volumeClaimTemplate');
  return template === undefined ? [required(where)] : validateClaimTemplate(template, where);
}

function image(source: JsonObject, path: FieldPath, options: PodValidationOptions): FieldError[] {
  return [
    ...(options.resourceIsPod ? requiredText(source, 'reference', path) : []),
    ...validatePullPolicy(text(source, 'pullPolicy'), path.child('pullPolicy')),
  ];
}
