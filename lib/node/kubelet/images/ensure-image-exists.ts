import type { Pod } from '#lib/api/types/core.v1.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import { durationText } from '#lib/machinery/duration.ts';
import { messageOfError } from '#lib/machinery/error-message.ts';
import { quote } from '#lib/machinery/go.ts';
import { type Keyring, type TrackedAuthConfig, unionKeyring } from '#lib/node/credentialprovider/keyring.ts';
import type { PullingPod } from '#lib/node/credentialprovider/plugin/service-account.ts';
import { makeDockerKeyring } from '#lib/node/credentialprovider/secrets.ts';
import type { ImageService } from '#lib/node/cri-api/services.ts';
import { KubeletError } from '../container/sync-result.ts';
import type { NodeEventRecorder } from '../events/recorder.ts';
import { Backoff } from '../util/flowcontrol/backoff.ts';
import type { ImageManager, ImageRequest } from './image-manager.ts';
import { applyDefaultImageTag, parseImageName } from './image-reference.ts';
import { imageRefOf, type Spec } from './image-service.ts';
import { pullError } from './pull-error.ts';
import { DEFAULT_PULL_LIMITS, Puller, type PullLimits } from './puller.ts';
import type { PullManager } from './pullmanager/pull-manager.ts';
import type { ImagePullCredentials, ImagePullSecret, PodCredentials } from './pullmanager/records.ts';

/** The ports of an image manager. */
export interface ImageManagerOptions {
  readonly images: ImageService;
  readonly recorder: NodeEventRecorder;
  /** The node's own credentials. */
  readonly keyring: Keyring;
  /** A pod's credentials from plugins. Absent without plugins. */
  podKeyring?(pod: PullingPod): Keyring;
  readonly pulls: PullManager;
  readonly clock: Clock;
  readonly limits?: PullLimits;
}

/** The first and the longest delay after a failed pull, in milliseconds. */
const BACKOFF = { initial: 10_000, max: 300_000 };

/** An image manager for a container runtime, with upstream's policies, events and errors. */
export function newImageManager(options: ImageManagerOptions): ImageManager {
  const { images, clock, limits = DEFAULT_PULL_LIMITS } = options;
  const state: State = {
    ...options,
    puller: new Puller(images, clock, limits),
    backoff: new Backoff({ ...BACKOFF, clock: { now: () => clock.monotonic() } }),
    failures: new Map(),
  };
  return { ensureImageExists: (request) => new Ensure(state, request).run() };
}

interface State extends ImageManagerOptions {
  readonly puller: Puller;
  readonly backoff: Backoff;
  /** The last failure of each image, by its back-off key. */
  readonly failures: Map<string, string>;
}

/** One request for an image. */
class Ensure {
  readonly #state: State;
  readonly #request: ImageRequest;
  #credentials: Promise<readonly TrackedAuthConfig[]> | undefined;

  constructor(state: State, request: ImageRequest) {
    this.#state = state;
    this.#request = request;
  }

  async run(): Promise<string> {
    const spec = this.#spec();
    const imageRef = await this.#present(spec);
    if (imageRef !== '' && !(await this.#mustPull(imageRef))) {
      this.#event(
        'Normal',
        'Pulled',
        `Container image ${this.#image} already present on machine and can be accessed by the pod`,
      );
      return imageRef;
    }
    if (this.#request.pullPolicy === 'Never') throw this.#neverPull();
    const credentials = await this.#lookup().catch(failed);
    return this.#recordedPull(spec, credentials);
  }

  get #image(): string {
    return quote(this.#request.image);
  }

  #spec(): Spec {
    const { image, pod } = this.#request;
    try {
      return { image: applyDefaultImageTag(image), annotations: annotationsOf(pod) };
    } catch (cause) {
      const message = `Failed to apply default image tag ${this.#image}: ${messageOfError(cause)}`;
      this.#event('Warning', 'InspectFailed', message);
      throw new KubeletError('InvalidImageName', message, { cause });
    }
  }

  /** The id of the image if the policy permits its use, or '' to pull it. */
  async #present(spec: Spec): Promise<string> {
    const { pullPolicy, signal } = this.#request;
    if (pullPolicy !== 'IfNotPresent' && pullPolicy !== 'Never') return '';
    let imageRef: string;
    try {
      imageRef = await imageRefOf(this.#state.images, spec, signal);
    } catch (cause) {
      // Upstream's message contains the image reference, which is empty after an error.
      const message = `Failed to inspect image "": ${messageOfError(cause)}`;
      this.#event('Warning', 'InspectFailed', message);
      throw new KubeletError('ImageInspectError', message, { cause });
    }
    if (imageRef === '' && pullPolicy === 'Never') throw this.#neverPull();
    return imageRef;
  }

  #neverPull(): KubeletError {
    const message = `Container image ${this.#image} is not present with pull policy of Never`;
    this.#event('Warning', 'ErrImageNeverPull', message);
    return new KubeletError('ErrImageNeverPull', message);
  }

  #mustPull(imageRef: string): Promise<boolean> {
    const podCredentials = async (): Promise<PodCredentials> => {
      const credentials = await this.#lookup();
      const serviceAccount = credentials.find((one) => one.serviceAccount !== undefined)?.serviceAccount;
      return { secrets: credentials.flatMap(secretOf), ...(serviceAccount && { serviceAccount }) };
    };
    return this.#state.pulls.mustAttemptImagePull(this.#request.image, imageRef, podCredentials).catch(failed);
  }

  /** The credentials for the image, cached. */
  #lookup(): Promise<readonly TrackedAuthConfig[]> {
    const { image, pullSecrets, pod } = this.#request;
    const { keyring, podKeyring } = this.#state;
    const find = async (): Promise<readonly TrackedAuthConfig[]> => {
      const { name } = parseImageName(image);
      const plugins = podKeyring === undefined ? [] : [podKeyring(pullingPod(pod))];
      return makeDockerKeyring(pullSecrets, unionKeyring([keyring, ...plugins])).lookup(name);
    };
    return (this.#credentials ??= find());
  }

  async #recordedPull(spec: Spec, credentials: readonly TrackedAuthConfig[]): Promise<string> {
    const { pulls } = this.#state;
    const { image } = this.#request;
    await pulls.recordPullIntent(image).catch((cause: unknown) => {
      const why = messageOfError(cause);
      throw new KubeletError(why, `Failed to record image pull intent for container image ${this.#image}: ${why}`);
    });
    try {
      const { imageRef, credential } = await this.#pull(spec, credentials);
      await pulls.recordImagePulled(image, imageRef, provenBy(credential));
      return imageRef;
    } catch (error) {
      await pulls.recordImagePullFailed(image);
      throw error;
    }
  }

  async #pull(
    spec: Spec,
    credentials: readonly TrackedAuthConfig[],
  ): Promise<{ readonly imageRef: string; readonly credential?: TrackedAuthConfig }> {
    const { backoff, failures, puller, clock } = this.#state;
    const { pod, image, sandboxConfig, signal } = this.#request;
    const key = `${pod.metadata.uid ?? ''}_${image}`;
    if (backoff.isInBackOffSinceUpdate(key, clock.monotonic())) throw this.#backOff(failures.get(key));
    failures.delete(key);
    this.#event('Normal', 'Pulling', `Pulling image ${this.#image}`);
    const start = clock.monotonic();
    const request = { image: spec, credentials, sandboxConfig, ...(signal && { signal }) };
    const pulled = await puller.pull(request).catch((cause: unknown) => {
      const text = messageOfError(cause);
      this.#event('Warning', 'Failed', `Failed to pull image ${this.#image}: ${text}`);
      backoff.next(key, clock.monotonic());
      const error = pullError(image, text);
      failures.set(key, `${error.reason}: ${error.message}`);
      throw error;
    });
    const took = `${seconds(pulled.duration)} (${seconds(clock.monotonic() - start)} including waiting)`;
    this.#event(
      'Normal',
      'Pulled',
      `Successfully pulled image ${this.#image} in ${took}. Image size: ${pulled.size} bytes.`,
    );
    backoff.collect();
    return pulled;
  }

  #backOff(failure: string | undefined): KubeletError {
    const message = `Back-off pulling image ${this.#image}`;
    this.#event('Normal', 'BackOff', message);
    return new KubeletError('ImagePullBackOff', failure === undefined ? message : `${message}: ${failure}`);
  }

  #event(type: 'Normal' | 'Warning', reason: string, message: string): void {
    const { pod, fieldPath } = this.#request;
    this.#state.recorder.event(pod, type, reason, message, fieldPath);
  }
}

/** Throws a failure without a kubelet reason. Its text is both reason and message. */
function failed(cause: unknown): never {
  const message = messageOfError(cause);
  throw new KubeletError(message, message, { cause });
}

const annotationsOf = (pod: Pod): Record<string, string> => ({ ...pod.metadata.annotations });

const secretOf = ({ secret, hash }: TrackedAuthConfig): ImagePullSecret[] =>
  secret === undefined ? [] : [{ ...secret, credentialHash: hash }];

/** The credentials that may use an image after a successful pull with this credential. */
function provenBy(credential: TrackedAuthConfig | undefined): ImagePullCredentials {
  if (credential?.secret !== undefined) return { kubernetesSecrets: secretOf(credential) };
  if (credential?.serviceAccount !== undefined) return { kubernetesServiceAccounts: [credential.serviceAccount] };
  return { nodePodsAccessible: true };
}

const pullingPod = ({ metadata: { namespace = '', name = '', uid = '' }, spec }: Pod): PullingPod => ({
  namespace,
  name,
  uid,
  serviceAccountName: spec.serviceAccountName ?? '',
});

/** Go's text for milliseconds: `1.2s`. */
const seconds = (milliseconds: number): string => durationText(BigInt(Math.trunc(milliseconds)) * 1_000_000n);
