import { typedObject } from '#lib/api/typed.ts';
import type { Node, Pod, Service } from '#lib/api/types/core.v1.ts';
import type { EndpointSlice } from '#lib/api/types/discovery.v1.ts';
import { ENDPOINT_SLICES, NODES, PODS, SERVICES } from '#lib/api/types/resources.ts';
import type { Client } from '#lib/client/client.ts';
import { type Clientset, clientset } from '#lib/client/clientset.ts';
import { forEachAtOnce } from '#lib/client/controller/for-each.ts';
import type { ObjectChange, Reconciler, Result } from '#lib/client/controller/reconciler.ts';
import type { EventCorrelator } from '#lib/client/record/event-correlator.ts';
import { type Recorder, recordEvent } from '#lib/client/record/record-event.ts';
import { nodeNameOf } from '#lib/helpers/component-helpers/pod/node-name.ts';
import { messageOfError } from '#lib/machinery/error-message.ts';
import { type LabelSelector, selectorText } from '#lib/machinery/labels/selector.ts';
import { nameOf, namespaceOf } from '#lib/machinery/meta.ts';
import { splitKey } from '#lib/machinery/namespaced-name.ts';
import { PodSelectors } from '../pod-selectors.ts';
import { TURNS_APART } from '../workload/turns-apart.ts';
import { decideSlices, podsWithoutNode } from './decide.ts';
import { endpointStateOf, isReachable } from './endpoint-of-pod.ts';
import { CONTROLLER, MANAGED_BY, SERVICE_NAME } from './labels.ts';
import type { Changes } from './pack.ts';
import { selectorOf } from './service.ts';
import { changedAt } from './slice.ts';
import { SliceServices } from './slice-services.ts';
import { TriggerTimes } from './trigger-times.ts';
import { writeSlices } from './write.ts';

/** The number of nodes read in parallel. */
const AT_ONCE = 8;

/**
 * Maintains the slices of every service that selects pods: upstream's endpoint slice controller. Changes of pods determine the
 * services to reconcile. Writes are based on live reads.
 */
export function endpointSliceController(client: Client, events: EventCorrelator): Reconciler {
  const controller = new Controller(client, events);
  return {
    name: 'endpointslice',
    apart: TURNS_APART,
    keys: (change) => controller.keys(change),
    reconcile: (key) => controller.reconcile(key),
  };
}

class Controller {
  readonly #client: Clientset;
  readonly #recorder: Recorder;
  readonly #selectors = new PodSelectors(endpointStateOf);
  readonly #triggerTimes = new TriggerTimes();
  readonly #slices = new SliceServices(CONTROLLER);
  /** Services with pods on a node that does not exist, by node name. */
  readonly #awaited = new Map<string, Set<string>>();

  constructor(client: Client, events: EventCorrelator) {
    this.#client = clientset(client);
    const component = 'endpoint-slice-controller';
    this.#recorder = { client, component, apiVersion: 'v1', kind: 'Service', events };
  }

  keys(change: ObjectChange): readonly string[] {
    switch (`${change.group}/${change.resource}`) {
      case '/services':
        return this.#service(change);
      case '/pods':
        return this.#selectors.take(change);
      case '/nodes':
        return change.type === 'DELETED' ? [] : this.#arrived(change.name);
      case 'discovery.k8s.io/endpointslices':
        return this.#slices.take(change);
      default:
        return [];
    }
  }

  #service(change: ObjectChange): readonly string[] {
    const key = `${change.namespace}/${change.name}`;
    const selector = change.type === 'DELETED' ? undefined : selectorOf(typedObject(SERVICES, change.object()));
    this.#selectors.set(change, selector);
    if (change.type === 'DELETED') this.#triggerTimes.delete(key);
    return selector === undefined ? [] : [key];
  }

  #arrived(node: string): readonly string[] {
    const waiting = [...(this.#awaited.get(node) ?? [])];
    this.#awaited.delete(node);
    return waiting;
  }

  async reconcile(key: string): Promise<Result> {
    const { namespace, name } = splitKey(key);
    const service = await this.#client.get({ resource: SERVICES, namespace, name });
    const selector = service === undefined ? undefined : selectorOf(service);
    if (service === undefined || selector === undefined) return undefined;
    const { pods, slices } = await this.#related(namespace, name, selector);
    const nodes = await this.#nodesOf(pods);
    const found = { service, pods, slices, nodes };
    for (const pod of podsWithoutNode(found)) this.#await(nodeNameOf(pod), key);
    const time = this.#triggerTimes.next(key, service, pods);
    const changes = decideSlices(found);
    const timed = (slice: EndpointSlice): EndpointSlice => changedAt(slice, time);
    await this.#write(service, {
      create: changes.create.map(timed),
      update: changes.update.map(timed),
      delete: changes.delete,
    });
    return undefined;
  }

  async #write(service: Service, changes: Changes): Promise<void> {
    try {
      await writeSlices(this.#client, changes);
    } catch (error) {
      const about = `Service ${namespaceOf(service)}/${nameOf(service)}: ${messageOfError(error)}`;
      const message = `Error updating Endpoint Slices for ${about}`;
      await recordEvent(this.#recorder, service, { type: 'Warning', reason: 'FailedToUpdateEndpointSlices', message });
      throw error;
    }
  }

  async #related(namespace: string, name: string, selector: LabelSelector) {
    const own = `${SERVICE_NAME}=${name},${MANAGED_BY}=${CONTROLLER}`;
    const slices = await this.#client.list(ENDPOINT_SLICES, { namespace, labelSelector: own });
    const pods = await this.#client.list(PODS, { namespace, labelSelector: selectorText(selector) });
    return { slices, pods };
  }

  async #nodesOf(pods: readonly Pod[]): Promise<ReadonlyMap<string, Node>> {
    const names = new Set(pods.filter(isReachable).map((pod) => nodeNameOf(pod)));
    names.delete('');
    const nodes = new Map<string, Node>();
    await forEachAtOnce(AT_ONCE, [...names], async (name) => {
      const node = await this.#client.get({ resource: NODES, namespace: '', name });
      if (node !== undefined) nodes.set(name, node);
    });
    return nodes;
  }

  #await(node: string, key: string): void {
    const waiting = this.#awaited.get(node) ?? new Set();
    this.#awaited.set(node, waiting.add(key));
  }
}
