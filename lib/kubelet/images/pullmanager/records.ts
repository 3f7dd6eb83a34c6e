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
  /** Kept as an upstream kubelet wrote them; nothing here makes them. */
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
  const secrets = added.kubernetesSecrets ?? [];
  if (added.nodePodsAccessible === true) return known?.nodePodsAccessible === true ? undefined : NODE_PODS;
  if (secrets.length === 0 || known?.nodePodsAccessible === true) return undefined;
  const merged = new Map((known?.kubernetesSecrets ?? []).map((secret) => [coordinates(secret), secret]));
  const changed = secrets.filter((secret) => merged.get(coordinates(secret))?.credentialHash !== secret.credentialHash);
  if (changed.length === 0) return undefined;
  for (const secret of changed) merged.set(coordinates(secret), secret);
  const sorted = [...merged.values()].sort((a, b) => (coordinates(a) < coordinates(b) ? -1 : 1));
  return { ...known, kubernetesSecrets: sorted };
}

const NODE_PODS: ImagePullCredentials = { nodePodsAccessible: true };

const coordinates = ({ namespace, name, uid }: ImagePullSecret): string => [namespace, name, uid].join('\0');

/** Whether two are of one Secret. */
export const isSameSecret = (a: ImagePullSecret, b: ImagePullSecret): boolean => coordinates(a) === coordinates(b);
