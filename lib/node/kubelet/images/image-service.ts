import { aggregateText } from '#lib/machinery/aggregate.ts';
import { messageOfError } from '#lib/machinery/error-message.ts';
import { RpcError } from '#lib/machinery/rpc.ts';
import type { TrackedAuthConfig } from '#lib/node/credentialprovider/keyring.ts';
import type { DeepPartial, ImageSpec, PodSandboxConfig } from '#lib/node/cri-api/generated/runtime-v1.ts';
import type { ImageService } from '#lib/node/cri-api/services.ts';

/** An image to request from the runtime. */
export type Spec = DeepPartial<ImageSpec>;

/** A successful pull. */
export interface PulledImage {
  readonly imageRef: string;
  /** The credential that the registry accepted. Absent for an anonymous pull. */
  readonly credential?: TrackedAuthConfig;
}

/** The id of an image on the node, or '' if it is missing. Throws RpcError. */
export async function imageRefOf(images: ImageService, image: Spec, signal?: AbortSignal): Promise<string> {
  const { image: found } = await images.imageStatus({ image }, { ...(signal && { signal }) });
  return found?.id ?? '';
}

/** The size in bytes of an image on the node, or 0 if the runtime does not report it. */
export async function imageSizeOf(images: ImageService, image: Spec): Promise<bigint> {
  try {
    return (await images.imageStatus({ image })).image?.size ?? 0n;
  } catch {
    return 0n; // only used in a message
  }
}

/** The inputs of a pull via the runtime. */
export interface PullRequest {
  readonly image: Spec;
  /** Tried one after the other. If empty, the pull is anonymous. */
  readonly credentials: readonly TrackedAuthConfig[];
  readonly sandboxConfig: PodSandboxConfig;
  readonly signal?: AbortSignal;
}

/** Pulls an image with the first credential that works (upstream: kuberuntime's PullImage). Throws Error with all failures. */
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

/** The text of a failed pull, without the meaningless code Unknown. */
const pullErrorText = (error: unknown): string =>
  error instanceof RpcError && error.code === 'Unknown' ? error.details : messageOfError(error);
