import type {
  ObjectReference,
  PersistentVolumeSource,
  PersistentVolumeSpec,
  SecretReference,
} from '#lib/api/types/core.v1.ts';
import { type FieldError, type FieldPath, invalid, required, tooLong } from '#lib/machinery/validation/field.ts';
import { byteLength } from '#lib/machinery/validation/messages.ts';
import { isDNS1123Label, isDNS1123Subdomain } from '#lib/machinery/validation/names.ts';
import { checked, requiredText, requiredTexts } from '../../shared/validate.ts';
import { hostPath, nfs } from '../pod/validation/file-sources.ts';
import { pathNoBacksteps } from '../pod/validation/paths.ts';
import * as pod from '../pod/validation/volume-sources-legacy.ts';

type Field = keyof PersistentVolumeSource & string;
type SourceAt<F extends Field> = NonNullable<PersistentVolumeSpec[F]>;
type Validate<F extends Field> = (source: SourceAt<F>, path: FieldPath, name: string) => FieldError[];

interface Names {
  /** Upstream's field name in errors of the source, if it differs. */
  readonly validatedAs?: string;
  /** Upstream's field name in the error of a second source, if it differs. */
  readonly forbiddenAs?: string;
}

/** A type of volume source. */
interface Source extends Names {
  readonly field: Field;
  /** Validates this source in the spec of the volume `name`. Returns no errors if the volume uses another source. */
  readonly validate: (spec: PersistentVolumeSpec, path: FieldPath, name: string) => FieldError[];
}

const sourceOf = <F extends Field>(field: F, validate: Validate<F>, names: Names = {}): Source => ({
  field,
  ...names,
  validate(spec, path, name) {
    const source: PersistentVolumeSpec[F] = spec[field];
    return source === undefined ? [] : validate(source, path.child(names.validatedAs ?? field), name);
  },
});

const glusterfs: Validate<'glusterfs'> = (source, path) => {
  const namespace = source.endpointsNamespace ?? '';
  const where = path.child('endpointsNamespace');
  const empty = 'if the endpointnamespace is set, it must be a valid namespace name';
  const wrong = namespace === '' ? [invalid(where, '', empty)] : checked(namespace, where, isDNS1123Label);
  return [
    ...requiredText(source, 'endpoints', path),
    ...requiredText(source, 'path', path),
    ...(source.endpointsNamespace !== undefined ? wrong : []),
  ];
};

/** Validates the secret reference of a source, if it has one. */
function secretRef(
  ref: SecretReference | ObjectReference | undefined,
  path: FieldPath,
  ...fields: ('name' | 'namespace')[]
): FieldError[] {
  return ref === undefined
    ? []
    : fields.flatMap((field) => requiredText<typeof ref>(ref, field, path.child('secretRef')));
}

const TOO_LONG =
  'Total length of <volume name>:<iscsi.targetPortal> must be under 64 characters if iscsi.initiatorName is specified.';

const iscsi: Validate<'iscsi'> = (source, path, name) => {
  const portal = source.targetPortal;
  const long = source.initiatorName !== undefined && `${name}:${portal}`.length > 64;
  return [
    ...(long ? [invalid(path.child('targetportal'), portal, TOO_LONG)] : []),
    ...pod
      .iscsi(source, path)
      .map((error) =>
        error.detail.startsWith('must be valid format') ? { ...error, detail: 'must be valid format' } : error,
      ),
    ...secretRef(source.secretRef, path, 'name'),
  ];
};

const azureFile: Validate<'azureFile'> = (source, path) => [
  ...requiredText(source, 'secretName', path),
  ...requiredText(source, 'shareName', path),
  ...(source.secretNamespace !== null ? requiredText(source, 'secretNamespace', path) : []),
];

const local: Validate<'local'> = (source, path) => {
  const target = source.path;
  return target === '' ? [required(path.child('path'))] : pathNoBacksteps(target, path.child('path'));
};

const storageos: Validate<'storageos'> = (source, path) => {
  const [name, namespace] = [source.volumeName ?? '', source.volumeNamespace ?? ''];
  return [
    ...(name === '' ? [required(path.child('volumeName'))] : checked(name, path.child('volumeName'), isDNS1123Label)),
    ...(namespace === '' ? [] : checked(namespace, path.child('volumeNamespace'), isDNS1123Label)),
    ...secretRef(source.secretRef, path, 'name', 'namespace'),
  ];
};

const CSI_SECRETS = [
  'controllerPublishSecretRef',
  'controllerExpandSecretRef',
  'nodePublishSecretRef',
  'nodeExpandSecretRef',
] as const;

const csi: Validate<'csi'> = (source, path) => [
  ...validateCSIDriverName(source.driver, path.child('driver')),
  ...requiredText(source, 'volumeHandle', path),
  ...CSI_SECRETS.flatMap((field) => csiSecret(source[field], path.child(field))),
];

function csiSecret(ref: SecretReference | undefined, path: FieldPath): FieldError[] {
  if (ref === undefined) return [];
  const [name, namespace] = [ref.name ?? '', ref.namespace ?? ''];
  return [
    ...(name === '' ? [required(path.child('name'))] : checked(name, path.child('name'), isDNS1123Subdomain)),
    ...(namespace === ''
      ? [required(path.child('namespace'))]
      : checked(namespace, path.child('namespace'), isDNS1123Label)),
  ];
}

/** Upstream's ValidateCSIDriverName: a DNS subdomain that may contain upper case. */
export function validateCSIDriverName(name: string, path: FieldPath): FieldError[] {
  if (name === '') return [required(path)];
  return [
    ...(byteLength(name) > 63 ? [tooLong(path, 63)] : []),
    ...isDNS1123Subdomain(name.toLowerCase()).map((message) => invalid(path, name, message)),
  ];
}

/** The sources in upstream's order. If a volume has two, the second one is reported. */
export const SOURCES: readonly Source[] = [
  sourceOf('hostPath', hostPath),
  sourceOf('gcePersistentDisk', pod.gcePersistentDisk, { validatedAs: 'persistentDisk' }),
  sourceOf('awsElasticBlockStore', pod.awsElasticBlockStore),
  sourceOf('glusterfs', glusterfs),
  sourceOf('flocker', pod.flocker),
  sourceOf('nfs', nfs),
  sourceOf('rbd', pod.rbd),
  sourceOf('quobyte', pod.quobyte),
  sourceOf('cephfs', pod.cephfs, { forbiddenAs: 'cephFS' }),
  sourceOf('iscsi', iscsi),
  sourceOf('cinder', (source, path) => [
    ...requiredText(source, 'volumeID', path),
    ...secretRef(source.secretRef, path, 'name', 'namespace'),
  ]),
  sourceOf('fc', pod.fc),
  sourceOf('flexVolume', pod.flexVolume),
  sourceOf('azureFile', azureFile),
  sourceOf('vsphereVolume', requiredTexts('volumePath')),
  sourceOf('photonPersistentDisk', requiredTexts('pdID')),
  sourceOf('portworxVolume', requiredTexts('volumeID')),
  sourceOf('azureDisk', pod.azureDisk),
  sourceOf('scaleIO', requiredTexts('gateway', 'system', 'volumeName')),
  sourceOf('local', local),
  sourceOf('storageos', storageos),
  sourceOf('csi', csi),
];
