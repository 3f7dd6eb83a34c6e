import { objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { at } from '#lib/machinery/unstructured.ts';

/** Where each kind of workload keeps the template of its pods. */
const TEMPLATES: ReadonlyMap<string, readonly string[]> = new Map([
  ['/podtemplates', ['template']],
  ['/replicationcontrollers', ['spec', 'template']],
  ['apps/replicasets', ['spec', 'template']],
  ['apps/deployments', ['spec', 'template']],
  ['apps/statefulsets', ['spec', 'template']],
  ['apps/daemonsets', ['spec', 'template']],
  ['batch/jobs', ['spec', 'template']],
  ['batch/cronjobs', ['spec', 'jobTemplate', 'spec', 'template']],
]);

/** The resources (`group/resource`) that have one. */
export const WORKLOADS: readonly string[] = [...TEMPLATES.keys()];

export const hasTemplate = (groupResource: string): boolean => TEMPLATES.has(groupResource);

/** The pod template of a workload, which it may lack. */
export function templateOf(groupResource: string, object: JsonObject): JsonObject | undefined {
  const path = TEMPLATES.get(groupResource);
  const template = path === undefined ? undefined : at(object, ...path);
  return objectAt(template, 'spec') === undefined ? undefined : template;
}
