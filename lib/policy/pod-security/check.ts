import { objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { flag, items, text } from '#lib/machinery/unstructured.ts';

/** What is judged: a pod's, or a pod template's. */
export interface PodView {
  readonly annotations: Readonly<Record<string, string>>;
  readonly spec: JsonObject;
}

/** Why a check refuses a pod: in short, and with what it found. */
export interface Violation {
  readonly reason: string;
  readonly detail: string;
}

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

/** Every container, in the order in which messages name them. */
export function containersOf(spec: JsonObject): JsonObject[] {
  return ['initContainers', 'containers', 'ephemeralContainers'].flatMap((field) => items(spec, field));
}

export const securityOf = (holder: JsonObject): JsonObject | undefined => objectAt(holder, 'securityContext');

/** The names of the containers that `isBad`. */
export function badContainers(spec: JsonObject, isBad: (container: JsonObject) => boolean): string[] {
  return containersOf(spec)
    .filter(isBad)
    .map((container) => text(container, 'name'));
}

export const isWindows = ({ spec }: PodView): boolean => text(objectAt(spec, 'os'), 'name') === 'windows';

/** Whether the pod has users of its own, who are nobody on the host. */
export const hasOwnUsers = ({ spec }: PodView): boolean => flag(spec, 'hostUsers') === false;

export const unless =
  (exempt: (pod: PodView) => boolean, check: CheckPod): CheckPod =>
  (pod) =>
    exempt(pod) ? undefined : check(pod);

export const quoted = (names: readonly string[]): string => names.map((name) => `"${name}"`).join(', ');

/** As a set that messages show. */
export const distinct = (values: readonly string[]): string[] => [...new Set(values)].sort();

export const plural = (word: string, { length }: readonly unknown[]): string => (length === 1 ? word : `${word}s`);

/** `container "a"`, `containers "a", "b"`. */
export const containers = (names: readonly string[]): string => `${plural('container', names)} ${quoted(names)}`;

/** Who set something: the pod, containers, or both. Empty where nobody did. */
export function setters(pod: boolean, names: readonly string[]): string {
  return [...(pod ? ['pod'] : []), ...(names.length > 0 ? [containers(names)] : [])].join(' and ');
}
