import type { NodeStatus } from '#lib/api/types/core.v1.ts';
import type { VersionInfo } from '../cadvisor.ts';

/** The versions of a node, and its platform in Go's names. */
export interface VersionFacts extends VersionInfo {
  /** `containerd://1.6.20`; '' without a container runtime. */
  readonly containerRuntimeVersion: string;
  readonly kubeletVersion: string;
  /** `linux`. */
  readonly operatingSystem: string;
  /** `amd64`, `arm64`. */
  readonly architecture: string;
}

/** Writes versions and platform into a status: upstream's setters VersionInfo and GoRuntime. */
export function setVersionInfo(status: NodeStatus, { containerOsVersion, ...versions }: VersionFacts): void {
  Object.assign(status.nodeInfo, { ...versions, osImage: containerOsVersion, kubeProxyVersion: '' });
}
