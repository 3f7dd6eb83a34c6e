import type { Pod, SecretReference } from '#lib/api/types/core.v1.ts';
import type { CSIDriver } from '#lib/api/types/storage.v1.ts';
import { messageOfError } from '#lib/machinery/error-message.ts';
import { marshal } from '#lib/machinery/go.ts';
import { sortedEntries } from '#lib/machinery/sorted-entries.ts';
import { timeOf } from '#lib/machinery/time-at.ts';
import type { CSIHost } from './host.ts';
import { csiText } from './names.ts';
import type { CSISource } from './source.ts';

type Texts = Readonly<Record<string, string>>;

/** Attributes of the pod, for drivers that request them. */
export const podAttributes = ({ metadata, spec }: Pod, mode: CSISource['mode']): Texts => ({
  'csi.storage.k8s.io/pod.name': metadata.name ?? '',
  'csi.storage.k8s.io/pod.namespace': metadata.namespace ?? '',
  'csi.storage.k8s.io/pod.uid': metadata.uid ?? '',
  'csi.storage.k8s.io/serviceAccount.name': spec.serviceAccountName ?? '',
  'csi.storage.k8s.io/ephemeral': String(mode === 'Ephemeral'),
});

/** Tokens of the pod's service account, one for each audience that the driver requests. Empty if it requests none. */
export async function tokenAttributes({ host }: CSIHost, pod: Pod, driver: CSIDriver | undefined): Promise<Texts> {
  const requests = driver?.spec.tokenRequests ?? [];
  if (requests.length === 0) return {};
  const outputs: Record<string, ReadonlyMap<string, string>> = {};
  for (const { audience, expirationSeconds } of requests) {
    const { token, expires } = await host.objects.issuedToken({
      namespace: pod.metadata.namespace ?? '',
      serviceAccount: pod.spec.serviceAccountName ?? '',
      pod,
      audience,
      expirationSeconds: expirationSeconds === undefined ? undefined : Number(expirationSeconds),
    });
    const expirationTimestamp = timeOf(expires);
    outputs[audience] = new Map([
      ['token', token],
      ['expirationTimestamp', expirationTimestamp],
    ]);
  }
  return { 'csi.storage.k8s.io/serviceAccount.tokens': marshal(Object.fromEntries(sortedEntries(outputs))) };
}

/** The values of a secret as text. Throws if the secret does not exist. */
export async function credentials({ secret }: CSIHost, { namespace = '', name = '' }: SecretReference): Promise<Texts> {
  try {
    const { data = {} } = await secret(namespace, name);
    return Object.fromEntries(sortedEntries(data).map(([key, value]) => [key, decoded(value ?? '')]));
  } catch (error) {
    const what = `failed to find the secret ${name} in the namespace ${namespace} with error: ${messageOfError(error)}`;
    throw new Error(csiText(what), { cause: error });
  }
}

const decoded = (value: string): string => Buffer.from(value, 'base64').toString();
