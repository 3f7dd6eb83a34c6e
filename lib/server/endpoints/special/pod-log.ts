import { PODS } from '#lib/api/types/resources.ts';
import { nodeNameOf } from '#lib/helpers/component-helpers/pod/node-name.ts';
import { backendRefusal, badRequest, internalError, unclassified } from '#lib/machinery/errors.ts';
import { nameOf, namespaceOf } from '#lib/machinery/meta.ts';
import { joinHostPort } from '#lib/machinery/net/host-port.ts';
import type { Purpose } from '#lib/server/channel/grant.ts';
import type { BackendResponse } from '#lib/server/channel/round-tripper.ts';
import { TransportError } from '#lib/server/webhook/transport.ts';
import type { Handler } from '../filters/filter.ts';
import { untilAborted } from '../until-aborted.ts';
import { asksForWebSocket, handshake } from '../web-socket/handshake.ts';
import { WebSocketSession } from '../web-socket/session.ts';
import { type ConnectPorts, readEndpoint } from './connect.ts';
import { LOG_RULES, logMessages } from './log-messages.ts';
import { logOptions } from './log-options.ts';
import { nodeConnection } from './node-connection.ts';
import { containerOf } from './pod-container.ts';
import { asksForTicket, ticketAnswer } from './stream-ticket.ts';

/** The maximum number of bytes read from a kubelet's error response. */
const REFUSAL = 50_000;

/**
 * Serves `pods/log`: streams the kubelet's response, or returns a ticket to a gateway that streams it. The log is empty if the pod has no
 * node yet.
 */
export const logEndpoint = (ports: ConnectPorts): Handler =>
  readEndpoint(ports, async (find, { request, info, user }) => {
    const options = logOptions(request.query, info.name);
    const pod = await find(PODS, info.name);
    const container = containerOf(pod, options.container);
    const node = nodeNameOf(pod);
    if (node === '') return { status: 204, headers: {}, body: '' };
    const purpose: Purpose = { verb: 'logs', podUID: pod.metadata.uid ?? '', container, user: user.name };
    const { backends, target, tls } = await nodeConnection(find, node, ports.backends, purpose);
    const path = `/containerLogs/${namespaceOf(pod)}/${nameOf(pod)}/${container}${options.query === '' ? '' : `?${options.query}`}`;
    if (backends.streams !== undefined && asksForTicket(request))
      return ticketAnswer(backends.streams, request, { node, port: target.port, purpose, path });
    const authority = joinHostPort(target.host, target.port);
    const agreed = asksForWebSocket(request) ? handshake(request, LOG_RULES) : undefined;
    if (agreed !== undefined && 'status' in agreed) return agreed;
    const socket = agreed && new WebSocketSession(request, agreed);
    const signal = socket?.signal ?? request.signal();
    const answer = await backends.roundTripper
      .send({
        target,
        tls: options.insecure && tls === 'kubelet' ? 'kubelet-unverified' : tls,
        method: 'GET',
        path,
        headers: { host: authority },
        body: new Uint8Array(),
        signal,
      })
      .catch((error: unknown) => {
        if (error instanceof TransportError) throw unclassified(`Get "https://${authority}${path}": ${error.message}`);
        throw error;
      });
    if (answer.status >= 300 && answer.status < 400 && answer.headers['location'] !== undefined) {
      await answer.body[Symbol.asyncIterator]().return?.();
      throw unclassified(`Get "${[answer.headers['location']].flat()[0] ?? ''}": redirects forbidden`);
    }
    if (answer.status < 200 || answer.status > 206) throw await refusal(answer, info.name);
    const body = options.follow || socket !== undefined ? untilAborted(signal, answer.body) : answer.body;
    if (socket !== undefined) return socket.answer(logMessages(body, socket.protocol));
    return { status: 200, headers: { 'content-type': 'text/plain' }, body };
  });

/** Upstream's GenericHttpResponseChecker. */
async function refusal(answer: BackendResponse, name: string): Promise<Error> {
  const message = await textOf(answer, REFUSAL).catch((error: unknown) => {
    if (error instanceof TransportError) throw internalError(error.message);
    throw error;
  });
  if (answer.status === 500) return internalError(message);
  if (answer.status === 400) return badRequest(message);
  return backendRefusal(answer.status, { group: '', resource: 'pods/log' }, name, message);
}

/** Returns at most the given number of bytes of the body, without waiting for the rest. */
async function textOf({ body }: BackendResponse, max: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    size += chunk.length;
    if (size >= max) break;
  }
  return Buffer.concat(chunks).subarray(0, max).toString();
}
