import { createHash } from 'node:crypto';
import type { ServiceAccount } from '#lib/api/types/core.v1.ts';
import { messageOfError } from '#lib/machinery/error-message.ts';
import { ownField } from '#lib/machinery/json-value.ts';
import type { CredentialSource, ObjectCoordinates } from '../keyring.ts';
import type { TokenAttributes } from './config.ts';

/** The pod that an image is pulled for. */
export interface PullingPod {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  /** Empty for a pod without one, as a static pod is. */
  readonly serviceAccountName: string;
}

/** A token that a plugin gets. */
export interface TokenWanted {
  readonly audience: string;
  readonly pod: PullingPod;
  readonly serviceAccountUid: string;
}

/** The API under plugins that get tokens. */
export interface ServiceAccounts {
  /** Throws where there is none. */
  get(namespace: string, name: string): Promise<ServiceAccount>;
  /** Throws where the server gives none. */
  token(wanted: TokenWanted): Promise<string>;
}

/** The service account of a pull, as a plugin gets it. */
export interface AccountOfPull {
  readonly token: string;
  readonly annotations: ReadonlyMap<string, string>;
  /** The same for pulls that may share credentials. */
  readonly cacheKey: string;
  /** The same for pulls that may share a run of the plugin. */
  readonly flightKey: string;
  readonly source: CredentialSource;
}

/** A pull for which a plugin is not run: it wants a service account, or annotations, that the pod has not. */
export const NOT_MEANT = 'not meant';

/**
 * The service account that a plugin gets for a pod; undefined where it gets none, `NOT_MEANT` where it is not run. Throws an Error in upstream's words.
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

/** The annotations that a plugin wants; undefined where a required one is missing. */
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
