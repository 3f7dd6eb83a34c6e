import type { ConfigMap, Pod, ResourceFieldSelector, Secret } from '#lib/api/types/core.v1.ts';
import type { LabelSelector } from '#lib/api/types/meta.v1.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import type { VolumeFiles } from './files.ts';
import type { Mounter } from './mount/mounter.ts';

/** A token that a projected volume shows. */
export interface TokenSpec {
  readonly namespace: string;
  readonly serviceAccount: string;
  readonly pod: Pick<Pod, 'metadata'>;
  /** Empty for the API server's own. */
  readonly audience: string;
  /** Seconds; undefined for the server's default. */
  readonly expirationSeconds: number | undefined;
  /** The service account must have this uid; absent: any. */
  readonly serviceAccountUid?: string;
}

/** Certificates of ClusterTrustBundles, as PEM. Methods throw where there are none and `allowMissing` is false. */
export interface TrustAnchors {
  byName(name: string, allowMissing: boolean): Promise<Uint8Array>;
  /** No selector selects nothing. */
  bySigner(signerName: string, selector: LabelSelector | undefined, allowMissing: boolean): Promise<Uint8Array>;
}

/** Objects of the API that volumes show. Only pods that are registered with their source get them. */
export interface VolumeObjects {
  /** Undefined where the object does not exist. Throws where the server cannot say. */
  secret(namespace: string, name: string): Promise<Secret | undefined>;
  /** As `secret`. */
  configMap(namespace: string, name: string): Promise<ConfigMap | undefined>;
  /** Throws where the server gives none and the one before is over. */
  serviceAccountToken(spec: TokenSpec): Promise<string>;
  /** As `serviceAccountToken`, with its end in milliseconds since 1970. */
  issuedToken(spec: TokenSpec): Promise<{ readonly token: string; readonly expires: number }>;
  /** Forgets the tokens of a pod. */
  deleteServiceAccountTokens(podUid: string): void;
  /** Undefined without the feature gate ClusterTrustBundleProjection. */
  readonly trustAnchors?: TrustAnchors;
}

/** Values of a pod that downward API volumes show. */
export interface PodFields {
  /** The value of a field path. Throws where the path is not supported. */
  field(pod: Pod, fieldPath: string): string;
  /** The value of a container's resource; what has no limit shows the node's. Throws where the container is unknown. */
  resource(pod: Pod, selector: ResourceFieldSelector): Promise<string>;
}

/** The node as volume plugins see it (upstream: volume.VolumeHost). */
export interface VolumeHost {
  /** The kubelet's folder, without links: the table of mounts has real paths. */
  readonly rootDirectory: string;
  readonly clock: Clock;
  readonly files: VolumeFiles;
  readonly mounter: Mounter;
  readonly objects: VolumeObjects;
  readonly fields: PodFields;
  /** Whether the kernel can keep a tmpfs out of swap. */
  readonly tmpfsNoSwap: boolean;
  /** Bytes of memory that pods may have in all. */
  nodeAllocatableMemory(): Promise<number>;
  /** Tells a warning event about a pod. Never throws. */
  warn(pod: Pod, reason: string, message: string): void;
}
