/** The Secret used for a pull. */
export interface ImagePullSecret {
  readonly uid: string;
  readonly namespace: string;
  readonly name: string;
  /** Hash of the credential, or '' if unknown. */
  readonly credentialHash: string;
}

/** The credentials for an image that were verified by a pull. */
export interface ImagePullCredentials {
  readonly kubernetesSecrets?: readonly ImagePullSecret[];
  /** Service accounts whose tokens credential provider plugins used. */
  readonly kubernetesServiceAccounts?: readonly ImagePullServiceAccount[];
  /** Whether every pod of the node may use it, because it was pulled without credentials or with the node's own. */
  readonly nodePodsAccessible?: boolean;
}

/** The service account used for a pull. */
export interface ImagePullServiceAccount {
  readonly uid: string;
  readonly namespace: string;
  readonly name: string;
}

/** The credentials of a pod, without those of the node. */
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
  /** Credentials by image name, without tag and digest. */
  readonly credentialMapping: ReadonlyMap<string, ImagePullCredentials>;
}

/** Persists intents and records of pulls across restarts (upstream: PullRecordsAccessor). Methods reject if the disk fails. */
export interface PullRecords {
  /** The images with a pull that has started and not finished. */
  listIntents(): Promise<readonly string[]>;
  hasIntent(image: string): Promise<boolean>;
  writeIntent(image: string): Promise<void>;
  /** Does nothing if the intent does not exist. */
  deleteIntent(image: string): Promise<void>;
  /** The readable records. */
  listRecords(): Promise<readonly ImagePulledRecord[]>;
  /** Rejects for a record that cannot be decoded. */
  readRecord(imageRef: string): Promise<ImagePulledRecord | undefined>;
  writeRecord(record: ImagePulledRecord): Promise<void>;
  /** Does nothing if the record does not exist. */
  deleteRecord(imageRef: string): Promise<void>;
}

/** The merged credentials after a pull with these credentials, or undefined if none of them is new. */
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

/** Whether both refer to the same Secret or service account. */
export const isSameObject = (a: ImagePullServiceAccount, b: ImagePullServiceAccount): boolean =>
  coordinates(a) === coordinates(b);
