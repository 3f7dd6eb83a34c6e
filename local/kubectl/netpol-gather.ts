import { decodeTyped } from '#lib/api/codec/decode.ts';
import { findResource } from '#lib/api/kinds.ts';
import { typedObject } from '#lib/api/typed.ts';
import type { Pod } from '#lib/api/types/core.v1.ts';
import { NAMESPACES, NETWORK_POLICIES, PODS } from '#lib/api/types/resources.ts';
import { targetPortOn } from '#lib/controllers/endpointslice/service.ts';
import { isPodTerminal } from '#lib/helpers/component-helpers/pod/phase.ts';
import { arrayAt, isObject, type Json, type JsonObject } from '#lib/machinery/json-value.ts';
import type { ResourceOf } from '#lib/machinery/schema.ts';
import { ipAddress } from '#lib/node/networkpolicy/address.ts';
import { type Connection, evaluate, type Verdict } from '#lib/node/networkpolicy/evaluate.ts';
import type { PolicyProblem, Protocol } from '#lib/node/networkpolicy/policy.ts';
import { PolicyIndex } from '#lib/node/networkpolicy/policy-index.ts';
import { StartFault } from '../start-fault.ts';
import type { Kubectl } from './kubectl.ts';
import type { Question } from './netpol-question.ts';

/** One end of a connection: a pod, or an address that belongs to no pod. */
export interface End {
  /** `namespace/name` of the pod, or the address. */
  readonly name: string;
  readonly pod?: Pod;
  readonly addresses: readonly string[];
}

/** The verdict of the policies on one connection. */
export interface Explained extends Connection, Verdict {
  readonly source: End;
  readonly destination: End;
}
/** One verdict for each address family that both ends have, and the parts of policies that have no effect. */
export interface Explanation {
  readonly answers: readonly Explained[];
  readonly problems: readonly PolicyProblem[];
}

/** Requests all objects that affect a connection, and evaluates it. Throws StartFault, KubectlFault. */
export async function explain(ask: Kubectl, question: Question): Promise<Explanation> {
  const all = (ipAddress(question.from) ?? ipAddress(question.to)) ? await list(ask, '/api/v1/pods', PODS) : undefined;
  const [source, destination] = await Promise.all([endOf(ask, question.from, all), endOf(ask, question.to, all)]);
  const port = portOf(destination, question.port, question.protocol);
  const names = [...new Set([source, destination].flatMap(({ pod }) => pod?.metadata.namespace ?? []))];
  const [namespaces, policies] = await Promise.all([
    Promise.all(names.map(async (name) => decoded(NAMESPACES, await ask.get(`/api/v1/namespaces/${name}`)))),
    Promise.all(
      names.map((name) => list(ask, `/apis/networking.k8s.io/v1/namespaces/${name}/networkpolicies`, NETWORK_POLICIES)),
    ),
  ]);
  const pods = [source, destination].flatMap(({ pod }) => pod ?? []);
  const index = new PolicyIndex({ policies: policies.flat(), namespaces, pods });
  const { protocol } = question;
  const answers = pairs(source, destination).map(([from, to]) => {
    const connection = { from, to, port, protocol };
    return { source, destination, ...connection, ...evaluate(index, connection) };
  });
  return { answers, problems: index.problems };
}

/** The pairs of addresses of the same family. */
function pairs(source: End, destination: End): [string, string][] {
  const found = source.addresses.flatMap((from) =>
    destination.addresses
      .filter((to) => ipAddress(from)?.family === ipAddress(to)?.family)
      .map((to): [string, string] => [from, to]),
  );
  if (found.length === 0)
    throw new StartFault(`${source.name} and ${destination.name} have no family of addresses in common`);
  return found;
}

async function endOf(ask: Kubectl, name: string, all: readonly Pod[] | undefined): Promise<End> {
  const address = ipAddress(name)?.text;
  if (address === undefined) return podEnd(await podOf(ask, name));
  const owner = all?.find(
    (pod) => pod.spec.hostNetwork !== true && !isPodTerminal(pod) && addressesOf(pod).includes(address),
  );
  return owner === undefined ? { name: address, addresses: [address] } : { ...podEnd(owner), addresses: [address] };
}

async function podOf(ask: Kubectl, name: string): Promise<Pod> {
  const [namespace = '', pod] = name.split('/');
  if (pod === undefined) return decoded(PODS, await ask.object(['get', 'pod', name]));
  return decoded(PODS, await ask.get(`/api/v1/namespaces/${namespace}/pods/${pod}`));
}

function podEnd(pod: Pod): End {
  const name = `${pod.metadata.namespace}/${pod.metadata.name}`;
  if (isPodTerminal(pod)) throw new StartFault(`pod ${name} has ended, and so it has no address`);
  const addresses = addressesOf(pod);
  if (addresses.length === 0) throw new StartFault(`pod ${name} has no address yet`);
  return { name, pod, addresses };
}

const addressesOf = ({ status }: Pod): string[] => (status.podIPs ?? []).flatMap(({ ip }) => ipAddress(ip)?.text ?? []);

function portOf({ name, pod }: End, port: number | string, protocol: Protocol): number {
  if (typeof port === 'number') return port;
  const number = pod === undefined ? undefined : targetPortOn(pod, { port: 0, targetPort: port, protocol });
  if (number === undefined)
    throw new StartFault(`${name} has no ${protocol} port with the name ${JSON.stringify(port)}`);
  return number;
}

async function list<T extends JsonObject>(ask: Kubectl, path: string, resource: ResourceOf<T>): Promise<T[]> {
  const answer = await ask.get(path);
  return isJsonObject(answer) ? arrayAt(answer, 'items').map((item) => decoded(resource, item)) : [];
}

/** Decodes an object of the server. Throws StartFault for anything else. */
function decoded<T extends JsonObject>(resource: ResourceOf<T>, value: unknown): T {
  const facts = findResource(resource);
  if (facts === undefined || !isJsonObject(value)) throw new StartFault(`the server answers no ${resource.resource}`);
  return typedObject(resource, decodeTyped(facts, value).object);
}

const isJsonObject = (value: unknown): value is JsonObject => isObject(value as Json);
