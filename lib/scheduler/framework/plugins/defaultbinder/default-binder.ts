import { StatusError } from '#lib/machinery/errors.ts';
import type { PluginFactory } from '../../interface.ts';
import { newStatus } from '../../status.ts';

const PODS = { group: '', version: 'v1', resource: 'pods' };

/** Binds through the pod's binding subresource. A refusal by the API server becomes status Error. */
export const defaultBinder: PluginFactory<void> = (_args, { client }) => ({
  name: 'DefaultBinder',
  async bind(_state, { namespace, name, uid }, nodeName) {
    const metadata = { namespace, name, uid };
    const binding = { apiVersion: 'v1', kind: 'Binding', metadata, target: { kind: 'Node', name: nodeName } };
    try {
      await client.create(PODS, binding, 'binding');
      return undefined;
    } catch (error) {
      if (error instanceof StatusError) return newStatus('Error', error.message);
      throw error;
    }
  },
});
