import type { Client } from '#lib/client/client.ts';
import type { Reconciler, Result } from '#lib/controller/reconciler.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import { objectAt, ownField, stringAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { metadataOf, nameOf } from '#lib/machinery/meta.ts';
import { at, text, texts } from '#lib/machinery/unstructured.ts';
import { boundNodes } from '../bootstrap-token/node-token.ts';
import { recordOnce } from '../workload/record-event.ts';
import { namesOf, readRequest, type RequestedNames } from './certificate-request.ts';
import { changedRequests, has, isIssued, REQUESTS, requestPem, withCondition } from './conditions.ts';
import { servingFault } from './serving-names.ts';
import { KUBELET_CLIENT, KUBELET_SERVING, kubeletClientFault, kubeletServingFault, NODE, NODES } from './signers.ts';

const REVIEWS = { group: 'authorization.k8s.io', version: 'v1', resource: 'subjectaccessreviews' };
const NODE_OBJECTS = { group: '', version: 'v1', resource: 'nodes' };
/** A right may be given later, a node may report an address later. */
const AGAIN = 60_000;
/** Milliseconds that a kubelet waits for a certificate, after which it asks anew. */
const PATIENCE = 15 * 60_000;

/** A request of a signer of nodes, read. */
interface Asked {
  readonly signerName: string;
  readonly username: string;
  readonly groups: readonly string[];
  readonly usages: readonly string[];
  readonly names: RequestedNames;
}

/**
 * Approves what nodes ask for themselves, where they have the right: upstream's csrapproving; besides, serving certificates where the
 * node may create `certificatesigningrequests/selfnodeserver`. Denies what a token that is bound to a node asks for another. Keys are names.
 */
export function certificateApprover(client: Client, clock: Clock): Reconciler {
  return {
    name: 'csrapproving',
    keys: changedRequests,
    async reconcile(name) {
      const request = await client.get({ resource: REQUESTS, namespace: '', name });
      if (request === undefined || isIssued(request) || has(request, 'Approved') || has(request, 'Denied'))
        return undefined;
      const asked = askedIn(request);
      if (asked === undefined) return undefined;
      const refusal = bindingFault(asked);
      if (refusal !== undefined) {
        await decide(client, request, { type: 'Denied', reason: 'TokenBoundToNode', message: refusal });
        return undefined;
      }
      return asked.signerName === KUBELET_CLIENT
        ? approveClient(client, request, asked)
        : approveServing({ client, clock }, request, asked);
    },
  };
}

function askedIn(request: JsonObject): Asked | undefined {
  const spec = at(request, 'spec');
  const signerName = text(spec, 'signerName');
  if (signerName !== KUBELET_CLIENT && signerName !== KUBELET_SERVING) return undefined;
  return {
    signerName,
    username: text(spec, 'username'),
    groups: texts(spec, 'groups'),
    usages: texts(spec, 'usages'),
    names: namesOf(readRequest(requestPem(request))),
  };
}

/** Why the token that a request came with may not ask for this; undefined of a request that came with no token of a node. */
function bindingFault({ signerName, groups, usages, names }: Asked): string | undefined {
  const nodes = boundNodes(groups);
  const isOwn =
    nodes.some((node) => names.commonName === `${NODE}${node}`) &&
    signerName === KUBELET_CLIENT &&
    kubeletClientFault(names, usages) === undefined;
  if (nodes.length === 0 || isOwn) return undefined;
  const bound = nodes.join(' and ');
  return `The bootstrap token is bound to node ${bound}: it gets no certificate but that node's client certificate.`;
}

/** As upstream. */
async function approveClient(client: Client, request: JsonObject, asked: Asked): Promise<Result> {
  const { names, usages, username } = asked;
  if (kubeletClientFault(names, usages) !== undefined) return undefined;
  const rights = [
    ...(username === names.commonName ? [{ subresource: 'selfnodeclient', what: 'self kubelet client' }] : []),
    { subresource: 'nodeclient', what: 'kubelet client' },
  ];
  for (const { subresource, what } of rights) {
    if (!(await isAllowed(client, request, subresource))) continue;
    await decide(client, request, approved(what));
    return undefined;
  }
  return { requeueAfter: AGAIN };
}

/** Upstream approves none. A request that is not approved stays for others, and an Event tells why. */
async function approveServing(
  { client, clock }: { readonly client: Client; readonly clock: Clock },
  request: JsonObject,
  { names, usages, username, groups }: Asked,
): Promise<Result> {
  const isOwn = username === names.commonName && groups.includes(NODES);
  if (!isOwn || kubeletServingFault(names, usages) !== undefined) return undefined;
  if (!(await isAllowed(client, request, 'selfnodeserver'))) return undefined;
  const fault = await nodeFault(client, username.slice(NODE.length), names);
  if (fault === undefined) {
    await decide(client, request, approved('self kubelet serving'));
    return undefined;
  }
  const apiVersion = `${REQUESTS.group}/${REQUESTS.version}`;
  const now = (): number => clock.now();
  const recorder = { client, component: 'csrapproving', apiVersion, kind: 'CertificateSigningRequest', now };
  await recordOnce(recorder, request, { type: 'Warning', reason: 'NotApproved', message: fault });
  const created = Date.parse(stringAt(metadataOf(request), 'creationTimestamp') ?? '');
  return now() - created < PATIENCE ? { requeueAfter: AGAIN } : undefined;
}

async function nodeFault(client: Client, name: string, names: RequestedNames): Promise<string | undefined> {
  const nodes = await client.list(NODE_OBJECTS);
  const node = nodes.find((one) => nameOf(one) === name);
  return node === undefined ? `there is no node ${name}` : servingFault(names, node, nodes);
}

const approved = (what: string): JsonObject => ({
  type: 'Approved',
  reason: 'AutoApproved',
  message: `Auto approving ${what} certificate after SubjectAccessReview.`,
});

async function decide(client: Client, request: JsonObject, condition: JsonObject): Promise<void> {
  const ref = { resource: REQUESTS, namespace: '', name: nameOf(request) };
  await client.update(ref, withCondition(request, condition), 'approval');
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
