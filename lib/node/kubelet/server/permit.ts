import { quote } from '#lib/machinery/go.ts';
import { type Grant, type Purpose, requestDigest } from '#lib/server/channel/grant.ts';
import { podText } from '../container/container-ref.ts';
import { type NodeAnswer, type NodeRequest, textAnswer } from './node-request.ts';
import type { ServedPods } from './ports.ts';

/** The refusal of a request; undefined where it may be answered. */
export type Permit = (request: NodeRequest) => Promise<NodeAnswer | undefined>;

/** Permits the requests of a channel: each connection serves what it was granted for. */
export const grantPermit =
  (pods: ServedPods): Permit =>
  async (request) => {
    const why = misuse(request, pods);
    return why === undefined ? undefined : textAnswer(403, why);
  };

/** First segments of paths by what they are granted for. */
const ROOMS: Readonly<Record<Purpose['verb'], string>> = {
  proxy: '',
  logs: 'containerLogs',
  exec: 'exec',
  attach: 'attach',
  portforward: 'portForward',
};
/** The kubelet's port, which the API server asks for. */
const KUBELET_PORT = 10_250;

/**
 * Why a request is not what its connection was granted for; undefined where it is. A grant for the node as a whole serves any path, and
 * another one its own pod and container alone: pods have the same name one after the other. A grant for a user's own stream serves one request.
 */
export function misuse({ path, query, purpose }: NodeRequest, pods: ServedPods): string | undefined {
  if (purpose === undefined) return 'Forbidden: the connection has no grant\n';
  const { verb, podUID, container, user } = purpose;
  if (verb === 'proxy' && podUID === '') return undefined;
  const [room = '', namespace = '', name = '', ...rest] = path.replace(/^\//, '').split('/').map(decoded);
  const pod = pods.podByName(namespace, name);
  const isSamePod = pod === undefined || pod.metadata.uid === podUID; // a pod that is not there is told so
  const isGranted = purpose.request === undefined || purpose.request === requestDigest(path, query);
  const isSame = isGranted && room === ROOMS[verb] && isSamePod && (container === '' || rest.at(-1) === container);
  return isSame ? undefined : `Forbidden (user=${user}, verb=${verb}): the connection is for another request\n`;
}

const decoded = (segment: string): string => {
  try {
    return decodeURIComponent(segment);
  } catch {
    return '';
  }
};

/** An end that a grant leads to: the node's own server, or an address of one of its pods. */
export type End = 'server' | { readonly host: string; readonly port: number };

/** Where a stream goes. `port`: that of the node's server where it has one. Throws Error for what is neither the node's server nor an address of the pod that the grant names. */
export function endOf({ node, host, port, podUID }: Grant, pods: ServedPods, ownPort = KUBELET_PORT): End {
  if (podUID === '' || host === node) {
    if (host === node && port === ownPort) return 'server';
    throw new Error(`node ${quote(node)} serves no port but ${ownPort} by its channel`);
  }
  const pod = pods.pods().find(({ metadata }) => metadata.uid === podUID);
  if (pod === undefined) throw new Error(`no pod of node ${quote(node)} has the UID ${quote(podUID)}`);
  const { podIP = '', podIPs = [] } = pods.podStatus(podUID) ?? pod.status;
  if (![podIP, ...podIPs.map(({ ip }) => ip)].includes(host) || host === '')
    throw new Error(`${host} is no address of pod ${podText(pod)}`);
  return { host, port };
}
