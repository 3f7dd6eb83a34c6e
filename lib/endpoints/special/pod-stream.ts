import type { Pod } from '#lib/api/types/core.v1.ts';
import { PODS } from '#lib/api/types/resources.ts';
import type { Purpose } from '#lib/channel/grant.ts';
import { badRequest } from '#lib/machinery/errors.ts';
import { arrayAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { nameOf, namespaceOf } from '#lib/machinery/meta.ts';
import { flag, text, texts } from '#lib/machinery/unstructured.ts';
import type { Handler } from '../filters/filter.ts';
import { connectEndpoint, type ConnectPorts } from './connect.ts';
import { connectObject, PORT_FORWARD, type ConnectOptions } from './connect-options.ts';
import { checkCreateRight } from './create-right.ts';
import { forwardUpgrade } from './forward.ts';
import { nodeConnection } from './node-connection.ts';
import { containerOf } from './pod-container.ts';

/** The kubelet's names of what is streamed. */
const PARAMETERS = { stdin: 'input', stdout: 'output', stderr: 'error', tty: 'tty' } as const;
const VERBS: Readonly<Record<string, Purpose['verb']>> = { PodExecOptions: 'exec', PodAttachOptions: 'attach' };
const PATHS: Readonly<Record<string, string>> = { PodExecOptions: 'exec', PodAttachOptions: 'attach' };

/** `pods/exec`, `pods/attach`, `pods/portforward`: the client's connection becomes one to the pod's kubelet, byte by byte. */
export const streamEndpoint = (ports: ConnectPorts, options: ConnectOptions): Handler =>
  connectEndpoint(ports, options, async (find, request, state) => {
    await checkCreateRight(ports.authorizer, state);
    const pod = await find(PODS, state.info.name);
    const params = connectObject(options, request.query, []);
    const container = options === PORT_FORWARD ? '' : containerOf(pod, text(params, 'container'));
    const place = placeOf(pod, options, container);
    const node = pod.spec.nodeName ?? '';
    if (node === '') throw badRequest(`pod ${nameOf(pod)} does not have a host assigned`);
    const { backends, target, tls } = await nodeConnection(find, node, ports.backends, {
      verb: VERBS[options.kind] ?? 'portforward',
      podUID: pod.metadata.uid ?? '',
      container,
      user: state.user.name,
    });
    if (request.upgrade === undefined) throw badRequest('Upgrade request required');
    const query = parameters(params);
    return forwardUpgrade(backends, request, {
      target,
      tls,
      path: query === '' ? place : `${place}?${query}`,
    });
  });

function placeOf(pod: Pod, options: ConnectOptions, container: string): string {
  const of = `${namespaceOf(pod)}/${nameOf(pod)}`;
  if (options === PORT_FORWARD) return `/portForward/${of}`;
  return `/${PATHS[options.kind] ?? ''}/${of}/${container}`;
}

/** Upstream's streamParams, its keys sorted. */
function parameters(options: JsonObject): string {
  const params = new URLSearchParams();
  for (const [field, name] of Object.entries(PARAMETERS)) if (flag(options, field) === true) params.set(name, '1');
  for (const word of texts(options, 'command')) params.append('command', word);
  const ports = arrayAt(options, 'ports');
  if (ports.length > 0) params.set('port', ports.join(','));
  params.sort();
  return String(params);
}
