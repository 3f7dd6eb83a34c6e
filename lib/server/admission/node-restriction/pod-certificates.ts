import { NODES, PODS, SERVICE_ACCOUNTS } from '#lib/api/types/resources.ts';
import { isMirrorPod } from '#lib/helpers/component-helpers/pod/mirror.ts';
import { unclassified } from '#lib/machinery/errors.ts';
import { quote } from '#lib/machinery/go.ts';
import { type JsonObject, objectAt } from '#lib/machinery/json-value.ts';
import { uidOf } from '#lib/machinery/meta.ts';
import { text } from '#lib/machinery/unstructured.ts';
import type { Attributes } from '#lib/server/registry/admission.ts';
import type { Lookup, ResourceAt } from '#lib/storage/lookup.ts';
import { refusal } from '../refusal.ts';
import { nodeOf } from './pods.ts';

/**
 * Lets a node request certificates for the pods on it, with the correct uids of the pod and the node. The kind is not stable and has no
 * generated type.
 */
export async function checkPodCertificate(lookup: Lookup, node: string, attributes: Attributes): Promise<void> {
  const { operation, subresource, object, namespace } = attributes;
  if (operation !== 'CREATE') throw refusal(attributes, `unexpected operation ${operation}`);
  if (subresource !== '') throw refusal(attributes, `unexpected subresource ${subresource}`);
  const spec = objectAt(object, 'spec');
  const named = (field: string): string => text(spec, field);
  if (named('nodeName') !== node) {
    const why = `PodCertificateRequest.Spec.NodeName=${quote(named('nodeName'))}, which is not the requesting node ${quote(node)}`;
    throw refusal(attributes, why);
  }
  const full = quote(`${namespace}/${named('podName')}`);
  const request = `PodCertificateRequest for pod ${full}`;
  const find = async <T extends JsonObject>(place: ResourceAt<T>, name: string, shown: string): Promise<T> => {
    const one = await lookup.find(place, name);
    if (one !== undefined) return one;
    const absent = `${place.resource.slice(0, -1)} ${quote(name)} not found`;
    throw unclassified(`while retrieving ${shown} named in the PodCertificateRequest: ${absent}`);
  };
  const found = await find(NODES, node, `node ${quote(node)}`);
  if (uidOf(found) !== named('nodeUID'))
    throw unclassified(
      `${request} names node UID ${quote(named('nodeUID'))}, inconsistent with the running node (${quote(uidOf(found))})`,
    );
  const pod = await find({ ...PODS, namespace }, named('podName'), `pod ${full}`);
  if (uidOf(pod) !== named('podUID'))
    throw unclassified(
      `${request} contains pod UID (${quote(named('podUID'))}) which differs from running pod ${quote(uidOf(pod))}`,
    );
  if (nodeOf(pod) !== node)
    throw refusal(attributes, `pod ${full} is not running on node ${quote(node)} named in the PodCertificateRequest`);
  if (isMirrorPod(pod)) throw refusal(attributes, `pod ${full} is a mirror pod`);
  const account = pod.spec.serviceAccountName ?? '';
  const asked = named('serviceAccountName');
  if (asked !== account)
    throw refusal(
      attributes,
      `${request} contains serviceAccountName (${quote(asked)}) that differs from running pod (${quote(account)})`,
    );
  const shown = `service account ${quote(`${namespace}/${account}`)}`;
  const owner = await find({ ...SERVICE_ACCOUNTS, namespace }, account, shown);
  if (uidOf(owner) === named('serviceAccountUID')) return;
  const uid = `${quote(named('serviceAccountUID'))}, which differs from the running service account (${quote(uidOf(owner))})`;
  throw unclassified(`${request} names service account UID ${uid}`);
}
