import type { Container, Pod } from '#lib/api/types/core.v1.ts';
import { marshal } from '#lib/machinery/go.ts';
import { goRequirements } from '../allocation/resource-requirements.ts';

/**
 * The message of a resize event: the resources in the pod's spec as JSON (upstream: events/resize.go). `moment` is `started`, `completed`,
 * `error`, or the reason why the resize is pending.
 */
export function podResizeMessage(pod: Pod, moment: string, generation: number, error = ''): string {
  const { initContainers = [], containers } = pod.spec;
  const fields: [string, unknown][] = [];
  if (initContainers.length > 0) fields.push(['initContainers', initContainers.map(summaryOf)]);
  if (containers !== null && containers.length > 0) fields.push(['containers', containers.map(summaryOf)]);
  fields.push(['generation', generation]);
  if (error !== '') fields.push(['error', error]);
  return `Pod resize ${moment}: ${marshal(new Map(fields))}`;
}

const summaryOf = ({ name, resources }: Container): ReadonlyMap<string, unknown> =>
  new Map<string, unknown>([
    ['name', name],
    ['resources', goRequirements(resources)],
  ]);
