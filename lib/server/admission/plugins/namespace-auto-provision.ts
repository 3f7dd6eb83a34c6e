import { NAMESPACES } from '#lib/api/types/resources.ts';
import { StatusError } from '#lib/machinery/errors.ts';
import type { Lookup } from '#lib/storage/lookup.ts';
import type { AdmissionPlugin } from '../admission.ts';
import { refusal } from '../refusal.ts';

/** Creates a namespace when the first object is created in it. */
export function namespaceAutoProvision(lookup: Lookup, make: (namespace: string) => Promise<void>): AdmissionPlugin {
  return {
    name: 'NamespaceAutoProvision',
    operations: ['CREATE'],
    async admit(attributes) {
      const { namespace, kind, dryRun } = attributes;
      if (dryRun || namespace === '' || kind.kind === 'Namespace') return;
      if ((await lookup.find(NAMESPACES, namespace)) !== undefined) return;
      await make(namespace).catch((error: unknown) => {
        if (!(error instanceof StatusError)) throw error;
        if (error.reason !== 'AlreadyExists') throw refusal(attributes, error.message);
      });
    },
  };
}
