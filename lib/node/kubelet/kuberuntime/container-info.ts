import type { ContainerPort, LifecycleHandler } from '#lib/api/types/core.v1.ts';
import {
  CONTAINER_ANNOTATIONS,
  CONTAINER_NAME_LABEL,
  POD_NAME_LABEL,
  POD_NAMESPACE_LABEL,
  POD_UID_LABEL,
} from './labels.ts';

/** The facts in the labels of a container, '' if one is missing (upstream: labeledContainerInfo). */
export interface LabeledContainerInfo {
  readonly podName: string;
  readonly podNamespace: string;
  readonly podUID: string;
  readonly containerName: string;
}

/** The facts in the annotations of a container (upstream: annotatedContainerInfo). */
export interface AnnotatedContainerInfo {
  readonly hash: string;
  readonly restartCount: number;
  readonly terminationMessagePath: string;
  readonly terminationMessagePolicy: string;
  /** Deletion grace period in seconds. */
  readonly podDeletionGracePeriod: number | undefined;
  /** Termination grace period in seconds. */
  readonly podTerminationGracePeriod: number | undefined;
  readonly preStopHandler: LifecycleHandler | undefined;
  readonly ports: ContainerPort[];
}

type Strings = Readonly<Record<string, string>>;

/** Parses the labels of a container (upstream: getContainerInfoFromLabels). */
export const containerInfoFromLabels = (labels: Strings): LabeledContainerInfo => ({
  podName: valueOf(labels, POD_NAME_LABEL),
  podNamespace: valueOf(labels, POD_NAMESPACE_LABEL),
  podUID: valueOf(labels, POD_UID_LABEL),
  containerName: valueOf(labels, CONTAINER_NAME_LABEL),
});

/** Parses the annotations of a container. An invalid annotation counts as missing (upstream: getContainerInfoFromAnnotations). */
export const containerInfoFromAnnotations = (annotations: Strings): AnnotatedContainerInfo => ({
  hash: valueOf(annotations, CONTAINER_ANNOTATIONS.hash),
  restartCount: numberOf(annotations, CONTAINER_ANNOTATIONS.restartCount) ?? 0,
  terminationMessagePath: valueOf(annotations, CONTAINER_ANNOTATIONS.terminationMessagePath),
  terminationMessagePolicy: valueOf(annotations, CONTAINER_ANNOTATIONS.terminationMessagePolicy),
  podDeletionGracePeriod: numberOf(annotations, CONTAINER_ANNOTATIONS.podDeletionGracePeriod),
  podTerminationGracePeriod: numberOf(annotations, CONTAINER_ANNOTATIONS.podTerminationGracePeriod),
  preStopHandler: handlerOf(valueOf(annotations, CONTAINER_ANNOTATIONS.preStopHandler)),
  ports: portsOf(valueOf(annotations, CONTAINER_ANNOTATIONS.ports)),
});

const valueOf = (strings: Strings, name: string): string => (Object.hasOwn(strings, name) ? (strings[name] ?? '') : '');

function numberOf(strings: Strings, name: string): number | undefined {
  const text = valueOf(strings, name);
  return /^-?\d+$/.test(text) && Number.isSafeInteger(Number(text)) ? Number(text) : undefined;
}

function handlerOf(text: string): LifecycleHandler | undefined {
  const value: unknown = jsonOf(text);
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
}

function portsOf(text: string): ContainerPort[] {
  const value = jsonOf(text);
  return Array.isArray(value) ? value : [];
}

function jsonOf(text: string): unknown {
  if (text === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
