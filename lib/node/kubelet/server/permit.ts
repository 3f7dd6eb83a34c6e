import { quote } from '#lib/machinery/go.ts';
import { type Grant, type Purpose, requestDigest } from '#lib/server/channel/grant.ts';
import { podText } from '../container/container-ref.ts';
import { type NodeAnswer, type NodeRequest, textAnswer } from './node-request.ts';
import type { ServedPods } from './ports.ts';

/** Returns the rejection of a request, or undefined if it is permitted. */
export type Permit = (request: NodeRequest) => Promise<NodeAnswer | undefined>;

/** Permits the requests on a channel: each connection only serves the purpose of its grant. */
export const grantPermit =
  (pods: ServedPods): Permit =>
  async (request) => {
    const why = misuse(request, pods);
    return why === undefined ? undefined : textAnswer(403, why);
  };

/** First path segments by the verb of the grant. */
const ROOMS: Readonly<Record<Purpose['verb'], string>> = {
  proxy: '',
  logs: 'containerLogs',
  exec: 'exec',
  attach: 'attach',
  portforward: 'portForward',
};
/** The kubelet port in the API server's requests. */
const KUBELET_PORT = 10_250;

/**
 * The reason why a request does not match the grant of its connection, or undefined if it does. A grant for the whole node permits any
 * path. Other grants only permit their own pod and container, because consecutive pods can have the same name. A grant for a user's own
 * stream permits one request.
 */
export function misuse({ path, query, purpose }: NodeRequest, pods: ServedPods): string | undefined {
  if (purpose === undefined) return 'Forbidden: the connection has no grant\n';
  const { verb, podUID, container, user } = purpose;
  if (verb === 'proxy' && podUID === '') return undefined;
  const [room = '', namespace = '', name = '', ...rest] = path.replace(/^\//, '').split('/').map(decoded);
  const pod = pods.podByName(namespace, name);
  const isSamePod = pod === undefined || pod.metadata.uid === podUID; // a missing pod gets its own error
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

/** A destination that a grant permits: the node's own server, or an address of one of its pods. */
export type End = 'server' | { readonly host: string; readonly port: number };

/**
 * The destination of a stream. `ownPort` is the port of the node's server. Throws Error for a destination that is neither the node's server
 * nor an address of the granted pod.
 */
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
