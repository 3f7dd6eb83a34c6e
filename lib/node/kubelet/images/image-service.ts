import { aggregateText } from '#lib/machinery/aggregate.ts';
import { messageOfError } from '#lib/machinery/error-message.ts';
import { RpcError } from '#lib/machinery/rpc.ts';
import type { TrackedAuthConfig } from '#lib/node/credentialprovider/keyring.ts';
import type { DeepPartial, ImageSpec, PodSandboxConfig } from '#lib/node/cri-api/generated/runtime-v1.ts';
import type { ImageService } from '#lib/node/cri-api/services.ts';

/** An image to ask the runtime for. */
export type Spec = DeepPartial<ImageSpec>;

/** A pull that succeeded. */
export interface PulledImage {
  readonly imageRef: string;
  /** The credential that the registry took; absent where none was shown. */
  readonly credential?: TrackedAuthConfig;
}

/** The id of an image of the node; '' where the node has it not. Throws RpcError. */
export async function imageRefOf(images: ImageService, image: Spec, signal?: AbortSignal): Promise<string> {
  const { image: found } = await images.imageStatus({ image }, { ...(signal && { signal }) });
  return found?.id ?? '';
}

/** The bytes of an image of the node; 0 where the runtime does not tell. */
export async function imageSizeOf(images: ImageService, image: Spec): Promise<bigint> {
  try {
    return (await images.imageStatus({ image })).image?.size ?? 0n;
  } catch {
    return 0n; // it is for a message alone
  }
}

/** The inputs of a pull by the runtime. */
export interface PullRequest {
  readonly image: Spec;
  /** Tried one after the other; without any the pull is anonymous. */
  readonly credentials: readonly TrackedAuthConfig[];
  readonly sandboxConfig: PodSandboxConfig;
  readonly signal?: AbortSignal;
}

/** Pulls an image with the first credential that works (upstream: kuberuntime's PullImage). Throws an Error with all failures. */
export async function pullImage(images: ImageService, request: PullRequest): Promise<PulledImage> {
  const { image, credentials, sandboxConfig, signal } = request;
  const options = { ...(signal && { signal }) };
  const failures: string[] = [];
  for (const credential of credentials.length === 0 ? [undefined] : credentials) {
    const auth = credential && { username: credential.username, password: credential.password };
    try {
      const { imageRef } = await images.pullImage({ image, sandboxConfig, ...(auth && { auth }) }, options);
      return { imageRef, ...(credential && { credential }) };
    } catch (error) {
      failures.push(pullErrorText(error));
    }
  }
  throw new Error(aggregateText(failures));
}

/** The text of a failed pull: the code Unknown, which says nothing, is left out. */
const pullErrorText = (error: unknown): string =>
  error instanceof RpcError && error.code === 'Unknown' ? error.details : messageOfError(error);
