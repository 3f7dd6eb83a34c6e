import type { Client } from '#lib/client/client.ts';
import { forbidden } from '#lib/machinery/errors.ts';
import type { GroupVersionResource } from '#lib/machinery/schema.ts';
import type { World } from './world.ts';

/** A client that is denied one verb on one resource, as by an admission policy. */
export function refusing(
  world: World,
  verb: 'get' | 'create' | 'update' | 'patch' | 'delete',
  refused: string,
): Client {
  const client = world.newClient('controller');
  const check = (asked: typeof verb, { resource }: GroupVersionResource): void => {
    if (asked === verb && resource === refused) throw forbidden({ group: '', resource }, 'x', 'no');
  };
  return {
    ...client,
    list: client.list.bind(client),
    document: client.document.bind(client),
    async get(ref, options) {
      check('get', ref.resource);
      return client.get(ref, options);
    },
    async patch(ref, patch, subresource) {
      check('patch', ref.resource);
      return client.patch(ref, patch, subresource);
    },
    async delete(ref, request) {
      check('delete', ref.resource);
      return client.delete(ref, request);
    },
    async create(resource, object, subresource) {
      check('create', resource);
      return client.create(resource, object, subresource);
    },
    async update(ref, object, subresource) {
      check('update', ref.resource);
      return client.update(ref, object, subresource);
    },
  };
}
