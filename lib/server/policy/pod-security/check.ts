import type { Container, EphemeralContainer, PodSpec } from '#lib/api/types/core.v1.ts';

/** The parts of a pod, or of a pod template, that checks need. */
export interface PodView {
  readonly annotations: Readonly<Record<string, string>>;
  readonly spec: PodSpec;
}

/** Why a check rejects a pod: a short reason, and the details. */
export interface Violation {
  readonly reason: string;
  readonly detail: string;
}

/** Checks a pod. Returns undefined if the pod is allowed. */
export type CheckPod = (pod: PodView) => Violation | undefined;

/** One rule of the Pod Security Standards, with its changes over the versions. */
export interface Check {
  readonly id: string;
  /** In ascending order. The check does not apply before the first version. */
  readonly versions: readonly {
    /** The first minor version of Kubernetes with this rule. */
    readonly since: number;
    readonly check: CheckPod;
  }[];
  /** The baseline check that this restricted check replaces in every version in which it applies. */
  readonly overrides?: string;
}

/** A container from any of a pod's lists. */
export type AnyContainer = Container | EphemeralContainer;

/** A pod's spec or a container. Both have a security context. */
export type Secured = PodSpec | AnyContainer;

/** Returns every container in the order in which messages name them. */
export const containersOf = ({ initContainers, containers: main, ephemeralContainers }: PodSpec): AnyContainer[] => [
  ...(initContainers ?? []),
  ...(main ?? []),
  ...(ephemeralContainers ?? []),
];

/** Returns the names of the containers for which `isBad` is true. */
export function badContainers(spec: PodSpec, isBad: (container: AnyContainer) => boolean): string[] {
  return containersOf(spec)
    .filter(isBad)
    .map(({ name }) => name);
}

/** Whether the pod declares that it runs on Windows. */
export const isWindows = ({ spec }: PodView): boolean => spec.os?.name === 'windows';

/** Whether the pod has its own user namespace. */
export const hasOwnUsers = ({ spec }: PodView): boolean => spec.hostUsers === false;

/** Returns a check that applies only to pods which are not exempt from it. */
export const unless =
  (exempt: (pod: PodView) => boolean, check: CheckPod): CheckPod =>
  (pod) =>
    exempt(pod) ? undefined : check(pod);

/** `"a", "b"`. */
export const quoted = (names: readonly string[]): string => names.map((name) => `"${name}"`).join(', ');

/** Returns the distinct values, sorted. */
export const distinct = (values: readonly string[]): string[] => [...new Set(values)].sort();

/** Returns the word, with an s unless there is exactly one. */
export const plural = (word: string, { length }: readonly unknown[]): string => (length === 1 ? word : `${word}s`);

/** `container "a"`, `containers "a", "b"`. */
export const containers = (names: readonly string[]): string => `${plural('container', names)} ${quoted(names)}`;

/** Returns `pod and container "a"`: the pod, containers, or both. Empty for neither. */
export function setters(pod: boolean, names: readonly string[]): string {
  return [...(pod ? ['pod'] : []), ...(names.length > 0 ? [containers(names)] : [])].join(' and ');
}
