import type { Container, EnvVar, PodSpec } from '#lib/api/types/core.v1.ts';
import type { OwnerReference } from '#lib/api/types/meta.v1.ts';
import { defined } from '#lib/machinery/defined.ts';
import { annotationsOf, finalizersOf, labelsOf, nameOf } from '#lib/machinery/meta.ts';
import { type NewPod, podOf } from '../workload/pod-of.ts';
import { verdictOn } from './failure-policy.ts';
import { FAILURES, failuresBefore, IGNORED_FAILURES, INDEX, ignoredFailuresBefore, TRACKING } from './pod.ts';
import type { View } from './view.ts';

/** The maximum length of a name before the random suffix that the server appends, in characters. */
const MAX_PREFIX = 58;
const VARIABLE = 'JOB_COMPLETION_INDEX';

/** The pod of the job's template, with the index if it has one. */
export function newPod(view: View, reference: OwnerReference, index: number | undefined): NewPod {
  const pod = podOf(view.job, reference);
  const finalizers = [...new Set([...finalizersOf(pod), TRACKING])];
  const tracked = { ...pod, metadata: { ...pod.metadata, finalizers } };
  return index === undefined ? tracked : indexed(view, tracked, index);
}

function indexed(view: View, pod: NewPod, index: number): NewPod {
  const name = nameOf(view.job);
  const end = `-${index}-`;
  return {
    ...pod,
    metadata: {
      ...pod.metadata,
      generateName: `${name.slice(0, MAX_PREFIX - end.length)}${end}`,
      labels: { ...labelsOf(pod), [INDEX]: `${index}` },
      annotations: { ...annotationsOf(pod), [INDEX]: `${index}`, ...failureCounts(view, index) },
    },
    spec: { ...withVariable(pod.spec), hostname: `${name}-${index}` },
  };
}

/** The annotations that carry the failure counts of the index from pod to pod. */
function failureCounts({ spec, failedIndexes, kept }: View, index: number): Record<string, string> {
  if (failedIndexes === undefined) return {};
  const pod = kept.get(index);
  if (pod === undefined) return { [FAILURES]: '0' };
  const { counts } = verdictOn(pod, spec.failureRules);
  const ignored = ignoredFailuresBefore(pod) + Number(!counts);
  return {
    [FAILURES]: `${failuresBefore(pod) + Number(counts)}`,
    ...(ignored > 0 ? { [IGNORED_FAILURES]: `${ignored}` } : {}),
  };
}

const withVariable = (spec: PodSpec): PodSpec => ({
  ...spec,
  ...defined({
    initContainers: spec.initContainers?.map(plusVariable),
    containers: spec.containers?.map(plusVariable),
  }),
});

function plusVariable(container: Container): Container {
  const { env = [] } = container;
  if (env.some(({ name }) => name === VARIABLE)) return container;
  const fieldRef = { fieldPath: `metadata.labels['${INDEX}']` };
  const variable: EnvVar = { name: VARIABLE, valueFrom: { fieldRef } };
  return { ...container, env: [...env, variable] };
}
