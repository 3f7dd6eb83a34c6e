import type { ConfigMap, Pod, ResourceFieldSelector, Secret } from '#lib/api/types/core.v1.ts';
import type { LabelSelector } from '#lib/api/types/meta.v1.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import type { VolumeFiles } from './files.ts';
import type { Mounter } from './mount/mounter.ts';

/** A token for a projected volume. */
export interface TokenSpec {
  readonly namespace: string;
  readonly serviceAccount: string;
  readonly pod: Pick<Pod, 'metadata'>;
  /** Empty for the API server's own audience. */
  readonly audience: string;
  /** Lifetime in seconds, or undefined for the server's default. */
  readonly expirationSeconds: number | undefined;
  /** The required uid of the service account. Absent for any. */
  readonly serviceAccountUid?: string;
}

/** Certificates of ClusterTrustBundles as PEM. Methods throw if there are none and `allowMissing` is false. */
export interface TrustAnchors {
  byName(name: string, allowMissing: boolean): Promise<Uint8Array>;
  /** Selects no certificates without a selector. */
  bySigner(signerName: string, selector: LabelSelector | undefined, allowMissing: boolean): Promise<Uint8Array>;
}

/** API objects for the content of volumes. Only registered pods can read them. */
export interface VolumeObjects {
  /** Undefined if the object does not exist. Throws if the server is unavailable. */
  secret(namespace: string, name: string): Promise<Secret | undefined>;
  /** Same contract as `secret`. */
  configMap(namespace: string, name: string): Promise<ConfigMap | undefined>;
  /** Throws if the server returns no token and the previous one has expired. */
  serviceAccountToken(spec: TokenSpec): Promise<string>;
  /** Like `serviceAccountToken`, with the expiration time in milliseconds since 1970. */
  issuedToken(spec: TokenSpec): Promise<{ readonly token: string; readonly expires: number }>;
  /** Forgets the tokens of a pod. */
  deleteServiceAccountTokens(podUid: string): void;
  /** Undefined without the feature gate ClusterTrustBundleProjection. */
  readonly trustAnchors?: TrustAnchors;
}

/** Values of pod fields for downward API volumes. */
export interface PodFields {
  /** The value of a field path. Throws if the path is not supported. */
  field(pod: Pod, fieldPath: string): string;
  /** The value of a container's resource. A missing limit defaults to the node's. Throws if the container does not exist. */
  resource(pod: Pod, selector: ResourceFieldSelector): Promise<string>;
}

/** The node's services for volume plugins (upstream: volume.VolumeHost). */
export interface VolumeHost {
  /** The kubelet's directory with links resolved, because the mount table has real paths. */
  readonly rootDirectory: string;
  readonly clock: Clock;
  readonly files: VolumeFiles;
  readonly mounter: Mounter;
  readonly objects: VolumeObjects;
  readonly fields: PodFields;
  /** Whether the kernel supports the tmpfs option noswap. */
  readonly tmpfsNoSwap: boolean;
  /** Allocatable memory of all pods in bytes. */
  nodeAllocatableMemory(): Promise<number>;
  /** Records a warning event about a pod. Never throws. */
  warn(pod: Pod, reason: string, message: string): void;
}
