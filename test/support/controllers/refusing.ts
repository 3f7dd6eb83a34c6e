import type { Client } from '#lib/client/client.ts';
import { forbidden } from '#lib/machinery/errors.ts';
import type { World } from './world.ts';

/** A client that is refused one verb on one resource, as by an admission policy. */
export function refusing(world: World, verb: 'create' | 'update', refused: string): Client {
  const client = world.newClient('controller');
  const refusal = (resource: { readonly resource: string }) =>
    resource.resource === refused ? forbidden({ group: '', resource: refused }, 'x', 'no') : undefined;
  return {
    ...client,
    get: client.get.bind(client),
    list: client.list.bind(client),
    document: client.document.bind(client),
    patch: client.patch.bind(client),
    delete: client.delete.bind(client),
    async create(resource, object, options) {
      const error = verb === 'create' ? refusal(resource) : undefined;
      if (error !== undefined) throw error;
      return client.create(resource, object, options);
    },
    async update(ref, object, subresource) {
      const error = verb === 'update' ? refusal(ref.resource) : undefined;
      if (error !== undefined) throw error;
      return client.update(ref, object, subresource);
    },
  };
}
