import type { Clock } from '#lib/machinery/clock.ts';
import { messageOfError } from '#lib/machinery/error-message.ts';
import { timeOf } from '#lib/machinery/time-at.ts';
import type { Image } from '#lib/node/cri-api/generated/runtime-v1.ts';
import { trimImageTagDigest } from '../image-reference.ts';
import type { RequiresVerification } from './policy.ts';
import {
  type ImagePullCredentials,
  type ImagePulledRecord,
  type ImagePullSecret,
  isSameObject,
  mergedCredentials,
  type PodCredentials,
  type PullRecords,
} from './records.ts';

/** The ports of a pull manager. */
export interface PullManagerOptions {
  readonly records: PullRecords;
  readonly requiresVerification: RequiresVerification;
  readonly clock: Clock;
  /** Called when a record could not be read or written. The pod that needs it must pull again. */
  onFault(error: unknown): void;
}

/** Maximum number of Secrets recorded for an image. Further matching ones are not recorded. */
const MAX_SECRETS = 100;

/** Decides which pods may use images on the node without another pull (upstream: pullmanager.PullManager). */
export class PullManager {
  readonly #options: PullManagerOptions;
  /** Number of pulls in progress, by image. */
  readonly #pulls = new Map<string, number>();
  #last: Promise<unknown> = Promise.resolve();

  constructor(options: PullManagerOptions) {
    this.#options = options;
  }

  /** Converts intents left by a crash into records without credentials, for existing images. Never throws. */
  async initialize(listImages: () => Promise<readonly Image[]>): Promise<void> {
    await this.#guarded(async () => {
      const intents = new Set(await this.#options.records.listIntents());
      if (intents.size === 0) return;
      for (const { id, repoDigests, repoTags } of await listImages())
        for (const image of [...repoDigests, ...repoTags].filter((name) => intents.has(name))) {
          await this.#record(image, id);
          await this.#options.records.deleteIntent(image);
        }
    });
  }

  /** Records the start of a pull. Throws Error with upstream's text if that fails. */
  recordPullIntent(image: string): Promise<void> {
    return this.#alone(async () => {
      try {
        await this.#options.records.writeIntent(image);
      } catch (cause) {
        throw new Error(`failed to record image pull intent: ${messageOfError(cause)}`, { cause });
      }
      this.#pulls.set(image, (this.#pulls.get(image) ?? 0) + 1);
    });
  }

  /** Records the end of a pull and its credentials. Never throws. The intent stays if the record could not be written. */
  recordImagePulled(image: string, imageRef: string, credentials: ImagePullCredentials): Promise<void> {
    return this.#guarded(async () => {
      await this.#record(image, imageRef, credentials);
      await this.#endPull(image);
    });
  }

  /** Records the failure of a pull. Never throws. */
  recordImagePullFailed(image: string): Promise<void> {
    return this.#guarded(() => this.#endPull(image));
  }

  /** Whether the pod must pull an image on the node to prove that it may use it. Throws the errors of `podCredentials`. */
  async mustAttemptImagePull(
    image: string,
    imageRef: string,
    podCredentials: () => Promise<PodCredentials>,
  ): Promise<boolean> {
    let record: ImagePulledRecord | undefined;
    try {
      const found = await this.#alone(() => this.#find(image, imageRef));
      if (!this.#options.requiresVerification(image, found.pulled)) return false;
      ({ record } = found);
    } catch (error) {
      this.#options.onFault(error);
      return true;
    }
    const known = record?.credentialMapping.get(nameOf(image));
    if (known?.nodePodsAccessible === true) return false;
    const { kubernetesSecrets: secrets = [], kubernetesServiceAccounts: accounts = [] } = known ?? {};
    if (secrets.length === 0 && accounts.length === 0) return true;
    const pod = await podCredentials();
    const match = matchingSecret(pod.secrets, secrets);
    const { serviceAccount: account } = pod;
    if (match === undefined) return account === undefined || !accounts.some((one) => isSameObject(one, account));
    if (match === 'recorded') return false;
    await this.#guarded(() => this.#record(image, imageRef, { kubernetesSecrets: [match] }));
    return false;
  }

  /** Forgets the records of removed images, except those written at `until` or later (milliseconds since 1970). Never throws. */
  pruneUnknownRecords(imageRefs: readonly string[], until: number): Promise<void> {
    const present = new Set(imageRefs);
    return this.#guarded(async () => {
      // The record has whole seconds, so it counts as written at the end of its second.
      for (const { imageRef, lastUpdatedTime } of await this.#options.records.listRecords())
        if (Date.parse(lastUpdatedTime) + 1000 <= until && !present.has(imageRef))
          await this.#options.records.deleteRecord(imageRef);
    });
  }

  /**
   * An image's record, and whether this agent pulled it or is pulling it. Both are read in one step, because the image of a pull that ends
   * in between would look preloaded.
   */
  async #find(
    image: string,
    imageRef: string,
  ): Promise<{ readonly record: ImagePulledRecord | undefined; readonly pulled: boolean }> {
    const { records } = this.#options;
    const record = await records.readRecord(imageRef);
    return { record, pulled: record !== undefined || this.#pulls.has(image) || (await records.hasIntent(image)) };
  }

  async #endPull(image: string): Promise<void> {
    const running = (this.#pulls.get(image) ?? 0) - 1;
    if (running > 0) {
      this.#pulls.set(image, running);
      return;
    }
    await this.#options.records.deleteIntent(image);
    this.#pulls.delete(image);
  }

  async #record(image: string, imageRef: string, credentials: ImagePullCredentials = {}): Promise<void> {
    const { records, clock, onFault } = this.#options;
    const name = trimImageTagDigest(image);
    const known = await records.readRecord(imageRef).catch((error: unknown) => {
      onFault(error);
      return undefined;
    });
    const merged = mergedCredentials(known?.credentialMapping.get(name), credentials);
    if (known !== undefined && merged === undefined) return;
    const credentialMapping = new Map(known?.credentialMapping ?? []);
    if (merged !== undefined) credentialMapping.set(name, merged);
    await records.writeRecord({ lastUpdatedTime: timeOf(clock.now()), imageRef, credentialMapping });
  }

  #guarded(work: () => Promise<void>): Promise<void> {
    return this.#alone(work).catch((error: unknown) => this.#options.onFault(error));
  }

  /** Runs steps one at a time, because each step reads the writes of the previous one. */
  #alone<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#last.then(work);
    this.#last = result.catch(() => undefined);
    return result;
  }
}

function nameOf(image: string): string {
  try {
    return trimImageTagDigest(image);
  } catch {
    return ''; // matches no record, so that the pod must prove its access
  }
}

/** The pod's secret to record, if a record has its credential or the Secret itself. `recorded` if the record is complete. */
function matchingSecret(
  podSecrets: readonly ImagePullSecret[],
  recorded: readonly ImagePullSecret[],
): ImagePullSecret | 'recorded' | undefined {
  const isFull = recorded.length >= MAX_SECRETS;
  for (const secret of podSecrets)
    for (const known of recorded) {
      const isSame = isSameObject(secret, known);
      const hashesMatch = known.credentialHash !== '' && secret.credentialHash === known.credentialHash;
      if (hashesMatch) return isSame || isFull ? 'recorded' : secret;
      if (isSame && !isFull) return secret;
    }
  return undefined;
}
