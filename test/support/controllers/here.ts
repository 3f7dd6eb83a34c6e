import type { JsonObject } from '#lib/machinery/json-value.ts';
import { core, NAMESPACES } from './refs.ts';
import type { World } from './world.ts';

/** A namespace with the service account for its pods. */
export async function aNamespace(world: World, name = 'here'): Promise<void> {
  await world.user.create(NAMESPACES, { metadata: { name } });
  await world.user.create(core('serviceaccounts'), { metadata: { name: 'default', namespace: name } });
}

export const podsHere = (world: World): Promise<readonly JsonObject[]> =>
  world.user.list(core('pods'), { namespace: 'here' });

export const REVISIONS = { group: 'apps', version: 'v1', resource: 'controllerrevisions' };

/** The numbers of the remaining revisions, the lowest first. */
export const revisionsHere = async (world: World): Promise<unknown[]> =>
  (await world.user.list(REVISIONS, { namespace: 'here' })).map((one) => one['revision']).sort();
