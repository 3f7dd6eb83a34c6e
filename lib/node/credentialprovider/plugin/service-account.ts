import { createHash } from 'node:crypto';
import type { ServiceAccount } from '#lib/api/types/core.v1.ts';
import { messageOfError } from '#lib/machinery/error-message.ts';
import { ownField } from '#lib/machinery/json-value.ts';
import type { CredentialSource, ObjectCoordinates } from '../keyring.ts';
import type { TokenAttributes } from './config.ts';

/** The pod for which an image is pulled. */
export interface PullingPod {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  /** Empty for a pod without a service account, such as a static pod. */
  readonly serviceAccountName: string;
}

/** The parameters of a token for a plugin. */
export interface TokenWanted {
  readonly audience: string;
  readonly pod: PullingPod;
  readonly serviceAccountUid: string;
}

/** The API for plugins that get tokens. */
export interface ServiceAccounts {
  /** Returns a service account. Throws if it does not exist. */
  get(namespace: string, name: string): Promise<ServiceAccount>;
  /** Requests a token. Throws if the server refuses it. */
  token(wanted: TokenWanted): Promise<string>;
}

/** The service account of a pull, as passed to a plugin. */
export interface AccountOfPull {
  readonly token: string;
  readonly annotations: ReadonlyMap<string, string>;
  /** Equal for pulls that may share credentials. */
  readonly cacheKey: string;
  /** Equal for pulls that may share a plugin run. */
  readonly flightKey: string;
  readonly source: CredentialSource;
}

/** The result for a pull that does not run a plugin. The plugin requires a service account or annotations that the pod lacks. */
export const NOT_MEANT = 'not meant';

/**
 * The service account that a plugin gets for a pod. Undefined if it gets none, `NOT_MEANT` if it does not run. Throws an Error with
 * upstream's message.
 */
export async function accountOfPull(
  attributes: TokenAttributes,
  pod: PullingPod,
  accounts: ServiceAccounts,
): Promise<AccountOfPull | typeof NOT_MEANT | undefined> {
  const { namespace, serviceAccountName: name } = pod;
  if (name === '') return attributes.requireServiceAccount === true ? NOT_MEANT : undefined;
  const account = await accounts.get(namespace, name).catch(because('failed to get service account'));
  const annotations = annotationsOf(attributes, account);
  if (annotations === undefined) return NOT_MEANT;
  const { uid = '' } = account.metadata;
  const token = await accounts
    .token({ audience: attributes.serviceAccountTokenAudience, pod, serviceAccountUid: uid })
    .catch(because('failed to get service account token'));
  const hash = createHash('sha256').update(token).digest('hex');
  const sorted = [...annotations].sort(([a], [b]) => (a < b ? -1 : 1));
  const coordinates: ObjectCoordinates = { uid, namespace, name };
  return {
    token,
    annotations,
    cacheKey: JSON.stringify([namespace, name, uid, sorted, attributes.cacheType === 'Token' ? hash : null]),
    flightKey: JSON.stringify([hash, sorted]),
    source: { serviceAccount: coordinates },
  };
}

/** The annotations that a plugin requests. Undefined if a required one is missing. */
function annotationsOf(
  { requiredServiceAccountAnnotationKeys, optionalServiceAccountAnnotationKeys }: TokenAttributes,
  { metadata }: ServiceAccount,
): ReadonlyMap<string, string> | undefined {
  const found = new Map<string, string>();
  for (const key of [...requiredServiceAccountAnnotationKeys, ...optionalServiceAccountAnnotationKeys]) {
    const value = ownField(metadata.annotations, key);
    if (value !== undefined) found.set(key, value);
  }
  return requiredServiceAccountAnnotationKeys.every((key) => found.has(key)) ? found : undefined;
}

const because =
  (what: string) =>
  (cause: unknown): never => {
    throw new Error(`${what}: ${messageOfError(cause)}`, { cause });
  };
