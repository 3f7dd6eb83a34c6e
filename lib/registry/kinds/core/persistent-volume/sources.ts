import { typedPart } from '#lib/api/typed.ts';
import { objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { has, text } from '#lib/machinery/unstructured.ts';
import { invalid, required, tooLong, type FieldError, type FieldPath } from '#lib/machinery/validation/field.ts';
import { byteLength } from '#lib/machinery/validation/messages.ts';
import { isDNS1123Label, isDNS1123Subdomain } from '#lib/machinery/validation/names.ts';
import { checked, requiredText, requiredTexts } from '../../shared/validate.ts';
import { hostPath, nfs } from '../pod/validation/file-sources.ts';
import { pathNoBacksteps } from '../pod/validation/paths.ts';
import * as pod from '../pod/validation/volume-sources-legacy.ts';

type Validate = (source: JsonObject, path: FieldPath, name: string) => FieldError[];

/** A kind of storage that a volume stands for. `validatedAs` is upstream's name in its errors, where it is another. */
interface Source {
  readonly field: string;
  /** A method, so that a check may name the type of its own source. */
  validate(source: JsonObject, path: FieldPath, name: string): FieldError[];
  readonly validatedAs?: string;
  readonly forbiddenAs?: string;
}

const glusterfs: Validate = (source, path) => {
  const namespace = text(source, 'endpointsNamespace');
  const where = path.child('endpointsNamespace');
  const empty = 'if the endpointnamespace is set, it must be a valid namespace name';
  const wrong = namespace === '' ? [invalid(where, '', empty)] : checked(namespace, where, isDNS1123Label);
  return [...requiredTexts('endpoints', 'path')(source, path), ...(has(source, 'endpointsNamespace') ? wrong : [])];
};

/** A secret in a namespace, where one is named. */
function secretRef(source: JsonObject, path: FieldPath, ...fields: string[]): FieldError[] {
  const ref = objectAt(source, 'secretRef');
  return ref === undefined ? [] : fields.flatMap((field) => requiredText(ref, field, path.child('secretRef')));
}

const TOO_LONG =
  'Total length of <volume name>:<iscsi.targetPortal> must be under 64 characters if iscsi.initiatorName is specified.';

const iscsi: Validate = (source, path, name) => {
  const portal = text(source, 'targetPortal');
  const long = has(source, 'initiatorName') && `${name}:${portal}`.length > 64;
  return [
    ...(long ? [invalid(path.child('targetportal'), portal, TOO_LONG)] : []),
    ...pod
      .iscsi(typedPart(source), path)
      .map((error) =>
        error.detail.startsWith('must be valid format') ? { ...error, detail: 'must be valid format' } : error,
      ),
    ...secretRef(source, path, 'name'),
  ];
};

const azureFile: Validate = (source, path) => [
  ...requiredTexts('secretName', 'shareName')(source, path),
  ...(has(source, 'secretNamespace') ? requiredText(source, 'secretNamespace', path) : []),
];

const local: Validate = (source, path) => {
  const target = text(source, 'path');
  return target === '' ? [required(path.child('path'))] : pathNoBacksteps(target, path.child('path'));
};

const storageos: Validate = (source, path) => {
  const [name, namespace] = [text(source, 'volumeName'), text(source, 'volumeNamespace')];
  return [
    ...(name === '' ? [required(path.child('volumeName'))] : checked(name, path.child('volumeName'), isDNS1123Label)),
    ...(namespace === '' ? [] : checked(namespace, path.child('volumeNamespace'), isDNS1123Label)),
    ...secretRef(source, path, 'name', 'namespace'),
  ];
};

const CSI_SECRETS = [
  'controllerPublishSecretRef',
  'controllerExpandSecretRef',
  'nodePublishSecretRef',
  'nodeExpandSecretRef',
];

const csi: Validate = (source, path) => [
  ...validateCSIDriverName(text(source, 'driver'), path.child('driver')),
  ...requiredText(source, 'volumeHandle', path),
  ...CSI_SECRETS.flatMap((field) => csiSecret(objectAt(source, field), path.child(field))),
];

function csiSecret(ref: JsonObject | undefined, path: FieldPath): FieldError[] {
  if (ref === undefined) return [];
  const [name, namespace] = [text(ref, 'name'), text(ref, 'namespace')];
  return [
    ...(name === '' ? [required(path.child('name'))] : checked(name, path.child('name'), isDNS1123Subdomain)),
    ...(namespace === ''
      ? [required(path.child('namespace'))]
      : checked(namespace, path.child('namespace'), isDNS1123Label)),
  ];
}

/** Upstream's ValidateCSIDriverName: a domain, in any case of letters. */
export function validateCSIDriverName(name: string, path: FieldPath): FieldError[] {
  if (name === '') return [required(path)];
  return [
    ...(byteLength(name) > 63 ? [tooLong(path, 63)] : []),
    ...isDNS1123Subdomain(name.toLowerCase()).map((message) => invalid(path, name, message)),
  ];
}

/** In upstream's order, in which the second of two sources is the one too many. */
export const SOURCES: readonly Source[] = [
  { field: 'hostPath', validate: hostPath },
  { field: 'gcePersistentDisk', validate: pod.gcePersistentDisk, validatedAs: 'persistentDisk' },
  { field: 'awsElasticBlockStore', validate: pod.awsElasticBlockStore },
  { field: 'glusterfs', validate: glusterfs },
  { field: 'flocker', validate: pod.flocker },
  { field: 'nfs', validate: nfs },
  { field: 'rbd', validate: pod.rbd },
  { field: 'quobyte', validate: pod.quobyte },
  { field: 'cephfs', validate: pod.cephfs, forbiddenAs: 'cephFS' },
  { field: 'iscsi', validate: iscsi },
  {
    field: 'cinder',
    validate: (source, path) => [
      ...requiredText(source, 'volumeID', path),
      ...secretRef(source, path, 'name', 'namespace'),
    ],
  },
  { field: 'fc', validate: pod.fc },
  { field: 'flexVolume', validate: pod.flexVolume },
  { field: 'azureFile', validate: azureFile },
  { field: 'vsphereVolume', validate: requiredTexts('volumePath') },
  { field: 'photonPersistentDisk', validate: requiredTexts('pdID') },
  { field: 'portworxVolume', validate: requiredTexts('volumeID') },
  { field: 'azureDisk', validate: pod.azureDisk },
  { field: 'scaleIO', validate: requiredTexts('gateway', 'system', 'volumeName') },
  { field: 'local', validate: local },
  { field: 'storageos', validate: storageos },
  { field: 'csi', validate: csi },
];
