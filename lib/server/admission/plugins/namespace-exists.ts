import { NAMESPACES } from '#lib/api/types/resources.ts';
import { notFound } from '#lib/machinery/errors.ts';
import type { Lookup } from '#lib/storage/lookup.ts';
import type { AdmissionPlugin } from '../admission.ts';

/** Rejects writes to a namespace that does not exist. NamespaceLifecycle checks more than this. */
export function namespaceExists(lookup: Lookup): AdmissionPlugin {
  return {
    name: 'NamespaceExists',
    operations: ['CREATE', 'UPDATE', 'DELETE'],
    async validate({ namespace, kind }) {
      if (namespace === '' || kind.kind === 'Namespace') return;
      if ((await lookup.find(NAMESPACES, namespace)) === undefined) throw notFound(NAMESPACES, namespace);
    },
  };
}
