import { typedObject } from '#lib/api/typed.ts';
import type { Endpoints } from '#lib/api/types/core.v1.ts';
import { ENDPOINTS, PODS, SERVICES } from '#lib/api/types/resources.ts';
import type { Client, ObjectRef } from '#lib/client/client.ts';
import { type Clientset, clientset, type RefOf } from '#lib/client/clientset.ts';
import type { ObjectChange, Reconciler, Result } from '#lib/client/controller/reconciler.ts';
import { ignoreNotFound } from '#lib/client/ignore.ts';
import type { EventCorrelator } from '#lib/client/record/event-correlator.ts';
import { type Recorder, recordEvent } from '#lib/client/record/record-event.ts';
import { messageOfError } from '#lib/machinery/error-message.ts';
import { selectorText } from '#lib/machinery/labels/selector.ts';
import { annotationsOf, nameOf, namespaceOf, uidOf } from '#lib/machinery/meta.ts';
import { splitKey } from '#lib/machinery/namespaced-name.ts';
import { createInNamespace } from '../create-in-namespace.ts';
import { endpointStateOf } from '../endpointslice/endpoint-of-pod.ts';
import { selectorOf } from '../endpointslice/service.ts';
import { TriggerTimes } from '../endpointslice/trigger-times.ts';
import { PodSelectors } from '../pod-selectors.ts';
import { TURNS_APART } from '../workload/turns-apart.ts';
import { decideEndpoints } from './decide.ts';

const LEADER = 'control-plane.alpha.kubernetes.io/leader';
/** The key that finds Endpoints whose service was deleted while no controller ran. */
const LEFTOVERS = 'leftovers';

/** Maintains the Endpoints of every service that selects pods, and deletes those of deleted services: upstream's endpoints controller. */
export function endpointsController(client: Client, events: EventCorrelator): Reconciler {
  const controller = new Controller(client, events);
  return {
    name: 'endpoint',
    initial: [LEFTOVERS],
    apart: TURNS_APART,
    keys: (change) => controller.keys(change),
    reconcile: (key) => (key === LEFTOVERS ? controller.leftovers() : controller.reconcile(key)),
  };
}

class Controller {
  readonly #client: Clientset;
  readonly #recorder: Recorder;
  readonly #selectors = new PodSelectors(endpointStateOf);
  readonly #triggerTimes = new TriggerTimes();

  constructor(client: Client, events: EventCorrelator) {
    this.#client = clientset(client);
    this.#recorder = { client, component: 'endpoint-controller', apiVersion: 'v1', kind: 'Endpoints', events };
  }

  keys(change: ObjectChange): readonly string[] {
    const key = `${change.namespace}/${change.name}`;
    switch (`${change.group}/${change.resource}`) {
      case '/services':
        return this.#service(change, key);
      case '/pods':
        return this.#selectors.take(change);
      case '/endpoints':
        return change.type === 'DELETED' && this.#selectors.has(change) ? [key] : [];
      default:
        return [];
    }
  }

  #service(change: ObjectChange, key: string): readonly string[] {
    const isGone = change.type === 'DELETED';
    const selector = isGone ? undefined : selectorOf(typedObject(SERVICES, change.object()));
    this.#selectors.set(change, selector);
    if (isGone) this.#triggerTimes.delete(key);
    return isGone || selector !== undefined ? [key] : [];
  }

  async reconcile(key: string): Promise<Result> {
    const { namespace, name } = splitKey(key);
    const service = await this.#client.get({ resource: SERVICES, namespace, name });
    const ref = { resource: ENDPOINTS, namespace, name };
    if (service === undefined) return this.#end(ref, await this.#client.get(ref));
    const selector = selectorOf(service);
    if (selector === undefined) return undefined;
    const pods = await this.#client.list(PODS, { namespace, labelSelector: selectorText(selector) });
    const current = await this.#client.get(ref);
    const next = decideEndpoints(service, pods, current, this.#triggerTimes.next(key, service, pods));
    if (next === undefined) return undefined;
    await this.#write(ref, next, current === undefined);
    return undefined;
  }

  async #write(ref: RefOf<Endpoints>, next: Endpoints, isNew: boolean): Promise<void> {
    try {
      if (isNew) await createInNamespace(this.#client, ENDPOINTS, next);
      else await this.#client.update(ref, next);
    } catch (error) {
      const service = `${ref.namespace}/${ref.name}: ${messageOfError(error)}`;
      const event = isNew
        ? { reason: 'FailedToCreateEndpoint', message: `Failed to create endpoint for service ${service}` }
        : { reason: 'FailedToUpdateEndpoint', message: `Failed to update endpoint ${service}` };
      await recordEvent(this.#recorder, next, { type: 'Warning', ...event });
      throw error;
    }
  }

  async #end(ref: ObjectRef, endpoints: Endpoints | undefined): Promise<Result> {
    if (endpoints === undefined) return undefined;
    await this.#client.delete(ref, { uid: uidOf(endpoints) }).catch(ignoreNotFound);
    return undefined;
  }

  /** Deletes Endpoints without a service, except leader election locks, which never had one. */
  async leftovers(): Promise<Result> {
    for (const endpoints of await this.#client.list(ENDPOINTS)) {
      if (Object.hasOwn(annotationsOf(endpoints), LEADER)) continue;
      const place = { namespace: namespaceOf(endpoints), name: nameOf(endpoints) };
      if (this.#selectors.has(place)) continue;
      const service = await this.#client.get({ resource: SERVICES, ...place });
      if (service === undefined) await this.#end({ resource: ENDPOINTS, ...place }, endpoints);
    }
    return undefined;
  }
}
