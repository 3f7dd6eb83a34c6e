import { equal, type JsonObject } from '#lib/machinery/json-value.ts';
import { metadataOf } from '#lib/machinery/meta.ts';
import { at, text } from '#lib/machinery/unstructured.ts';
import type { Authorizer } from '#lib/server/authorization/authorizer.ts';
import type { AdmissionPlugin } from '../admission.ts';
import { isAbout, refusal } from '../refusal.ts';
import { mayForSigner } from '../signer-right.ts';

/** Not all versions of this kind are stable, so it has no generated type. */
const BUNDLES = { group: 'certificates.k8s.io', version: 'v1beta1', resource: 'clustertrustbundles' };

/** Requires the right to attest for a signer before its trusted certificates change. */
export const clusterTrustBundleAttest = (authorizer: Authorizer): AdmissionPlugin => ({
  name: 'ClusterTrustBundleAttest',
  operations: ['CREATE', 'UPDATE'],
  about: ['certificates.k8s.io/clustertrustbundles'],
  async validate(attributes) {
    const { object = {}, oldObject, user } = attributes;
    if (!isAbout(attributes, BUNDLES)) return;
    const signer = text(at(object, 'spec'), 'signerName');
    if (signer === '' || (oldObject !== undefined && equal(withoutCollected(object), withoutCollected(oldObject))))
      return;
    if (await mayForSigner(authorizer, user, 'attest', signer)) return;
    throw refusal(attributes, `user not permitted to attest for signerName ${JSON.stringify(signer)}`);
  },
});

/** Returns the object without the fields that the garbage collector may change. */
function withoutCollected(object: JsonObject): JsonObject {
  const { ownerReferences: _, finalizers: __, managedFields: ___, ...metadata } = metadataOf(object);
  return { ...object, metadata };
}
