import type { Pod } from '#lib/api/types/core.v1.ts';
import type { LabelSelector } from '#lib/machinery/labels/selector.ts';
import type { Resource } from './resource.ts';

/** A parsed term of affinity or anti-affinity between pods. */
export interface AffinityTerm {
  /** Matches nothing where the term has no selector. */
  readonly selector: LabelSelector;
  readonly namespaces: ReadonlySet<string>;
  /** Matches nothing where the term has none, everything where it is empty. */
  readonly namespaceSelector: LabelSelector;
  readonly topologyKey: string;
}

/** A preferred term and its weight, 1 to 100. */
export interface WeightedAffinityTerm extends AffinityTerm {
  readonly weight: number;
}

/** A port of the host that a pod takes. */
export interface HostPort {
  /** `0.0.0.0` if the port names none. */
  readonly ip: string;
  /** `TCP` if the port names none. */
  readonly protocol: string;
  readonly port: number;
}

/** A pod and the parts of it that attempts need, computed once: upstream's PodInfo. */
export interface PodInfo {
  readonly pod: Pod;
  readonly uid: string;
  readonly namespace: string;
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  /** 0 if the pod has none. */
  readonly priority: number;
  /** Milliseconds since the epoch at which it was deleted. */
  readonly deleted: number | undefined;
  readonly requests: Resource;
  /** As `requests`, with upstream's 100m and 200 MiB for containers without requests. */
  readonly nonZero: { readonly milliCpu: number; readonly memory: number };
  readonly hostPorts: readonly HostPort[];
  /** Names of claims in its namespace, of ephemeral volumes too. */
  readonly claims: readonly string[];
  /** The error of its affinity to other pods, if that is invalid: then terms are missing. */
  readonly affinityFault: string | undefined;
  readonly requiredAffinityTerms: readonly AffinityTerm[];
  readonly requiredAntiAffinityTerms: readonly AffinityTerm[];
  readonly preferredAffinityTerms: readonly WeightedAffinityTerm[];
  readonly preferredAntiAffinityTerms: readonly WeightedAffinityTerm[];
}
