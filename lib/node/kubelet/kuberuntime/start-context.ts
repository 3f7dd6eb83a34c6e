import type { Container, Pod, Secret } from '#lib/api/types/core.v1.ts';
import type { ImageSpec, PodSandboxConfig } from '#lib/node/cri-api/generated/runtime-v1.ts';
import type { RuntimePodStatus } from '../container/runtime.ts';

/** The shared context for starting the containers of a pod. */
export interface StartContext {
  readonly pod: Pod;
  readonly status: RuntimePodStatus;
  readonly sandboxID: string;
  readonly sandboxConfig: PodSandboxConfig;
  readonly podIPs: readonly string[];
  readonly pullSecrets: readonly Secret[];
  readonly signal?: AbortSignal | undefined;
}

/** A container to start. */
export interface StartSpec {
  readonly container: Container;
  /** The container whose processes are visible to an ephemeral container, or '' for none. */
  readonly targetContainerName?: string | undefined;
  readonly imageVolumes: ReadonlyMap<string, ImageSpec>;
}
