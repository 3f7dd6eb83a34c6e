/** A Secret of a pull. */
export interface ImagePullSecret {
  readonly uid: string;
  readonly namespace: string;
  readonly name: string;
  /** Of the credential; '' where it is not known. */
  readonly credentialHash: string;
}

/** The ways to an image that were proven by a pull. */
export interface ImagePullCredentials {
  readonly kubernetesSecrets?: readonly ImagePullSecret[];
  /** Of credential provider plugins that get tokens of service accounts. */
  readonly kubernetesServiceAccounts?: readonly ImagePullServiceAccount[];
  /** Whether every pod of the node may use it: it was pulled without credentials, or with the node's own. */
  readonly nodePodsAccessible?: boolean;
}

/** A service account of a pull. */
export interface ImagePullServiceAccount {
  readonly uid: string;
  readonly namespace: string;
  readonly name: string;
}

/** The credentials of a pod that are not the node's. */
export interface PodCredentials {
  readonly secrets: readonly ImagePullSecret[];
  readonly serviceAccount?: ImagePullServiceAccount;
}

/** An image that this node pulled (upstream: kubelet.config.k8s.io ImagePulledRecord). */
export interface ImagePulledRecord {
  /** RFC 3339. */
  readonly lastUpdatedTime: string;
  /** The image's id. */
  readonly imageRef: string;
  /** By the image's name, without tag and digest. */
  readonly credentialMapping: ReadonlyMap<string, ImagePullCredentials>;
}

/** Keeps intents and records of pulls over restarts (upstream: PullRecordsAccessor). Methods reject where the disk fails. */
export interface PullRecords {
  /** The images whose pull has begun and has not ended. */
  listIntents(): Promise<readonly string[]>;
  hasIntent(image: string): Promise<boolean>;
  writeIntent(image: string): Promise<void>;
  /** Does nothing where there is none. */
  deleteIntent(image: string): Promise<void>;
  /** Those that can be read. */
  listRecords(): Promise<readonly ImagePulledRecord[]>;
  /** Rejects for a record that does not decode. */
  readRecord(imageRef: string): Promise<ImagePulledRecord | undefined>;
  writeRecord(record: ImagePulledRecord): Promise<void>;
  /** Does nothing where there is none. */
  deleteRecord(imageRef: string): Promise<void>;
}

/** The record of an image after a pull with these credentials; undefined where that is nothing new. */
export function mergedCredentials(
  known: ImagePullCredentials | undefined,
  added: ImagePullCredentials,
): ImagePullCredentials | undefined {
  if (added.nodePodsAccessible === true) return known?.nodePodsAccessible === true ? undefined : NODE_PODS;
  if (known?.nodePodsAccessible === true) return undefined;
  const { kubernetesSecrets: secrets = [], kubernetesServiceAccounts: accounts = [] } = added;
  if (secrets.length > 0) {
    const merged = new Map((known?.kubernetesSecrets ?? []).map((secret) => [coordinates(secret), secret]));
    const isNew = (one: ImagePullSecret): boolean =>
      merged.get(coordinates(one))?.credentialHash !== one.credentialHash;
    const changed = secrets.filter(isNew);
    for (const secret of changed) merged.set(coordinates(secret), secret);
    return changed.length === 0 ? undefined : { ...known, kubernetesSecrets: sorted(merged.values()) };
  }
  const merged = [...(known?.kubernetesServiceAccounts ?? [])];
  for (const account of accounts) if (!merged.some((one) => isSameObject(one, account))) merged.push(account);
  const isSame = merged.length === (known?.kubernetesServiceAccounts ?? []).length;
  return isSame ? undefined : { ...known, kubernetesServiceAccounts: sorted(merged) };
}

const NODE_PODS: ImagePullCredentials = { nodePodsAccessible: true };

const coordinates = ({ namespace, name, uid }: ImagePullServiceAccount): string => [namespace, name, uid].join('\0');

const sorted = <T extends ImagePullServiceAccount>(all: Iterable<T>): T[] =>
  [...all].sort((a, b) => (coordinates(a) < coordinates(b) ? -1 : 1));

/** Whether two are of one Secret, or of one service account. */
export const isSameObject = (a: ImagePullServiceAccount, b: ImagePullServiceAccount): boolean =>
  coordinates(a) === coordinates(b);
