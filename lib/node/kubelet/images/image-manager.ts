import type { Container, Pod, Secret } from '#lib/api/types/core.v1.ts';
import type { PodSandboxConfig } from '#lib/node/cri-api/generated/runtime-v1.ts';

/** The inputs of a pull. */
export interface ImageRequest {
  readonly pod: Pod;
  readonly container: Container;
  readonly image: string;
  readonly pullPolicy: string;
  readonly pullSecrets: readonly Secret[];
  readonly sandboxConfig: PodSandboxConfig;
  /** The runtime handler of the pod's RuntimeClass, or '' for the default. */
  readonly runtimeHandler: string;
  /** The path in events: `spec.containers{app}`. */
  readonly fieldPath: string;
  readonly signal?: AbortSignal;
}

/** Makes images available on the node (upstream: images.ImageManager). */
export interface ImageManager {
  /**
   * The image reference for the container. Throws KubeletError ErrImagePull, ImagePullBackOff, ErrImageNeverPull, InvalidImageName,
   * ImageInspectError, RegistryUnavailable or SignatureValidationFailed.
   */
  ensureImageExists(request: ImageRequest): Promise<string>;
}
