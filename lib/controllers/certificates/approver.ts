import type { Client } from '#lib/client/client.ts';
import type { Reconciler } from '#lib/controller/reconciler.ts';
import { objectAt, ownField, type JsonObject } from '#lib/machinery/json-value.ts';
import { at, text, texts } from '#lib/machinery/unstructured.ts';
import { namesOf, readRequest } from './certificate-request.ts';
import { changedRequests, has, isIssued, REQUESTS, requestPem, withCondition } from './conditions.ts';
import { KUBELET_CLIENT, kubeletClientFault } from './signers.ts';

const REVIEWS = { group: 'authorization.k8s.io', version: 'v1', resource: 'subjectaccessreviews' };
/** A right may be given later. */
const AGAIN = 60_000;

/** Approves what nodes ask for themselves, where they have the right: upstream's csrapproving. Keys are names. */
export function certificateApprover(client: Client): Reconciler {
  return {
    name: 'csrapproving',
    keys: changedRequests,
    async reconcile(name) {
      const ref = { resource: REQUESTS, namespace: '', name };
      const request = await client.get(ref);
      if (request === undefined || isIssued(request) || has(request, 'Approved') || has(request, 'Denied'))
        return undefined;
      const rights = rightsOf(request);
      for (const { subresource, message } of rights) {
        if (!(await isAllowed(client, request, subresource))) continue;
        const condition = { type: 'Approved', reason: 'AutoApproved', message };
        await client.update(ref, withCondition(request, condition), 'approval');
        return undefined;
      }
      return rights.length === 0 ? undefined : { requeueAfter: AGAIN };
    },
  };
}

/** What a node must be allowed to create, where the request is one of a node. */
function rightsOf(request: JsonObject): readonly { readonly subresource: string; readonly message: string }[] {
  const spec = at(request, 'spec');
  if (text(spec, 'signerName') !== KUBELET_CLIENT) return [];
  const names = namesOf(readRequest(requestPem(request)));
  if (kubeletClientFault(names, texts(spec, 'usages')) !== undefined) return [];
  const approving = (what: string): string => `Auto approving ${what} after SubjectAccessReview.`;
  return [
    ...(text(spec, 'username') === names.commonName
      ? [{ subresource: 'selfnodeclient', message: approving('self kubelet client certificate') }]
      : []),
    { subresource: 'nodeclient', message: approving('kubelet client certificate') },
  ];
}

async function isAllowed(client: Client, request: JsonObject, subresource: string): Promise<boolean> {
  const spec = at(request, 'spec');
  const { group, resource } = REQUESTS;
  const review = await client.create(REVIEWS, {
    spec: {
      user: text(spec, 'username'),
      uid: text(spec, 'uid'),
      groups: texts(spec, 'groups'),
      extra: objectAt(spec, 'extra') ?? {},
      resourceAttributes: { group, resource, verb: 'create', subresource, version: '*' },
    },
  });
  return ownField(objectAt(review, 'status') ?? {}, 'allowed') === true;
}
