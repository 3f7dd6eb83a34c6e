import { defined } from '#lib/machinery/defined.ts';
import { messageOfError } from '#lib/machinery/error-message.ts';
import { ImageServiceDefinition, RuntimeServiceDefinition } from '#lib/node/cri-api/generated/runtime-v1.ts';
import type { ImageService, RuntimeService } from '#lib/node/cri-api/services.ts';
import { type ClientOptions, dialSocket } from '../client.ts';
import { socketOf } from './endpoint.ts';
import { withImageTimeouts, withTimeouts } from './timeouts.ts';
import { verifiedImages, verifiedRuntime } from './verify.ts';

/** The endpoints of the container runtime, and its time-out. */
export interface RuntimeOptions {
  /** For example `unix:///run/containerd/containerd.sock` (upstream: containerRuntimeEndpoint). */
  readonly endpoint: string;
  /** The endpoint for images, if another program serves them (upstream: imageServiceEndpoint). */
  readonly imageEndpoint?: string;
  /** Default time-out in ms of calls that are not known to be long (upstream: runtimeRequestTimeout). */
  readonly timeout?: number;
  /** Called for each call, like the `observe` option of a client. */
  readonly observe?: ClientOptions['observe'];
}

/** The two services of a container runtime. */
export interface RuntimeServices extends Disposable {
  readonly runtime: RuntimeService;
  readonly images: ImageService;
}

/** Upstream's runtimeRequestTimeout. */
const TIMEOUT = 120_000;

/**
 * Connects to a runtime of CRI v1 and sends one request to each service. Throws an Error with upstream's text if either does not respond.
 */
export async function connectRuntime(options: RuntimeOptions): Promise<RuntimeServices> {
  const { endpoint, imageEndpoint = endpoint, timeout = TIMEOUT, observe } = options;
  const settings = { timeout, ...defined({ observe }) };
  const paths = [endpoint, imageEndpoint].map(socketOf);
  const channels = [...new Set(paths)].map((path) => dialSocket(path, settings));
  const dispose = (): void => channels.forEach((channel) => channel[Symbol.dispose]());
  const [first, last] = [channels[0], channels.at(-1)];
  if (first === undefined || last === undefined) throw new Error('no endpoint');
  const [runtime, images] = [first.client(RuntimeServiceDefinition), last.client(ImageServiceDefinition)];
  try {
    await validated('runtime', endpoint, runtime.version({}));
    await validated('image', imageEndpoint, images.imageFsInfo({}));
  } catch (error) {
    dispose();
    throw error;
  }
  return {
    runtime: verifiedRuntime(withTimeouts(runtime, timeout)),
    images: verifiedImages(withImageTimeouts(images)),
    [Symbol.dispose]: dispose,
  };
}

async function validated(service: 'runtime' | 'image', endpoint: string, answer: Promise<unknown>): Promise<void> {
  try {
    await answer;
  } catch (cause) {
    const what = `validate service connection: validate CRI v1 ${service} API for endpoint ${JSON.stringify(endpoint)}`;
    throw new Error(`${what}: ${messageOfError(cause)}`, { cause });
  }
}
