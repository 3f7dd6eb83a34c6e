import type { Client } from '#lib/client/client.ts';
import { ignore } from '#lib/client/ignore.ts';
import { type JsonObject, objectAt, stringAt } from '#lib/machinery/json-value.ts';
import { isDeleting, nameOf, namespaceOf, uidOf } from '#lib/machinery/meta.ts';
import type { GroupVersionResource } from '#lib/machinery/schema.ts';
import { instantOf, microTimeText } from '#lib/machinery/time.ts';
import { timeOf } from '#lib/machinery/time-at.ts';
import { core, refOf } from '#test/support/controllers/refs.ts';

const LEASES: GroupVersionResource = { group: 'coordination.k8s.io', version: 'v1', resource: 'leases' };
const NODES = core('nodes');
const PODS = core('pods');
const LEASE_NAMESPACE = 'kube-node-lease';
const CAPACITY = { cpu: '32', memory: '64Gi', pods: '110' };
const TYPES = ['MemoryPressure', 'DiskPressure', 'PIDPressure', 'Ready'];
const EVENTS = ['Pulled', 'Created', 'Started'];

const second = (now: number): string => timeOf(new Date(now));

const conditions = (now: number, since: number): JsonObject[] =>
  TYPES.map((type) => ({
    type,
    status: type === 'Ready' ? 'True' : 'False',
    reason: 'Kubelet',
    message: 'as the kubelet says',
    lastHeartbeatTime: second(now),
    lastTransitionTime: second(since),
  }));

/** A node as the API sees its agent: only the requests. */
export class CountedNode {
  readonly #client: Client;
  readonly #name: string;
  readonly #now: () => number;
  #lease: JsonObject | undefined;
  #node: JsonObject | undefined;
  /** The transition time of its conditions. */
  #since = 0;

  constructor(client: Client, name: string, now: () => number) {
    this.#client = client;
    this.#name = name;
    this.#now = now;
  }

  /** Creates the node and its Lease. */
  async register(): Promise<void> {
    this.#since = this.#now();
    const status = { capacity: CAPACITY, allocatable: CAPACITY, conditions: conditions(this.#since, this.#since) };
    const node = (this.#node = await this.#client.create(NODES, { metadata: { name: this.#name }, status }));
    const ownerReferences = [{ apiVersion: 'v1', kind: 'Node', name: this.#name, uid: uidOf(node) }];
    this.#lease = await this.#client.create(LEASES, {
      metadata: { name: this.#name, namespace: LEASE_NAMESPACE, ownerReferences },
      spec: { holderIdentity: this.#name, leaseDurationSeconds: 240, renewTime: this.#renewTime() },
    });
  }

  /** Renews the Lease. */
  async renew(): Promise<void> {
    const spec = { ...objectAt(this.#lease, 'spec'), renewTime: this.#renewTime() };
    const lease = { ...this.#lease, spec };
    this.#lease = await this.#client.update(refOf(LEASES, LEASE_NAMESPACE, this.#name), lease);
  }

  /** Reports the status, which happens every quarter of an hour without changes. Reads the Node if another client has written it. */
  async report(): Promise<void> {
    const ref = refOf(NODES, '', this.#name);
    const written = await this.#write(ref).catch(ignore('Conflict'));
    if (written !== undefined) return;
    this.#node = await this.#client.get(ref);
    await this.#write(ref);
  }

  async #write(ref: ReturnType<typeof refOf>): Promise<JsonObject> {
    const status = { ...objectAt(this.#node, 'status'), conditions: conditions(this.#now(), this.#since) };
    this.#node = await this.#client.update(ref, { ...this.#node, status }, 'status');
    return this.#node;
  }

  /** Does the pending work on the node's pods, and resolves with whether there was any. A list replaces the events of a watch. */
  async sync(): Promise<boolean> {
    const pods = await this.#client.list(PODS, { fieldSelector: `spec.nodeName=${this.#name}` });
    const due = pods.filter((pod) => isDeleting(pod) || stringAt(objectAt(pod, 'status'), 'phase') === 'Pending');
    for (const pod of due) await (isDeleting(pod) ? this.#end(pod) : this.#run(pod));
    return due.length > 0;
  }

  /** A pod of the node. */
  async aPod(): Promise<JsonObject> {
    const [pod] = await this.#client.list(PODS, { fieldSelector: `spec.nodeName=${this.#name}` });
    if (pod === undefined) throw new Error('the node has no pod');
    return pod;
  }

  /** Requests a token for the pod. */
  async token(pod: JsonObject): Promise<void> {
    const [namespace, name] = [namespaceOf(pod), nameOf(pod)];
    const account = stringAt(objectAt(pod, 'spec'), 'serviceAccountName') ?? 'default';
    const boundObjectRef = { apiVersion: 'v1', kind: 'Pod', name, uid: uidOf(pod) };
    const spec = { audiences: [], expirationSeconds: 3607, boundObjectRef };
    await this.#client.create(core('serviceaccounts'), { metadata: { name: account, namespace }, spec }, 'token');
  }

  /** Runs a pod, from the token request until it is ready. */
  async #run(pod: JsonObject): Promise<void> {
    await this.token(pod);
    await this.#client.get(refOf(core('configmaps'), namespaceOf(pod), 'kube-root-ca.crt'));
    await this.#tell(pod, { phase: 'Pending', conditions: this.#podConditions('False') });
    for (const reason of EVENTS) await this.#record(pod, reason);
    await this.#tell(pod, { phase: 'Running', podIP: '10.0.0.9', conditions: this.#podConditions('True') });
  }

  async #end(pod: JsonObject): Promise<void> {
    const ref = refOf(PODS, namespaceOf(pod), nameOf(pod));
    await this.#record(pod, 'Killing');
    await this.#tell(pod, { phase: 'Running', conditions: this.#podConditions('False') });
    await this.#client.delete(ref, { uid: uidOf(pod), gracePeriodSeconds: 0 });
  }

  async #tell(pod: JsonObject, status: JsonObject): Promise<void> {
    const ref = refOf(PODS, namespaceOf(pod), nameOf(pod));
    await this.#client.get(ref);
    await this.#client.patch(ref, { metadata: { uid: uidOf(pod) }, status }, 'status');
  }

  async #record(pod: JsonObject, reason: string): Promise<void> {
    const [namespace, name] = [namespaceOf(pod), nameOf(pod)];
    const at = second(this.#now());
    await this.#client.create(core('events'), {
      metadata: { name: `${name}.${reason.toLowerCase()}`, namespace },
      involvedObject: { apiVersion: 'v1', kind: 'Pod', namespace, name, uid: uidOf(pod) },
      reason,
      message: `as the kubelet says of ${name}`,
      source: { component: 'kubelet', host: this.#name },
      type: 'Normal',
      count: 1,
      firstTimestamp: at,
      lastTimestamp: at,
    });
  }

  #podConditions(ready: string): JsonObject[] {
    const lastTransitionTime = second(this.#now());
    return ['Ready', 'ContainersReady'].map((type) => ({ type, status: ready, lastTransitionTime }));
  }

  #renewTime(): string {
    return microTimeText(instantOf(new Date(this.#now()))) ?? '';
  }
}
