import { arrayAt, isObject, type JsonObject, objectAt, stringAt } from '#lib/machinery/json-value.ts';
import { core, refOf } from './refs.ts';
import type { World } from './world.ts';

/** A ready pod with `app: db` on the node `node`, which serves the port `web`. */
export async function runPod(world: World, name: string, ip: string, port: number): Promise<void> {
  const ports = [{ name: 'web', containerPort: port }];
  await world.user.create(core('pods'), {
    metadata: { name, namespace: 'default', labels: { app: 'db' } },
    spec: { nodeName: 'node', containers: [{ name: 'c', image: 'i', ports }] },
  });
  const status = { phase: 'Running', podIP: ip, podIPs: [{ ip }], conditions: [{ type: 'Ready', status: 'True' }] };
  await world.user.patch(refOf(core('pods'), 'default', name), { status }, 'status');
}

export const endPod = (world: World, name: string): Promise<void> =>
  world.user.delete(refOf(core('pods'), 'default', name), { gracePeriodSeconds: 0 });

/** The image of its first container. */
export function imageOf(pod: JsonObject): string {
  const [container] = arrayAt(objectAt(pod, 'spec'), 'containers').filter(isObject);
  return stringAt(container, 'image') ?? '';
}
