import { nodeNameOf } from '#lib/authorization/node/identity.ts';
import type { Authorizer } from '#lib/authorization/authorizer.ts';
import { quote } from '#lib/machinery/go.ts';
import { clone, equal, objectAt, ownField, type JsonObject } from '#lib/machinery/json-value.ts';
import { labelsOf, metadataOf, nameOf } from '#lib/machinery/meta.ts';
import { ensure, has, items, text } from '#lib/machinery/unstructured.ts';
import { DerError } from '#lib/registry/kinds/certificates/der.ts';
import type { Lookup } from '#lib/storage/lookup.ts';
import type { Attributes } from '#lib/registry/admission.ts';
import type { AdmissionPlugin } from '../admission.ts';
import { COMMON_NAME, subjectValues } from '../certificate-request.ts';
import { forbiddenLabels } from '../node-restriction/labels.ts';
import { checkPodCertificate } from '../node-restriction/pod-certificates.ts';
import { checkPod } from '../node-restriction/pods.ts';
import { checkToken } from '../node-restriction/tokens.ts';
import { refusal } from '../refusal.ts';

const LEASES = 'kube-node-lease';
const KUBELET_SIGNERS = ['kubernetes.io/kubelet-serving', 'kubernetes.io/kube-apiserver-client-kubelet'];

/** A node's kubelet writes its own node, and of everything else what concerns its own pods. */
export function nodeRestriction(lookup: Lookup, authorizer: Authorizer): AdmissionPlugin {
  return {
    name: 'NodeRestriction',
    operations: ['CREATE', 'UPDATE', 'DELETE'],
    async admit(attributes) {
      const { user, resource, subresource, operation } = attributes;
      const node = nodeNameOf(user);
      if (node === undefined) return;
      if (node === '') throw refusal(attributes, `could not determine node from user ${quote(user.name)}`);
      switch (`${resource.group}/${resource.resource}`) {
        case '/pods':
          return checkPod(lookup, node, attributes);
        case '/nodes':
          return checkNode(node, attributes);
        case '/persistentvolumeclaims':
          return checkClaim(node, attributes);
        case '/serviceaccounts':
          if (operation === 'CREATE' && subresource === 'token')
            await checkToken({ lookup, authorizer }, node, attributes);
          return;
        case 'coordination.k8s.io/leases':
          return checkLease(node, attributes);
        case 'storage.k8s.io/csinodes':
          return checkOwnName(node, attributes, 'can only access CSINode with the same name as the requesting node');
        case 'resource.k8s.io/resourceslices':
          return checkSlice(node, attributes);
        case 'certificates.k8s.io/certificatesigningrequests':
          return checkRequest(node, attributes);
        case 'certificates.k8s.io/podcertificaterequests':
          return checkPodCertificate(lookup, node, attributes);
        default:
      }
    },
  };
}

function checkNode(node: string, attributes: Attributes): void {
  const { name, operation, object = {}, oldObject } = attributes;
  const who = `node ${quote(node)} is not allowed to`;
  const target = name || nameOf(object);
  if (target !== node) throw refusal(attributes, `${who} modify node ${quote(target)}`);
  const spec = objectAt(object, 'spec');
  if (operation === 'CREATE') {
    if (has(spec, 'configSource')) throw refusal(attributes, `${who} create pods with a non-nil configSource`);
    const labels = forbiddenLabels(labelsOf(object), {});
    if (labels.length > 0) throw refusal(attributes, `${who} set the following labels: ${labels.join(', ')}`);
  }
  if (operation !== 'UPDATE' || oldObject === undefined) return;
  const before = objectAt(oldObject, 'spec');
  if (has(spec, 'configSource') && !equal(ownField(spec, 'configSource'), ownField(before, 'configSource')))
    throw refusal(attributes, `${who} update configSource to a new non-nil configSource`);
  if (!equal(items(spec, 'taints'), items(before, 'taints'))) throw refusal(attributes, `${who} modify taints`);
  if (!equal(items(metadataOf(object), 'ownerReferences'), items(metadataOf(oldObject), 'ownerReferences')))
    throw refusal(attributes, `${who} modify ownerReferences`);
  const labels = forbiddenLabels(labelsOf(object), labelsOf(oldObject));
  if (labels.length > 0) throw refusal(attributes, `is not allowed to modify labels: ${labels.join(', ')}`);
}

function checkClaim(node: string, attributes: Attributes): void {
  const { subresource, operation, object = {}, oldObject = {} } = attributes;
  if (subresource !== 'status') throw refusal(attributes, 'may only update PVC status');
  if (operation !== 'UPDATE') throw refusal(attributes, `unexpected operation ${quote(operation)}`);
  if (equal(fixedOf(object), fixedOf(oldObject))) return;
  const why = `node ${quote(node)} is not allowed to update fields other than status.quantity and status.conditions`;
  throw refusal(attributes, why);
}

/** A claim without what its node reports. */
function fixedOf(claim: JsonObject): JsonObject {
  const fixed = clone(claim);
  for (const field of ['resourceVersion', 'managedFields']) delete ensure(fixed, 'metadata')[field];
  for (const field of ['capacity', 'conditions', 'allocatedResourceStatuses', 'allocatedResources'])
    delete ensure(fixed, 'status')[field];
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

function checkSlice(node: string, attributes: Attributes): void {
  const { operation, object, oldObject } = attributes;
  if (operation !== 'CREATE' && operation !== 'DELETE') return;
  const slice = operation === 'CREATE' ? object : oldObject;
  if (text(objectAt(slice, 'spec'), 'nodeName') === node) return;
  const verb = operation.toLowerCase();
  throw refusal(attributes, `can only ${verb} ResourceSlice with the same NodeName as the requesting node`);
}

function checkRequest(node: string, attributes: Attributes): void {
  const spec = objectAt(attributes.object, 'spec');
  if (attributes.operation !== 'CREATE' || !KUBELET_SIGNERS.includes(text(spec, 'signerName'))) return;
  const expected = `system:node:${node}`;
  try {
    if (subjectValues(text(spec, 'request'), COMMON_NAME).at(-1) === expected) return;
  } catch (error) {
    if (!(error instanceof DerError)) throw error;
    throw refusal(attributes, `unable to parse csr: ${error.message}`);
  }
  throw refusal(attributes, `can only create a node CSR with CN=${expected}`);
}
