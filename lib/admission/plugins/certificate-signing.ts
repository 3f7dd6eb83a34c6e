import type { Authorizer } from '#lib/authorization/authorizer.ts';
import { equal, type JsonObject } from '#lib/machinery/json-value.ts';
import { at, items, text } from '#lib/machinery/unstructured.ts';
import type { AdmissionPlugin } from '../admission.ts';
import { refusal } from '../refusal.ts';
import { mayForSigner } from '../signer-right.ts';

/** Who gives a request its certificate, or says that it failed, needs the right to sign for its signer. */
export const certificateSigning = (authorizer: Authorizer): AdmissionPlugin => ({
  name: 'CertificateSigning',
  operations: ['UPDATE'],
  about: ['certificates.k8s.io/certificatesigningrequests'],
  async validate(attributes) {
    const { resource, subresource, object = {}, oldObject = {}, user } = attributes;
    if (subresource !== 'status' || resource.resource !== 'certificatesigningrequests') return;
    if (equal(signed(object), signed(oldObject))) return;
    const signer = text(at(oldObject, 'spec'), 'signerName');
    if (await mayForSigner(authorizer, user, 'sign', signer)) return;
    throw refusal(attributes, `user not permitted to sign requests with signerName ${JSON.stringify(signer)}`);
  },
});

function signed(request: JsonObject): JsonObject {
  const status = at(request, 'status');
  return { certificate: text(status, 'certificate'), conditions: items(status, 'conditions') };
}
