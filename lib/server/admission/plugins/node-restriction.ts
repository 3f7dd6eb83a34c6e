import type { TokenRequest } from '#lib/api/types/authentication.v1.ts';
import type { CertificateSigningRequest } from '#lib/api/types/certificates.v1.ts';
import type { Node, PersistentVolumeClaim } from '#lib/api/types/core.v1.ts';
import type { ResourceSlice } from '#lib/api/types/resource.v1.ts';
import {
  CERTIFICATE_SIGNING_REQUESTS,
  NODES,
  PERSISTENT_VOLUME_CLAIMS,
  RESOURCE_SLICES,
} from '#lib/api/types/resources.ts';
import { quote } from '#lib/machinery/go.ts';
import { clone, equal } from '#lib/machinery/json-value.ts';
import { labelsOf, nameOf } from '#lib/machinery/meta.ts';
import type { ResourceOf } from '#lib/machinery/schema.ts';
import type { Authorizer } from '#lib/server/authorization/authorizer.ts';
import { nodeNameOf } from '#lib/server/authorization/node/identity.ts';
import type { Attributes } from '#lib/server/registry/admission.ts';
import { DerError } from '#lib/server/registry/kinds/certificates/der.ts';
import type { Lookup } from '#lib/storage/lookup.ts';
import type { AdmissionPlugin } from '../admission.ts';
import { COMMON_NAME, subjectValues } from '../certificate-request.ts';
import { forbiddenLabels } from '../node-restriction/labels.ts';
import { checkPodCertificate } from '../node-restriction/pod-certificates.ts';
import { checkPod } from '../node-restriction/pods.ts';
import { checkToken } from '../node-restriction/tokens.ts';
import { type AttributesOf, isAbout, refusal } from '../refusal.ts';

const LEASES = 'kube-node-lease';
const KUBELET_SIGNERS = ['kubernetes.io/kubelet-serving', 'kubernetes.io/kube-apiserver-client-kubelet'];

/** The subresource `token` of service accounts, which accepts TokenRequests. */
const TOKENS: ResourceOf<TokenRequest> = { group: '', version: 'v1', resource: 'serviceaccounts' };

/** Restricts kubelets to their own nodes, and to other objects that concern the pods on their nodes. */
export function nodeRestriction(lookup: Lookup, authorizer: Authorizer): AdmissionPlugin {
  return {
    name: 'NodeRestriction',
    operations: ['CREATE', 'UPDATE', 'DELETE'],
    async admit(attributes) {
      const { user } = attributes;
      const node = nodeNameOf(user);
      if (node === undefined) return;
      if (node === '') throw refusal(attributes, `could not determine node from user ${quote(user.name)}`);
      return checkByResource({ lookup, authorizer }, node, attributes);
    },
  };
}

/** A subresource has the same checks as its object, except for tokens. */
async function checkByResource(
  { lookup, authorizer }: { readonly lookup: Lookup; readonly authorizer: Authorizer },
  node: string,
  attributes: Attributes,
): Promise<void> {
  const { resource, subresource, operation } = attributes;
  if (isAbout(attributes, NODES, subresource)) return checkNode(node, attributes);
  if (isAbout(attributes, PERSISTENT_VOLUME_CLAIMS, subresource)) return checkClaim(node, attributes);
  if (isAbout(attributes, RESOURCE_SLICES, subresource)) return checkSlice(node, attributes);
  if (isAbout(attributes, CERTIFICATE_SIGNING_REQUESTS, subresource)) return checkRequest(node, attributes);
  if (isAbout(attributes, TOKENS, 'token') && operation === 'CREATE')
    return checkToken({ lookup, authorizer }, node, attributes);
  switch (`${resource.group}/${resource.resource}`) {
    case '/pods':
      return checkPod(lookup, node, attributes);
    case 'coordination.k8s.io/leases':
      return checkLease(node, attributes);
    case 'storage.k8s.io/csinodes':
      return checkOwnName(node, attributes, 'can only access CSINode with the same name as the requesting node');
    case 'certificates.k8s.io/podcertificaterequests':
      return checkPodCertificate(lookup, node, attributes);
    default:
  }
}

function checkNode(node: string, attributes: AttributesOf<Node>): void {
  const { name, operation, object, oldObject } = attributes;
  const who = `node ${quote(node)} is not allowed to`;
  const target = name || (object === undefined ? '' : nameOf(object));
  if (target !== node) throw refusal(attributes, `${who} modify node ${quote(target)}`);
  if (object === undefined) return;
  const { configSource, taints = [] } = object.spec;
  if (operation === 'CREATE') {
    if (configSource !== undefined) throw refusal(attributes, `${who} create pods with a non-nil configSource`);
    const labels = forbiddenLabels(labelsOf(object), {});
    if (labels.length > 0) throw refusal(attributes, `${who} set the following labels: ${labels.join(', ')}`);
  }
  if (operation !== 'UPDATE' || oldObject === undefined) return;
  if (configSource !== undefined && !equal(configSource, oldObject.spec.configSource))
    throw refusal(attributes, `${who} update configSource to a new non-nil configSource`);
  if (!equal(taints, oldObject.spec.taints ?? [])) throw refusal(attributes, `${who} modify taints`);
  if (!equal(object.metadata.ownerReferences ?? [], oldObject.metadata.ownerReferences ?? []))
    throw refusal(attributes, `${who} modify ownerReferences`);
  const labels = forbiddenLabels(labelsOf(object), labelsOf(oldObject));
  if (labels.length > 0) throw refusal(attributes, `is not allowed to modify labels: ${labels.join(', ')}`);
}

function checkClaim(node: string, attributes: AttributesOf<PersistentVolumeClaim>): void {
  const { subresource, operation, object, oldObject } = attributes;
  if (subresource !== 'status') throw refusal(attributes, 'may only update PVC status');
  if (operation !== 'UPDATE') throw refusal(attributes, `unexpected operation ${quote(operation)}`);
  if (equal(object && fixedOf(object), oldObject && fixedOf(oldObject))) return;
  const why = `node ${quote(node)} is not allowed to update fields other than status.quantity and status.conditions`;
  throw refusal(attributes, why);
}

/** Returns a claim without the fields that its node reports. */
function fixedOf(claim: PersistentVolumeClaim): PersistentVolumeClaim {
  const fixed = clone(claim);
  const { metadata, status } = fixed;
  delete metadata.resourceVersion;
  delete metadata.managedFields;
  delete status.capacity;
  delete status.conditions;
  delete status.allocatedResourceStatuses;
  delete status.allocatedResources;
  return fixed;
}

function checkOwnName(node: string, attributes: Attributes, why: string): void {
  const { operation, name, object = {} } = attributes;
  if ((operation === 'CREATE' ? nameOf(object) : name) !== node) throw refusal(attributes, why);
}

function checkLease(node: string, attributes: Attributes): void {
  if (attributes.namespace !== LEASES)
    throw refusal(attributes, `can only access leases in the ${quote(LEASES)} system namespace`);
  checkOwnName(node, attributes, 'can only access node lease with the same name as the requesting node');
}

function checkSlice(node: string, attributes: AttributesOf<ResourceSlice>): void {
  const { operation, object, oldObject } = attributes;
  if (operation !== 'CREATE' && operation !== 'DELETE') return;
  const slice = operation === 'CREATE' ? object : oldObject;
  if (slice?.spec.nodeName === node) return;
  const verb = operation.toLowerCase();
  throw refusal(attributes, `can only ${verb} ResourceSlice with the same NodeName as the requesting node`);
}

function checkRequest(node: string, attributes: AttributesOf<CertificateSigningRequest>): void {
  const spec = attributes.object?.spec;
  if (attributes.operation !== 'CREATE' || spec === undefined || !KUBELET_SIGNERS.includes(spec.signerName)) return;
  const expected = `system:node:${node}`;
  try {
    if (subjectValues(spec.request ?? '', COMMON_NAME).at(-1) === expected) return;
  } catch (error) {
    if (!(error instanceof DerError)) throw error;
    throw refusal(attributes, `unable to parse csr: ${error.message}`);
  }
  throw refusal(attributes, `can only create a node CSR with CN=${expected}`);
}
