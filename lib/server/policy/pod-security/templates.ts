import { typedObject } from '#lib/api/typed.ts';
import type { PodTemplateSpec } from '#lib/api/types/core.v1.ts';
import {
  CRON_JOBS,
  DAEMON_SETS,
  DEPLOYMENTS,
  JOBS,
  POD_TEMPLATES,
  REPLICA_SETS,
  REPLICATION_CONTROLLERS,
  STATEFUL_SETS,
} from '#lib/api/types/resources.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import type { ResourceOf } from '#lib/machinery/schema.ts';

type Find = (object: JsonObject) => PodTemplateSpec | undefined;

const within = <T extends JsonObject>(
  resource: ResourceOf<T>,
  find: (object: T) => PodTemplateSpec | undefined,
): [string, Find] => [`${resource.group}/${resource.resource}`, (object) => find(typedObject(resource, object))];

/** Accessors of the pod template in each kind of workload, by `group/resource`. */
const TEMPLATES: ReadonlyMap<string, Find> = new Map([
  within(POD_TEMPLATES, ({ template }) => template),
  within(REPLICATION_CONTROLLERS, ({ spec }) => spec.template),
  within(REPLICA_SETS, ({ spec }) => spec.template),
  within(DEPLOYMENTS, ({ spec }) => spec.template),
  within(STATEFUL_SETS, ({ spec }) => spec.template),
  within(DAEMON_SETS, ({ spec }) => spec.template),
  within(JOBS, ({ spec }) => spec.template),
  within(CRON_JOBS, ({ spec }) => spec.jobTemplate.spec.template),
]);

/** The resources (`group/resource`) that have a pod template. */
export const WORKLOADS: readonly string[] = [...TEMPLATES.keys()];

/** Whether objects of `group/resource` have a pod template. */
export const hasTemplate = (groupResource: string): boolean => TEMPLATES.has(groupResource);

/** Returns the pod template of a workload of `group/resource`. A ReplicationController may have none. */
export const templateOf = (groupResource: string, object: JsonObject): PodTemplateSpec | undefined =>
  TEMPLATES.get(groupResource)?.(object);
