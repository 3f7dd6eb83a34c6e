import type { JsonObject } from '#lib/machinery/json-value.ts';
import type { LabelSelector } from '#lib/machinery/labels/selector.ts';
import type { Resource } from './resource.ts';

/** One term of affinity or anti-affinity between pods, parsed. */
export interface AffinityTerm {
  /** Matches nothing where the term has no selector. */
  readonly selector: LabelSelector;
  readonly namespaces: ReadonlySet<string>;
  /** Matches nothing where the term has none, everything where it is empty. */
  readonly namespaceSelector: LabelSelector;
  readonly topologyKey: string;
}

export interface WeightedAffinityTerm extends AffinityTerm {
  readonly weight: number;
}

/** A port of the host that a pod takes. */
export interface HostPort {
  /** `0.0.0.0` where it says none. */
  readonly ip: string;
  /** `TCP` where it says none. */
  readonly protocol: string;
  readonly port: number;
}

/** A pod and what attempts need of it, found once: upstream's PodInfo. */
export interface PodInfo {
  readonly pod: JsonObject;
  readonly uid: string;
  readonly namespace: string;
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  /** 0 where it says none. */
  readonly priority: number;
  /** Milliseconds since the epoch at which it was deleted. */
  readonly deleted: number | undefined;
  readonly requests: Resource;
  /** As `requests`, with upstream's 100m and 200 MiB for containers that do not say what they need. */
  readonly nonZero: { readonly milliCpu: number; readonly memory: number };
  readonly hostPorts: readonly HostPort[];
  /** Names of claims in its namespace, of ephemeral volumes too. */
  readonly claims: readonly string[];
  /** Why its affinity to other pods makes no sense, where it does not: then terms are missing. */
  readonly affinityFault: string | undefined;
  readonly requiredAffinityTerms: readonly AffinityTerm[];
  readonly requiredAntiAffinityTerms: readonly AffinityTerm[];
  readonly preferredAffinityTerms: readonly WeightedAffinityTerm[];
  readonly preferredAntiAffinityTerms: readonly WeightedAffinityTerm[];
}
