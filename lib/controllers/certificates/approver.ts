import type { CertificateSigningRequest } from '#lib/api/types/certificates.v1.ts';
import { NODES, SUBJECT_ACCESS_REVIEWS } from '#lib/api/types/resources.ts';
import type { Client } from '#lib/client/client.ts';
import { type Clientset, clientset } from '#lib/client/clientset.ts';
import type { Reconciler, Result } from '#lib/client/controller/reconciler.ts';
import { EventCorrelator } from '#lib/client/record/event-correlator.ts';
import { recordOnce } from '#lib/client/record/record-event.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import { nameOf } from '#lib/machinery/meta.ts';
import { boundNodes } from '#lib/server/authentication/node-bootstrap.ts';
import { namesOf, type RequestedNames, readRequest } from './certificate-request.ts';
import {
  changedRequests,
  hasCondition,
  isIssued,
  REQUESTS,
  requestPem,
  type Verdict,
  withCondition,
} from './conditions.ts';
import { servingFault } from './serving-names.ts';
import {
  KUBELET_CLIENT,
  KUBELET_SERVING,
  kubeletClientFault,
  kubeletServingFault,
  NODE,
  NODE_GROUP,
} from './signers.ts';

/** The interval in ms between attempts. A permission may be granted later, and a node may report an address later. */
const AGAIN = 60_000;
/** The time in ms that a kubelet waits for a certificate before it sends a new request. */
const PATIENCE = 15 * 60_000;

/** A parsed request to one of the signers for nodes. */
interface SignerRequest {
  readonly signerName: string;
  readonly username: string;
  readonly groups: readonly string[];
  readonly usages: readonly string[];
  readonly names: RequestedNames;
}

/**
 * Approves nodes' requests for their own certificates if they have the permission: upstream's csrapproving. It also approves serving
 * certificates if the node may create `certificatesigningrequests/selfnodeserver`. A credential that is bound to a node can only obtain
 * that node's client certificate. All its other requests are denied. Keys are names.
 */
export function certificateApprover(untyped: Client, clock: Clock, events = new EventCorrelator(clock)): Reconciler {
  const client = clientset(untyped);
  return {
    name: 'csrapproving',
    keys: changedRequests,
    async reconcile(name) {
      const request = await client.get({ resource: REQUESTS, namespace: '', name });
      if (
        request === undefined ||
        isIssued(request) ||
        hasCondition(request, 'Approved') ||
        hasCondition(request, 'Denied')
      )
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
        : approveServing({ client, events }, request, asked);
    },
  };
}

function askedIn(request: CertificateSigningRequest): SignerRequest | undefined {
  const { signerName, username = '', groups = [], usages = [] } = request.spec;
  if (signerName !== KUBELET_CLIENT && signerName !== KUBELET_SERVING) return undefined;
  return {
    signerName,
    username,
    groups,
    usages,
    names: namesOf(readRequest(requestPem(request))),
  };
}

/** The reason why the request's credential may not obtain this certificate. Undefined if the credential is not bound to a node. */
function bindingFault({ signerName, groups, usages, names }: SignerRequest): string | undefined {
  const nodes = boundNodes(groups);
  const isOwn =
    nodes.some((node) => names.commonName === `${NODE}${node}`) &&
    signerName === KUBELET_CLIENT &&
    kubeletClientFault(names, usages) === undefined;
  if (nodes.length === 0 || isOwn) return undefined;
  const bound = nodes.join(' and ');
  return `The credential is bound to node ${bound}: it gets no certificate but that node's client certificate.`;
}

/** Approves a kubelet's client certificate as upstream does. A missing permission may be granted later. */
async function approveClient(
  client: Clientset,
  request: CertificateSigningRequest,
  asked: SignerRequest,
): Promise<Result> {
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

/** Upstream approves no serving certificate. A request without approval stays for other approvers, and an Event gives the reason. */
async function approveServing(
  { client, events }: { readonly client: Clientset; readonly events: EventCorrelator },
  request: CertificateSigningRequest,
  { names, usages, username, groups }: SignerRequest,
): Promise<Result> {
  const isOwn = username === names.commonName && groups.includes(NODE_GROUP);
  if (!isOwn || kubeletServingFault(names, usages) !== undefined) return undefined;
  if (!(await isAllowed(client, request, 'selfnodeserver'))) return undefined;
  const fault = await nodeFault(client, username.slice(NODE.length), names);
  if (fault === undefined) {
    await decide(client, request, approved('self kubelet serving'));
    return undefined;
  }
  const apiVersion = `${REQUESTS.group}/${REQUESTS.version}`;
  const recorder = { client, component: 'csrapproving', apiVersion, kind: 'CertificateSigningRequest', events };
  await recordOnce(recorder, request, { type: 'Warning', reason: 'NotApproved', message: fault });
  const created = Date.parse(request.metadata.creationTimestamp ?? '');
  return events.clock.now() - created < PATIENCE ? { requeueAfter: AGAIN } : undefined;
}

async function nodeFault(client: Clientset, name: string, names: RequestedNames): Promise<string | undefined> {
  const nodes = await client.list(NODES);
  const node = nodes.find((one) => nameOf(one) === name);
  return node === undefined ? `there is no node ${name}` : servingFault(names, node, nodes);
}

const approved = (what: string): Verdict => ({
  type: 'Approved',
  reason: 'AutoApproved',
  message: `Auto approving ${what} certificate after SubjectAccessReview.`,
});

async function decide(client: Clientset, request: CertificateSigningRequest, verdict: Verdict): Promise<void> {
  const ref = { resource: REQUESTS, namespace: '', name: nameOf(request) };
  await client.update(ref, withCondition(request, verdict), 'approval');
}

async function isAllowed(
  client: Clientset,
  { spec }: CertificateSigningRequest,
  subresource: string,
): Promise<boolean> {
  const { group, resource } = REQUESTS;
  const review = await client.create(SUBJECT_ACCESS_REVIEWS, {
    spec: {
      user: spec.username ?? '',
      uid: spec.uid ?? '',
      groups: spec.groups ?? [],
      extra: spec.extra ?? {},
      resourceAttributes: { group, resource, verb: 'create', subresource, version: '*' },
    },
  });
  return review.status.allowed;
}
