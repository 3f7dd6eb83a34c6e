import type { KubernetesObject, OwnerReference } from '#lib/client/typed-client.ts';

/**
 * Returns the object with a reference to its controller, so that it is deleted with the controller: upstream's SetControllerReference.
 * Throws TypeError if the object has another controller, or if the owner is in another namespace.
 */
export function setControllerReference<T extends KubernetesObject>(owner: KubernetesObject, object: T): T {
  const references = object.metadata.ownerReferences ?? [];
  const other = references.find(({ controller, uid }) => controller === true && uid !== owner.metadata.uid);
  if (other !== undefined) throw new TypeError(`${named(object)} is controlled by ${other.kind} ${other.name}`);
  const { namespace } = owner.metadata;
  if (namespace !== undefined && namespace !== object.metadata.namespace)
    throw new TypeError(`${named(owner)} is in namespace ${namespace}: it cannot own ${named(object)} elsewhere`);
  const own = references.filter(({ uid }) => uid !== owner.metadata.uid);
  const ownerReferences = [...own, referenceTo(owner)];
  return { ...object, metadata: { ...object.metadata, ownerReferences } };
}

function referenceTo({ apiVersion, kind, metadata: { name = '', uid = '' } }: KubernetesObject): OwnerReference {
  return { apiVersion, kind, name, uid, controller: true, blockOwnerDeletion: true };
}

const named = ({ kind, metadata: { name = '' } }: KubernetesObject): string => `${kind} ${name}`;
