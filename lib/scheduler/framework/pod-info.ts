import type { Pod } from '#lib/api/types/core.v1.ts';
import type { LabelSelector } from '#lib/machinery/labels/selector.ts';
import type { Resource } from './resource.ts';

/** A parsed term of affinity or anti-affinity between pods. */
export interface AffinityTerm {
  /** Matches no pod if the term has no selector. */
  readonly selector: LabelSelector;
  readonly namespaces: ReadonlySet<string>;
  /** Matches no namespace if the term has none, and every namespace if it is empty. */
  readonly namespaceSelector: LabelSelector;
  readonly topologyKey: string;
}

/** A preferred term and its weight, 1 to 100. */
export interface WeightedAffinityTerm extends AffinityTerm {
  readonly weight: number;
}

/** A host port that a pod uses. */
export interface HostPort {
  /** `0.0.0.0` if the port has no host IP. */
  readonly ip: string;
  /** `TCP` if the port has no protocol. */
  readonly protocol: string;
  readonly port: number;
}

/** A pod with the derived data that attempts need, computed once: upstream's PodInfo. */
export interface PodInfo {
  readonly pod: Pod;
  readonly uid: string;
  readonly namespace: string;
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  /** 0 if the pod has none. */
  readonly priority: number;
  /** The deletion time in milliseconds since the epoch. */
  readonly deleted: number | undefined;
  readonly requests: Resource;
  /** The requests, with upstream's defaults of 100m and 200 MiB for containers without any. */
  readonly nonZero: { readonly milliCpu: number; readonly memory: number };
  readonly hostPorts: readonly HostPort[];
  /** The names of its claims, including those of ephemeral volumes. */
  readonly claims: readonly string[];
  /** The error of its pod affinity, if it is invalid. Terms are then missing. */
  readonly affinityFault: string | undefined;
  readonly requiredAffinityTerms: readonly AffinityTerm[];
  readonly requiredAntiAffinityTerms: readonly AffinityTerm[];
  readonly preferredAffinityTerms: readonly WeightedAffinityTerm[];
  readonly preferredAntiAffinityTerms: readonly WeightedAffinityTerm[];
}
