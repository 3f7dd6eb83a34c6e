import type {
  ConfigMapVolumeSource,
  DownwardAPIVolumeSource,
  EphemeralVolumeSource,
  GitRepoVolumeSource,
  ImageVolumeSource,
  SecretVolumeSource,
  Volume,
} from '#lib/api/types/core.v1.ts';
import { signOf } from '#lib/machinery/resource/quantities.ts';
import { type FieldError, type FieldPath, forbidden, required } from '#lib/machinery/validation/field.ts';
import { validateClaimTemplate } from '../../../shared/persistent-volume-claim-spec.ts';
import { each, requiredText, requiredTexts } from '../../../shared/validate.ts';
import { type Alternative, alternativesOf } from './alternatives.ts';
import { hostPath, nfs } from './file-sources.ts';
import type { PodValidationOptions } from './options.ts';
import { localDescendingPath } from './paths.ts';
import { validateProjected } from './projected-volumes.ts';
import { validatePullPolicy } from './pull-policy.ts';
import { fileMode, validateDownwardAPIFile, validateKeyToPath } from './volume-files.ts';
import * as legacy from './volume-sources-legacy.ts';

/** A possible source of a volume, which has exactly one. */
export interface VolumeSource extends Alternative<Volume, PodValidationOptions> {
  /** Upstream's field name in the error of an excess source, if it differs. */
  readonly forbiddenAs?: string;
  /** An additional check, which also runs if the source is an excess one. */
  readonly beside?: (volume: Volume, path: FieldPath) => FieldError[];
}

const source = alternativesOf<Volume, PodValidationOptions>();

/** In upstream's order. If a volume has two sources, the second one is reported. */
export const VOLUME_SOURCES: readonly VolumeSource[] = [
  { ...source('emptyDir', () => []), beside: emptyDirSize },
  source('hostPath', hostPath),
  source('gitRepo', gitRepo),
  source('gcePersistentDisk', legacy.gcePersistentDisk, 'persistentDisk'),
  source('awsElasticBlockStore', legacy.awsElasticBlockStore),
  source('secret', secret),
  source('nfs', nfs),
  { ...source('iscsi', legacy.iscsi), beside: legacy.iscsiNameLength },
  source('glusterfs', requiredTexts('endpoints', 'path')),
  source('flocker', legacy.flocker),
  source('persistentVolumeClaim', requiredTexts('claimName')),
  source('rbd', legacy.rbd),
  source('cinder', legacy.cinder),
  { ...source('cephfs', legacy.cephfs), forbiddenAs: 'cephFS' },
  source('quobyte', legacy.quobyte),
  { ...source('downwardAPI', downwardAPI), forbiddenAs: 'downwarAPI' },
  source('fc', legacy.fc),
  source('flexVolume', legacy.flexVolume),
  source('configMap', configMap),
  source('azureFile', requiredTexts('secretName', 'shareName')),
  source('vsphereVolume', requiredTexts('volumePath')),
  source('photonPersistentDisk', requiredTexts('pdID')),
  source('portworxVolume', requiredTexts('volumeID')),
  source('azureDisk', legacy.azureDisk),
  source('storageos', legacy.storageos),
  source('projected', validateProjected),
  source('scaleIO', requiredTexts('gateway', 'system', 'volumeName')),
  source('csi', legacy.csi),
  source('ephemeral', ephemeral),
  source('image', image),
];

function emptyDirSize({ emptyDir }: Volume, path: FieldPath): FieldError[] {
  if (emptyDir?.sizeLimit === undefined || signOf(emptyDir.sizeLimit) >= 0) return [];
  return [forbidden(path.child('emptyDir', 'sizeLimit'), 'SizeLimit field must be a valid resource quantity')];
}

function gitRepo(value: GitRepoVolumeSource, path: FieldPath): FieldError[] {
  const { directory = '' } = value;
  return [...requiredText(value, 'repository', path), ...localDescendingPath(directory, path.child('directory'))];
}

function secret(value: SecretVolumeSource, path: FieldPath): FieldError[] {
  return [...requiredText(value, 'secretName', path), ...keys(value, path)];
}

function configMap(value: ConfigMapVolumeSource, path: FieldPath): FieldError[] {
  return [...requiredText(value, 'name', path), ...keys(value, path)];
}

function keys({ defaultMode, items = [] }: SecretVolumeSource | ConfigMapVolumeSource, path: FieldPath): FieldError[] {
  return [...fileMode(defaultMode, path.child('defaultMode')), ...each(items, path.child('items'), validateKeyToPath)];
}

function downwardAPI({ defaultMode, items = [] }: DownwardAPIVolumeSource, path: FieldPath): FieldError[] {
  return [
    ...fileMode(defaultMode, path.child('defaultMode')),
    ...items.flatMap((file) => validateDownwardAPIFile(file, path)),
  ];
}

function ephemeral({ volumeClaimTemplate: template }: EphemeralVolumeSource, path: FieldPath): FieldError[] {
  const where = path.child('volumeClaimTemplate');
  return template === undefined ? [required(where)] : validateClaimTemplate(template, where);
}

function image(value: ImageVolumeSource, path: FieldPath, options: PodValidationOptions): FieldError[] {
  return [
    ...(options.resourceIsPod ? requiredText(value, 'reference', path) : []),
    ...validatePullPolicy(value.pullPolicy ?? '', path.child('pullPolicy')),
  ];
}
