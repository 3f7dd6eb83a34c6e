import type { Pod } from '#lib/api/types/core.v1.ts';
import { defined } from '#lib/machinery/defined.ts';
import { parseDuration } from '#lib/machinery/duration.ts';
import { messageOfError } from '#lib/machinery/error-message.ts';
import { quote } from '#lib/machinery/go.ts';
import { decodeJson, encodeJson } from '#lib/machinery/json.ts';
import { isObject, type Json, type JsonObject } from '#lib/machinery/json-value.ts';
import { nameOf, namespaceOf, uidOf } from '#lib/machinery/meta.ts';
import type { Address, ServiceResolver } from '#lib/server/webhook/service-resolver.ts';
import type { Extender, ExtenderFiltered, Victims } from '../framework/extender.ts';
import type { NodeInfo } from '../framework/node-info.ts';
import { serviceOf } from './service-url.ts';
import type { ExtenderTls, ExtenderTransport } from './transport.ts';
import { entriesOf, extenderArgs, fieldOf, listOf, numberOf, preemptionArgs, textOf } from './wire.ts';

/** An extender in the configuration: upstream's `Extender`. An empty verb is not called. */
export interface ExtenderConfig {
  readonly urlPrefix: string;
  readonly filterVerb: string;
  readonly preemptVerb: string;
  readonly prioritizeVerb: string;
  readonly bindVerb: string;
  readonly weight: number;
  /** The extender caches nodes and pods, so requests carry node names and victim uids. */
  readonly nodeCacheCapable: boolean;
  /** The resources that the extender manages. If empty, it is called for all pods. */
  readonly managedResources: readonly { readonly name: string }[];
  readonly ignorable: boolean;
  /** The timeout of a call as a Go duration. The default, also for zero, is 5 seconds. */
  readonly httpTimeout?: string | undefined;
}

/** The ports of an extender. */
export interface ExtenderPorts {
  readonly transport: ExtenderTransport;
  readonly tls: ExtenderTls;
  /** Resolves URLs that name Services of the cluster. If absent, such names are resolved like any other host name. */
  readonly services?: ServiceResolver | undefined;
  /** A node in the snapshot of the calling attempt. */
  node(name: string): NodeInfo | undefined;
}

const TIMEOUT = 5000;

/** Creates an extender over HTTP: upstream's HTTPExtender. Its methods throw on an invalid or missing response. Throws TimeError. */
export function httpExtender(config: ExtenderConfig, ports: ExtenderPorts): Extender {
  const { urlPrefix, nodeCacheCapable, managedResources } = config;
  const managed = new Set(managedResources.map(({ name }) => name));
  const timeout = timeoutOf(config);
  const send = async (verb: string, args: JsonObject): Promise<Json> => {
    const url = `${urlPrefix.replace(/\/+$/, '')}/${verb}`;
    const body = Buffer.from(encodeJson(args));
    const connect = await resolved(url, ports);
    const answer = await ports.transport.post({ url, tls: ports.tls, body, timeout, ...defined({ connect }) });
    if (answer.status !== 200) throw new Error(`failed ${verb} with extender at URL ${url}, code ${answer.status}`);
    return decodeJson(answer.body).value;
  };
  return {
    name: urlPrefix,
    does: {
      filter: config.filterVerb !== '',
      prioritize: config.prioritizeVerb !== '',
      preempt: config.preemptVerb !== '',
      bind: config.bindVerb !== '',
    },
    ignorable: config.ignorable,
    weight: config.weight,
    isInterested: (pod) => managed.size === 0 || asksForAny(pod, managed),
    async filter(pod, nodes) {
      const result = await send(config.filterVerb, extenderArgs(pod, nodes, nodeCacheCapable));
      return filtered(config, nodes, refuseError(result));
    },
    async prioritize(pod, nodes) {
      const result = await send(config.prioritizeVerb, extenderArgs(pod, nodes, nodeCacheCapable));
      const scores = Array.isArray(result) ? result : [];
      return new Map(scores.map((one) => [textOf(one, 'Host'), numberOf(one, 'Score')]));
    },
    async processPreemption(pod, candidates) {
      const result = await send(config.preemptVerb, preemptionArgs(pod, candidates, nodeCacheCapable));
      const nodes = entriesOf(result, 'NodeNameToMetaVictims');
      return new Map(nodes.map(([name, victims]) => [name, victimsOn(name, victims, config, ports)]));
    },
    async bind(pod, nodeName) {
      const args = { PodName: nameOf(pod), PodNamespace: namespaceOf(pod), PodUID: uidOf(pod), Node: nodeName };
      refuseError(await send(config.bindVerb, args));
    },
  };
}

/** The address of the Service that the URL names; undefined if it names no Service. */
async function resolved(url: string, { services }: ExtenderPorts): Promise<Address | undefined> {
  const service = serviceOf(url);
  if (service === undefined || services === undefined) return undefined;
  return services.resolve(service).catch((error: unknown) => {
    throw new Error(`Post ${quote(url)}: ${messageOfError(error)}`, { cause: error });
  });
}

function timeoutOf({ httpTimeout = '0' }: ExtenderConfig): number {
  const milliseconds = Number(parseDuration(httpTimeout)) / 1e6;
  return milliseconds === 0 ? TIMEOUT : milliseconds;
}

/** Whether a container requests or limits one of the resources. */
const asksForAny = ({ spec: { containers, initContainers = [] } }: Pod, managed: ReadonlySet<string>): boolean =>
  [...(containers ?? []), ...initContainers].some(({ resources: { requests = {}, limits = {} } }) =>
    [...Object.keys(requests), ...Object.keys(limits)].some((name) => managed.has(name)),
  );

function refuseError(result: Json): Json {
  const error = textOf(result, 'Error');
  if (error !== '') throw new Error(error);
  return result;
}

/** The nodes that passed and those that were refused. */
function filtered(
  { urlPrefix, nodeCacheCapable }: ExtenderConfig,
  nodes: readonly NodeInfo[],
  result: Json,
): ExtenderFiltered {
  const byName = new Map(nodes.map((node) => [node.name, node]));
  const named = nodeCacheCapable ? listOf(result, 'NodeNames') : undefined;
  const names = named ?? listOf(fieldOf(result, 'Nodes'), 'items')?.filter(isObject).map(nameOf) ?? [];
  const reasons = (field: string): Map<string, string> =>
    new Map(entriesOf(result, field).map(([name, why]) => [name, typeof why === 'string' ? why : '']));
  return {
    nodes: names.map((name) => {
      const node = byName.get(String(name));
      if (node !== undefined) return node;
      const who = `extender ${quote(urlPrefix)} claims a filtered node ${quote(String(name))}`;
      throw new Error(`${who} which is not found in the input node list`);
    }),
    failed: reasons('FailedNodes'),
    failedAndUnresolvable: reasons('FailedAndUnresolvableNodes'),
  };
}

/** Resolves the victim uids in a response to the pods known on the node. */
function victimsOn(name: string, victims: Json, { urlPrefix }: ExtenderConfig, { node }: ExtenderPorts): Victims {
  const known = node(name);
  if (known === undefined) throw new Error(`nodeinfo not found for node name ${quote(name)}`);
  const pods = (listOf(victims, 'Pods') ?? []).map((one) => {
    const uid = textOf(one, 'UID');
    const pod = known.pods.get(uid)?.pod;
    if (pod !== undefined) return pod;
    const who = `extender: ${urlPrefix} claims to preempt pod (UID: &{${uid}}) on node: ${name}`;
    throw new Error(`${who}, but the pod is not found on that node`);
  });
  return { pods, pdbViolations: numberOf(victims, 'NumPDBViolations') };
}
