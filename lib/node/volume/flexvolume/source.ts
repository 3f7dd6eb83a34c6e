import type { FlexPersistentVolumeSource, FlexVolumeSource, Pod } from '#lib/api/types/core.v1.ts';
import { messageOfError } from '#lib/machinery/error-message.ts';
import { marshal } from '#lib/machinery/go.ts';
import { sortedEntries } from '#lib/machinery/sorted-entries.ts';
import type { MounterArgs, VolumeSpec } from '../volume.ts';
import type { FlexHost } from './host.ts';

type FlexSource = FlexVolumeSource | FlexPersistentVolumeSource;
type Options = Readonly<Record<string, string>>;

/** The source of a volume, or undefined for other types. */
export const sourceOf = ({ volume, persistentVolume }: VolumeSpec): FlexSource | undefined =>
  volume?.flexVolume ?? persistentVolume?.spec.flexVolume;

/** Whether a volume is read-only, according to the pod's volume, or the pod's claim source for a claim. */
export const isReadOnly = ({ volume, readOnly }: VolumeSpec): boolean =>
  volume?.flexVolume === undefined ? readOnly : (volume.flexVolume.readOnly ?? false);

/** A volume's options for its driver as JSON. The volume's own options take precedence. */
export function driverOptions(spec: VolumeSpec, extra: Options = {}): string {
  const { fsType = '', options = {} } = sourceOf(spec) ?? {};
  const all = {
    'kubernetes.io/fsType': fsType,
    'kubernetes.io/readwrite': isReadOnly(spec) ? 'ro' : 'rw',
    'kubernetes.io/pvOrVolumeName': spec.name,
    ...extra,
    ...options,
  };
  return marshal(Object.fromEntries(sortedEntries(all)));
}

/** The pod's options for the driver that mounts the volume. */
export async function mountOptions(
  host: FlexHost,
  { spec, pod, driver }: { readonly spec: VolumeSpec; readonly pod: Pod; readonly driver: string },
  { fsGroup }: MounterArgs,
): Promise<Options> {
  const { name = '', namespace = '', uid = '' } = pod.metadata;
  return {
    'kubernetes.io/pod.name': name,
    'kubernetes.io/pod.namespace': namespace,
    'kubernetes.io/pod.uid': uid,
    'kubernetes.io/serviceAccount.name': pod.spec.serviceAccountName ?? '',
    ...(await secretOptions(host, spec, { namespace, driver })),
    ...(fsGroup === undefined ? {} : { 'kubernetes.io/mounterArgs.FsGroup': String(fsGroup) }),
  };
}

/** The base64 values of the volume's secret. Throws if the secret does not exist or has another type than the driver's. */
async function secretOptions(
  host: FlexHost,
  { volume, persistentVolume }: VolumeSpec,
  pod: { readonly namespace: string; readonly driver: string },
): Promise<Options> {
  const persistent = persistentVolume?.spec.flexVolume?.secretRef;
  const name = volume?.flexVolume?.secretRef?.name ?? persistent?.name ?? '';
  const namespace = persistent === undefined ? pod.namespace : (persistent.namespace ?? '');
  if (name === '' || namespace === '') return {};
  try {
    const { type, data = {} } = await host.secret(namespace, name);
    if (type !== pod.driver) throw new Error(`cannot get secret of type ${pod.driver}`);
    return Object.fromEntries(sortedEntries(data).map(([key, value]) => [`kubernetes.io/secret/${key}`, value ?? '']));
  } catch (error) {
    throw new Error(`couldn't get secret ${namespace}/${name} err: ${messageOfError(error)}`, { cause: error });
  }
}
