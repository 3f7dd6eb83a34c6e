import type { Pod } from '#lib/api/types/core.v1.ts';
import { PODS } from '#lib/api/types/resources.ts';
import { nodeNameOf } from '#lib/helpers/component-helpers/pod/node-name.ts';
import { badRequest, methodNotAllowed } from '#lib/machinery/errors.ts';
import { arrayAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { nameOf, namespaceOf } from '#lib/machinery/meta.ts';
import { flag, text, texts } from '#lib/machinery/unstructured.ts';
import type { Purpose } from '#lib/server/channel/grant.ts';
import type { Handler } from '../filters/filter.ts';
import { type ConnectPorts, connectEndpoint } from './connect.ts';
import { type ConnectOptions, connectObject, PORT_FORWARD } from './connect-options.ts';
import { checkCreateRight } from './create-right.ts';
import { forwardUpgrade } from './forward.ts';
import { nodeConnection } from './node-connection.ts';
import { containerOf } from './pod-container.ts';
import { asksForTicket, ticketAnswer } from './stream-ticket.ts';

/** The kubelet's names of the streams. */
const PARAMETERS = { stdin: 'input', stdout: 'output', stderr: 'error', tty: 'tty' } as const;
const VERBS: Readonly<Record<string, Purpose['verb']>> = { PodExecOptions: 'exec', PodAttachOptions: 'attach' };
const PATHS: Readonly<Record<string, string>> = { PodExecOptions: 'exec', PodAttachOptions: 'attach' };

/** The error of a front door that cannot upgrade, which kubectl displays. */
const NO_UPGRADE =
  'Upgrade request required: this front door does not upgrade connections. Use kubectl davit exec, attach, port-forward, cp or logs -f, which go by the WebSocket API of nodes';

/**
 * Serves `pods/exec`, `pods/attach` and `pods/portforward`: connects the client to the pod's kubelet and forwards raw bytes. If a gateway
 * holds the nodes' channels, the client may request a ticket for the gateway instead. After a 405, it must request the upgrade.
 */
export function streamEndpoint(ports: ConnectPorts, options: ConnectOptions): Handler {
  const { streams } = ports.backends ?? {};
  const serve = connectEndpoint(ports, options, async (find, context) => {
    const { request, info, user } = context;
    await checkCreateRight(ports.authorizer, context);
    const pod = await find(PODS, info.name);
    const params = connectObject(options, request.query, []);
    const container = options === PORT_FORWARD ? '' : containerOf(pod, text(params, 'container'));
    const place = placeOf(pod, options, container);
    const node = nodeNameOf(pod);
    if (node === '') throw badRequest(`pod ${nameOf(pod)} does not have a host assigned`);
    const purpose: Purpose = {
      verb: VERBS[options.kind] ?? 'portforward',
      podUID: pod.metadata.uid ?? '',
      container,
      user: user.name,
    };
    const { backends, target, tls } = await nodeConnection(find, node, ports.backends, purpose);
    const query = parameters(params);
    const path = query === '' ? place : `${place}?${query}`;
    if (streams !== undefined && asksForTicket(request))
      return ticketAnswer(streams, request, { node, port: target.port, purpose, path });
    if (request.upgrade === undefined)
      throw badRequest(streams === undefined ? 'Upgrade request required' : NO_UPGRADE);
    return forwardUpgrade(backends, request, { target, tls, path });
  });
  return async (context) => {
    if (streams === undefined && asksForTicket(context.request)) throw methodNotAllowed();
    return serve(context);
  };
}

function placeOf(pod: Pod, options: ConnectOptions, container: string): string {
  const of = `${namespaceOf(pod)}/${nameOf(pod)}`;
  if (options === PORT_FORWARD) return `/portForward/${of}`;
  return `/${PATHS[options.kind] ?? ''}/${of}/${container}`;
}

/** Returns upstream's streamParams, with sorted keys. */
function parameters(options: JsonObject): string {
  const params = new URLSearchParams();
  for (const [field, name] of Object.entries(PARAMETERS)) if (flag(options, field) === true) params.set(name, '1');
  for (const word of texts(options, 'command')) params.append('command', word);
  const ports = arrayAt(options, 'ports');
  if (ports.length > 0) params.set('port', ports.join(','));
  params.sort();
  return String(params);
}
