import { arrayAt, isObject, objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { annotationsOf, finalizersOf, labelsOf, metadataOf, nameOf } from '#lib/machinery/meta.ts';
import { items, text } from '#lib/machinery/unstructured.ts';
import { podOf } from '../workload/pod-of.ts';
import { verdictOn } from './failure-policy.ts';
import { FAILURES, failuresBefore, IGNORED_FAILURES, ignoredFailuresBefore, INDEX, TRACKING } from './pod.ts';
import type { View } from './view.ts';

/** What is left of a name for the random end that the server gives it. */
const MAX_PREFIX = 58;
const VARIABLE = 'JOB_COMPLETION_INDEX';

/** The pod of the job's template; of an index, if it is of one. */
export function newPod(view: View, reference: JsonObject, index: number | undefined): JsonObject {
  const pod = podOf(view.job, reference);
  const finalizers = [...new Set([...finalizersOf(pod), TRACKING])];
  const tracked = { ...pod, metadata: { ...metadataOf(pod), finalizers } };
  return index === undefined ? tracked : indexed(view, tracked, index);
}

function indexed(view: View, pod: JsonObject, index: number): JsonObject {
  const name = nameOf(view.job);
  const end = `-${index}-`;
  return {
    ...pod,
    metadata: {
      ...metadataOf(pod),
      generateName: `${name.slice(0, MAX_PREFIX - end.length)}${end}`,
      labels: { ...labelsOf(pod), [INDEX]: `${index}` },
      annotations: { ...annotationsOf(pod), [INDEX]: `${index}`, ...failureCounts(view, index) },
    },
    spec: { ...withVariable(objectAt(pod, 'spec') ?? {}), hostname: `${name}-${index}` },
  };
}

/** How often the index has failed: counted from pod to pod. */
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

function withVariable(spec: JsonObject): JsonObject {
  const changed = { ...spec };
  for (const field of ['initContainers', 'containers']) {
    if (arrayAt(spec, field).length > 0) changed[field] = items(spec, field).map(plusVariable);
  }
  return changed;
}

function plusVariable(container: JsonObject): JsonObject {
  const variables = arrayAt(container, 'env').filter(isObject);
  if (variables.some((one) => text(one, 'name') === VARIABLE)) return container;
  const fieldRef = { fieldPath: `metadata.labels['${INDEX}']` };
  return { ...container, env: [...variables, { name: VARIABLE, valueFrom: { fieldRef } }] };
}
