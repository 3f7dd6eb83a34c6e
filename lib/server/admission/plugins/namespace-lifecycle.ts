import type { Namespace } from '#lib/api/types/core.v1.ts';
import { NAMESPACES } from '#lib/api/types/resources.ts';
import { notFound, StatusError } from '#lib/machinery/errors.ts';
import type { Attributes } from '#lib/server/registry/admission.ts';
import type { Lookup } from '#lib/storage/lookup.ts';
import type { AdmissionPlugin } from '../admission.ts';
import { refusal } from '../refusal.ts';

const IMMORTAL: readonly string[] = ['default', 'kube-system', 'kube-public'];

/** Rejects creates in a missing or terminating namespace, and the deletion of namespaces that must always exist. */
export function namespaceLifecycle(lookup: Lookup): AdmissionPlugin {
  return {
    name: 'NamespaceLifecycle',
    operations: ['CREATE', 'UPDATE', 'DELETE'],
    admit(attributes) {
      const { operation, resource, namespace, name } = attributes;
      if (resource.group === '' && resource.resource === 'namespaces') {
        if (operation === 'DELETE' && IMMORTAL.includes(name))
          throw refusal(attributes, 'this namespace may not be deleted');
        return;
      }
      // An update has found its object, so the namespace exists. Access reviews must not reveal which namespaces exist.
      if (namespace === '' || operation !== 'CREATE' || resource.resource === 'localsubjectaccessreviews') return;
      return checkNamespace(lookup, attributes);
    },
  };
}

async function checkNamespace(lookup: Lookup, attributes: Attributes): Promise<void> {
  const { namespace } = attributes;
  const recent = await lookup.find(NAMESPACES, namespace);
  if (recent === undefined) throw notFound(NAMESPACES, namespace);
  if (!isTerminating(recent)) return;
  const fresh = await lookup.findFresh(NAMESPACES, namespace);
  if (fresh === undefined) throw notFound(NAMESPACES, namespace);
  if (isTerminating(fresh)) throw terminating(attributes);
}

const isTerminating = ({ status }: Namespace): boolean => status.phase === 'Terminating';

function terminating(attributes: Attributes): StatusError {
  const { namespace } = attributes;
  const { message, details } = refusal(
    attributes,
    `unable to create new content in namespace ${namespace} because it is being terminated`,
  );
  const cause = {
    reason: 'NamespaceTerminating',
    message: `namespace ${namespace} is being terminated`,
    field: 'metadata.namespace',
  };
  return new StatusError('Forbidden', message, { ...details, causes: [cause] });
}
