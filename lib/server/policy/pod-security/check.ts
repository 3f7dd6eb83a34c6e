import type { Container, EphemeralContainer, PodSpec } from '#lib/api/types/core.v1.ts';

/** The part of a pod, or of a pod template, that checks look at. */
export interface PodView {
  readonly annotations: Readonly<Record<string, string>>;
  readonly spec: PodSpec;
}

/** Why a check refuses a pod: in short, and with what it found. */
export interface Violation {
  readonly reason: string;
  readonly detail: string;
}

/** Undefined where the pod is allowed. */
export type CheckPod = (pod: PodView) => Violation | undefined;

/** One rule of the Pod Security Standards as it changed over the versions. */
export interface Check {
  readonly id: string;
  /** In rising order; none holds before the first. */
  readonly versions: readonly {
    /** The first minor version of Kubernetes that judges so. */
    readonly since: number;
    readonly check: CheckPod;
  }[];
  /** The baseline check that this restricted one stands in for, wherever it holds. */
  readonly overrides?: string;
}

/** A container of any of a pod's lists. */
export type AnyContainer = Container | EphemeralContainer;

/** A pod's spec or a container: both have a security context. */
export type Secured = PodSpec | AnyContainer;

/** Every container, in the order in which messages name them. */
export const containersOf = ({ initContainers, containers: main, ephemeralContainers }: PodSpec): AnyContainer[] => [
  ...(initContainers ?? []),
  ...(main ?? []),
  ...(ephemeralContainers ?? []),
];

/** The names of the containers that `isBad`. */
export function badContainers(spec: PodSpec, isBad: (container: AnyContainer) => boolean): string[] {
  return containersOf(spec)
    .filter(isBad)
    .map(({ name }) => name);
}

/** Whether the pod says that it runs on Windows. */
export const isWindows = ({ spec }: PodView): boolean => spec.os?.name === 'windows';

/** Whether the pod has a user namespace of its own. */
export const hasOwnUsers = ({ spec }: PodView): boolean => spec.hostUsers === false;

/** The check, for pods that are not exempt from it. */
export const unless =
  (exempt: (pod: PodView) => boolean, check: CheckPod): CheckPod =>
  (pod) =>
    exempt(pod) ? undefined : check(pod);

/** `"a", "b"`. */
export const quoted = (names: readonly string[]): string => names.map((name) => `"${name}"`).join(', ');

/** The values without repetitions, sorted. */
export const distinct = (values: readonly string[]): string[] => [...new Set(values)].sort();

/** The word, with an s unless there is exactly one. */
export const plural = (word: string, { length }: readonly unknown[]): string => (length === 1 ? word : `${word}s`);

/** `container "a"`, `containers "a", "b"`. */
export const containers = (names: readonly string[]): string => `${plural('container', names)} ${quoted(names)}`;

/** `pod and container "a"`: the pod, containers, or both; empty for neither. */
export function setters(pod: boolean, names: readonly string[]): string {
  return [...(pod ? ['pod'] : []), ...(names.length > 0 ? [containers(names)] : [])].join(' and ');
}
