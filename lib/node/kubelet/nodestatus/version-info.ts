import type { NodeStatus } from '#lib/api/types/core.v1.ts';
import type { VersionInfo } from '../cadvisor.ts';

/** The versions of a node, and its platform with Go's names. */
export interface VersionFacts extends VersionInfo {
  /** Such as `containerd://1.6.20`, or '' without a container runtime. */
  readonly containerRuntimeVersion: string;
  readonly kubeletVersion: string;
  /** Such as `linux`. */
  readonly operatingSystem: string;
  /** Such as `amd64` or `arm64`. */
  readonly architecture: string;
}

/** Sets versions and platform in a status (upstream: the setters VersionInfo and GoRuntime). */
export function setVersionInfo(status: NodeStatus, { containerOsVersion, ...versions }: VersionFacts): void {
  Object.assign(status.nodeInfo, { ...versions, osImage: containerOsVersion, kubeProxyVersion: '' });
}
