import { badRequest, notFound, serviceUnavailable, StatusError } from '#lib/machinery/errors.ts';
import { quote } from '#lib/machinery/go.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { nameOf } from '#lib/machinery/meta.ts';
import { at, count, items, text } from '#lib/machinery/unstructured.ts';
import { admit, validate, type AdmissionChain, type Attributes } from '#lib/admission/admission.ts';
import type { Authorizer } from '#lib/authorization/authorizer.ts';
import { isSimulated } from '#lib/component-helpers/node/simulated.ts';
import type { BuiltInResources } from '#lib/registry/built-in.ts';
import { builtInScheme } from '#lib/registry/built-in-scheme.ts';
import type { ApiRequest, ApiResponse } from '../api.ts';
import { annotate } from '../audit/request-audit.ts';
import type { Handler, RequestState } from '../filters/filter.ts';
import {
  connectObject,
  NODE_PROXY,
  POD_PROXY,
  PORT_FORWARD,
  SERVICE_PROXY,
  type ConnectOptions,
} from './connect-options.ts';
import { checkCreateRight } from './create-right.ts';
import { definitionOf, read } from './stored.ts';

export interface ConnectPorts {
  readonly builtIn: BuiltInResources;
  readonly cluster: string;
  readonly admission: AdmissionChain;
  readonly authorizer: Authorizer;
}

/** Reads an object of the request's namespace, or of the cluster. Throws a 404 of the request's resource, as upstream does. */
type Reader = (resource: string, name: string, namespaced?: boolean) => Promise<JsonObject>;

type Connect = (find: Reader, request: ApiRequest, state: RequestState) => Promise<ApiResponse>;

/** Serves a GET that goes beyond what is stored. */
function reading({ builtIn, cluster }: ConnectPorts, act: Connect): Handler {
  return (request, state) => {
    const { namespace } = state.info;
    const find: Reader = (resource, name, namespaced = true) =>
      read(definitionOf(builtIn, resource), { cluster, namespace: namespaced ? namespace : '' }, name).catch(
        (error: unknown) => {
          if (error instanceof StatusError && error.code === 404) throw notFound(state.info, name);
          throw error;
        },
      );
    return act(find, request, state);
  };
}

/** The same for what upstream calls CONNECT, which admission is asked about. */
function connect(ports: ConnectPorts, options: ConnectOptions, act: Connect): Handler {
  const scheme = builtInScheme({ group: '', version: 'v1', kind: options.kind });
  const serve = reading(ports, act);
  return async (request, state) => {
    if (request.query.has('dryRun')) throw badRequest('dryRun is not supported');
    const { info } = state;
    const attributes: Attributes = {
      operation: 'CONNECT',
      kind: scheme.kind,
      scheme,
      resource: { group: info.group, version: info.version, resource: info.resource },
      subresource: info.subresource,
      namespace: info.namespace,
      name: info.name,
      object: connectObject(options, request.query, info.rest),
      dryRun: false,
      options: undefined,
      user: state.user,
      warn: (text) => void state.warnings.add(text),
      annotate: (key, value, shows) => annotate(state, key, value, shows),
      took: (layer, milliseconds) => state.latencies?.took(layer, milliseconds),
    };
    await admit(ports.admission, attributes);
    await validate(ports.admission, attributes);
    return serve(request, state);
  };
}

/** `pods/log`: nothing, where the pod has no node yet. */
export const logEndpoint = (ports: ConnectPorts): Handler =>
  reading(ports, async (find, request, { info }) => {
    const pod = await find('pods', info.name);
    checkContainer(pod, request.query.get('container') ?? '');
    const node = text(at(pod, 'spec'), 'nodeName');
    if (node === '') return { status: 204, headers: {}, body: '' };
    throw await unreachable(find, node);
  });

/** `pods/exec`, `pods/attach`. */
export const streamEndpoint = (ports: ConnectPorts, options: ConnectOptions): Handler =>
  connect(ports, options, async (find, request, state) => {
    await checkCreateRight(ports.authorizer, state);
    const pod = await find('pods', state.info.name);
    checkContainer(pod, request.query.get('container') ?? '');
    throw await unreachable(find, hostOf(pod));
  });

/** `pods/portforward`. */
export const portForwardEndpoint = (ports: ConnectPorts): Handler =>
  connect(ports, PORT_FORWARD, async (find, _request, state) => {
    await checkCreateRight(ports.authorizer, state);
    throw await unreachable(find, hostOf(await find('pods', state.info.name)));
  });

function hostOf(pod: JsonObject): string {
  const node = text(at(pod, 'spec'), 'nodeName');
  if (node === '') throw badRequest(`pod ${nameOf(pod)} does not have a host assigned`);
  return node;
}

function checkContainer(pod: JsonObject, container: string): void {
  const spec = at(pod, 'spec');
  const names = ['initContainers', 'containers', 'ephemeralContainers'].flatMap((field) =>
    items(spec, field).map((one) => text(one, 'name')),
  );
  if (container !== '') {
    if (!names.includes(container)) throw badRequest(`container ${container} is not valid for pod ${nameOf(pod)}`);
    return;
  }
  const main = items(spec, 'containers').length;
  const head = `a container name must be specified for pod ${nameOf(pod)}`;
  if (main !== 1) throw badRequest(main === 0 ? head : `${head}, choose one of: [${names.join(' ')}]`);
}

/** No agent of the node is connected. Throws 404 where the node is not even known. */
async function unreachable(find: Reader, node: string): Promise<Error> {
  const found = await find('nodes', node, false);
  const why = isSimulated(found) ? ': it is simulated, and no container runs on it' : '';
  return serviceUnavailable(`no connection to node ${quote(node)}${why}`);
}

/** What a proxy path names: `name`, `name:port` or `scheme:name:port`. */
function target(id: string, kind: string): { name: string; port: string } {
  const parts = id.split(':');
  const [scheme, name, port] = parts.length === 3 ? parts : ['', parts[0] ?? '', parts[1] ?? ''];
  if (parts.length > 3 || name === '' || !['', 'http', 'https'].includes(scheme as string))
    throw badRequest(`invalid ${kind} request ${quote(id)}`);
  return { name: name as string, port: port as string };
}

export const podProxyEndpoint = (ports: ConnectPorts): Handler =>
  connect(ports, POD_PROXY, async (find, _request, { info }) => {
    const pod = await find('pods', target(info.name, 'pod').name);
    const [address] = items(at(pod, 'status'), 'podIPs').map((one) => text(one, 'ip'));
    if (address === undefined || address === '') throw badRequest('address not allowed');
    throw unroutable(address);
  });

export const nodeProxyEndpoint = (ports: ConnectPorts): Handler =>
  connect(ports, NODE_PROXY, async (find, _request, { info }) => {
    throw await unreachable(find, target(info.name, 'node').name);
  });

export const serviceProxyEndpoint = (ports: ConnectPorts): Handler =>
  connect(ports, SERVICE_PROXY, async (find, _request, { info }) => {
    const { name, port } = target(info.name, 'service');
    const portName = /^\d+$/.test(port) ? await servicePort(find, name, Number(port)) : port;
    const subsets = items(await find('endpoints', name), 'subsets');
    if (subsets.length === 0) throw serviceUnavailable(`no endpoints available for service ${quote(name)}`);
    const address = subsets
      .filter((subset) => items(subset, 'ports').some((one) => text(one, 'name') === portName))
      .flatMap((subset) => items(subset, 'addresses').map((one) => text(one, 'ip')))[0];
    if (address === undefined) throw serviceUnavailable(`no endpoints available for service ${quote(info.name)}`);
    throw unroutable(address);
  });

/** The name of the port with that number. */
async function servicePort(find: Reader, name: string, port: number): Promise<string> {
  const service = await find('services', name);
  const found = items(at(service, 'spec'), 'ports').find((one) => Number(count(one, 'port')) === port);
  if (found === undefined) throw serviceUnavailable(`no service port ${port} found for service ${quote(name)}`);
  return text(found, 'name');
}

/** This server has no way into the pods' network. */
const unroutable = (address: string): Error =>
  serviceUnavailable(`error trying to reach service: no route to ${address}`);
