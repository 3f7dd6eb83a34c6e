import { countingClient } from '#adapters/aws/dynamodb/counting-client.ts';
import { buildApiserver } from '#functions/apiserver/wiring.ts';
import { buildStream, type Stream } from '#functions/stream/wiring.ts';
import { type ApiClientOptions, apiClient } from '#lib/client/api-client.ts';
import type { Client } from '#lib/client/client.ts';
import { listWatch } from '#lib/client/list-watch.ts';
import { bootstrapOnce } from '#lib/controllers/bootstrap/first-start.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { nameOf, namespaceOf } from '#lib/machinery/meta.ts';
import type { GroupVersionResource } from '#lib/machinery/schema.ts';
import { News } from '#lib/node/kubelet/looks/news.ts';
import type { User } from '#lib/server/authentication/user.ts';
import type { Backends } from '#lib/server/channel/backends.ts';
import { decodeLook } from '#lib/server/channel/look.ts';
import { LOOKS, NOTIFICATIONS } from '#lib/server/channel/notification.ts';
import type { ApiResponse } from '#lib/server/endpoints/api.ts';
import { GIT_VERSION } from '#lib/server/endpoints/version.ts';
import type { ApiRequest } from '#lib/server/request/api-request.ts';
import { ManualClock } from '#lib/storage/memory/manual-clock.ts';
import { MemoryStore } from '#lib/storage/memory/store.ts';
import type { SequenceStore } from '#lib/storage/sequence.ts';
import { MemoryDeadLetters } from '#lib/stream/memory-dead-letters.ts';
import type { NodeNotification } from '#lib/stream/notifications.ts';
import { core, refOf } from '#test/support/controllers/refs.ts';
import type { TableCounts } from '#test/support/cost/counter.ts';
import { openServer, openStorage } from '#test/support/cost/process.ts';
import { MemoryTable } from '#test/support/dynamodb-local/memory-table.ts';
import { settled } from '#test/support/settled.ts';
import { ConnectionTable } from './connection-table.ts';

const PODS = core('pods');
const GROUP = 'discovery.k8s.io';
const SLICES: GroupVersionResource = { group: GROUP, version: 'v1', resource: 'endpointslices' };
const RBAC: GroupVersionResource = { group: 'rbac.authorization.k8s.io', version: 'v1', resource: '' };
const NOTHING: TableCounts = { reads: 0, writes: 0, readUnits: 0, writeUnits: 0 };
const RETENTION = 3_600_000;
const SECOND = 1_000;
/** Resources whose changes the doorbell sends notifications for. */
const RUNG = /\/(pods|secrets|configmaps|services|endpointslices)(\/|$)/;

/** How notifications are delivered. */
export interface Weather {
  /** Delivers a notification now, later, twice or never. */
  carry(ring: NodeNotification, deliver: () => void): void;
}

const FAIR: Weather = { carry: (_, deliver) => deliver() };

/** The number of nodes, how notifications are delivered, and whether objects are in a table that counts its calls. */
export interface FleetOptions {
  readonly size: number;
  readonly weather?: Weather;
  readonly isCounted?: boolean;
  /** The networks of nodes follow EndpointSlices. */
  readonly hasNetwork?: boolean;
}

/**
 * Agents without watches, an API server and a doorbell in one process. Each node runs the pods that it sees, which means that it writes one
 * status. Connections are in a separate table that counts its calls.
 */
export class Fleet {
  readonly clock = new ManualClock();
  /** The numbers of notifications to nodes, and of requests from nodes by type. */
  readonly counts = { rings: 0, looks: 0, lists: 0, writes: 0 };
  /** How nodes read EndpointSlices: the number of lists, of requests for changes, and of changes. */
  readonly slices = { lists: 0, requests: 0, changes: 0 };
  readonly nodes: readonly News[];
  /** The client of the table of connections. */
  readonly connections: ReturnType<typeof countingClient>;
  /** Calls to the tables of the API server and the doorbell since the last call, if they are counted. */
  readonly taken: () => Readonly<Record<'apiserver' | 'doorbell', TableCounts>>;
  readonly admin: Client;
  readonly #stream: Stream;
  readonly #handle: (request: ApiRequest) => Promise<ApiResponse>;
  readonly #weather: Weather;
  readonly #ending = new AbortController();
  readonly #running: Promise<unknown>[] = [];
  readonly #committed = new Set<string>();
  readonly #connected = Promise.withResolvers<void>();
  #inFlight = 0;

  static async start(options: FleetOptions): Promise<Fleet> {
    const fleet = new Fleet(options);
    await bootstrapOnce(fleet.admin, { host: 'example.com', port: 443 }, GIT_VERSION);
    await fleet.admin.create(core('serviceaccounts'), { metadata: { name: 'default', namespace: 'default' } });
    if (options.hasNetwork === true) await fleet.#allowNetworks();
    for (const node of fleet.nodes) node.take({ connected: true, features: [NOTIFICATIONS, LOOKS] });
    fleet.#connected.resolve();
    await fleet.pass(20);
    fleet.forget();
    return fleet;
  }

  private constructor({ size, weather = FAIR, isCounted = false, hasNetwork = false }: FleetOptions) {
    const { clock } = this;
    this.#weather = weather;
    this.connections = countingClient(new MemoryTable());
    const nodes = new ConnectionTable(this.connections.table);
    const names = Array.from({ length: size }, (_, i) => `n${i}`);
    const { handle, store, taken } = this.#open(names, nodes, isCounted);
    this.taken = taken;
    this.#handle = handle;
    const deadLetters = new MemoryDeadLetters();
    const sink = { send: async () => [] };
    const rings = { nodes, sender: { ring: async (one: NodeNotification) => this.#ring(one) } };
    const parts = { store, bus: sink, queue: sink, deadLetters, clock, clusterId: 'x', publish: [], rings };
    this.#stream = buildStream({ ...parts, reconcilers: [] });
    this.admin = this.#client('admin');
    this.nodes = names.map((name) => this.#start(name, hasNetwork));
  }

  #open(names: readonly string[], interests: ConnectionTable, isCounted: boolean) {
    const { clock } = this;
    const backends: Backends = {
      roundTripper: { send: () => Promise.reject(new Error('no kubelet is asked')) },
      preferredAddressTypes: [],
      interests,
    };
    const users = new Map<string, User>([
      ['admin', { name: 'admin', groups: ['system:masters', 'system:authenticated'] }],
    ]);
    for (const name of names)
      users.set(name, { name: `system:node:${name}`, groups: ['system:nodes', 'system:authenticated'] });
    if (isCounted) {
      const kms = {
        encrypt: async (key: Uint8Array) => ({ encrypted: key, keyId: 'key' }),
        decrypt: async (encrypted: Uint8Array) => encrypted,
      };
      const shared = { table: new MemoryTable(), clock, kms, onCommit: () => undefined };
      const [front, doorbell] = [openStorage(shared), openStorage(shared)];
      const taken = () => ({ apiserver: front.taken(), doorbell: doorbell.taken() });
      return { ...openServer(front, clock, users, backends), store: doorbell.store, taken };
    }
    const store: SequenceStore = new MemoryStore({ clock, retention: RETENTION });
    const { handle } = buildApiserver({
      store,
      clock,
      exclusive: false,
      cacheBytes: 2 ** 27,
      serverAddress: 'example.com:443',
      tokens: users,
      backends,
      reportFault: (_, error) => {
        throw error;
      },
    });
    return { handle, store, taken: () => ({ apiserver: NOTHING, doorbell: NOTHING }) };
  }

  /** Completes all work that is due now. */
  async settle(): Promise<void> {
    for (let quiet = 0; quiet < 5; quiet++) {
      await settled();
      if (this.#inFlight > 0) quiet = 0;
      if (this.#committed.size === 0 || this.#inFlight > 0) continue;
      const ring = [...this.#committed];
      this.#committed.clear();
      const { lag, faults, rung } = await this.#stream.handle({ ring }, { hasTime: () => true });
      if (lag + faults.length + (rung?.faults ?? 0) > 0) throw new Error('the doorbell', { cause: faults[0]?.error });
      quiet = 0;
    }
  }

  /** Advances the time by this many seconds. */
  async pass(seconds: number): Promise<void> {
    await this.settle();
    for (let i = 0; i < seconds; i++) {
      this.clock.advance(SECOND);
      await this.settle();
    }
  }

  /** Resets the counts. */
  forget(): void {
    Object.assign(this.counts, { rings: 0, looks: 0, lists: 0, writes: 0 });
    Object.assign(this.slices, { lists: 0, requests: 0, changes: 0 });
    this.connections.reset();
    this.taken();
  }

  /** Creates or updates an EndpointSlice with a hundred endpoints. `turn` makes its contents unique. */
  async setSlice(name: string, turn: number): Promise<void> {
    const endpoints = Array.from({ length: 100 }, (_, i) => ({
      addresses: [`10.1.${turn % 250}.${i + 1}`],
      conditions: { ready: true, serving: true, terminating: false },
    }));
    const metadata = { name, namespace: 'default', labels: { 'kubernetes.io/service-name': name } };
    const slice = { metadata, addressType: 'IPv4', ports: [{ name: 'http', port: 80, protocol: 'TCP' }], endpoints };
    if (turn === 0) await this.admin.create(SLICES, slice);
    else await this.admin.patch(refOf(SLICES, 'default', name), { endpoints });
  }

  /** Creates a pod, on the given node if there is one. */
  async createPod(name: string, nodeName = '', spec: JsonObject = {}): Promise<void> {
    const containers = [{ name: 'main', image: 'example.com/web' }];
    const metadata = { name, namespace: 'default' };
    await this.admin.create(PODS, { metadata, spec: { containers, ...spec, ...(nodeName !== '' && { nodeName }) } });
  }

  /** Names of pods that do not run. */
  async waiting(): Promise<readonly string[]> {
    const pods = await this.admin.list(PODS);
    return pods.filter((pod) => Object(pod['status']).phase !== 'Running').map(nameOf);
  }

  /** The number of lost notifications that nodes detected, over all types. */
  get lost(): number {
    const families = this.nodes.flatMap((node) => node.metrics.collect());
    const lost = families.filter(({ name }) => name === 'davit_node_agent_lost_rings_total');
    return lost.flatMap(({ samples }) => samples).reduce((sum, { value }) => sum + value, 0);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#ending.abort();
    await Promise.all(this.#running);
  }

  #ring(one: NodeNotification): void {
    this.counts.rings++;
    const news = this.nodes[Number(one.to.node.slice(1))];
    this.#weather.carry(one, () => news?.ring({ ...one.ring }));
  }

  async #request(request: ApiRequest): Promise<ApiResponse> {
    this.#inFlight++;
    try {
      const answer = await this.#handle(request);
      const rung = request.method === 'GET' ? undefined : RUNG.exec(request.path)?.[1];
      if (rung !== undefined) this.#committed.add(`main/${rung === SLICES.resource ? GROUP : ''}/${rung}`);
      return answer;
    } finally {
      this.#inFlight--;
    }
  }

  #client(token: string): Client {
    return apiClient({ handle: (request) => this.#request(request), token, userAgent: 'test' });
  }

  #start(name: string, hasNetwork: boolean): News {
    const { signal } = this.#ending;
    const client = this.#client(name);
    const path = `/apis/node.davit.dev/v1/nodes/${name}/look`;
    const news = new News({
      look: async (known) => {
        this.counts.looks++;
        return decodeLook(await client.document(`${path}?${new URLSearchParams(known).toString()}`));
      },
      clock: this.clock,
      random: () => Number(name.slice(1)) / 1_000,
      frequency: undefined,
      onFault: (error) => {
        throw error;
      },
    });
    const requests = { handle: (request: ApiRequest) => this.#request(request), token: name, userAgent: 'test' };
    const pods = listWatch(requests, PODS, '', `spec.nodeName=${name}`);
    const from = news.listWatch('pods', {
      list: (options) => {
        this.counts.lists++;
        return pods.list(options);
      },
      watch: (at) => pods.watch(at),
    });
    const follow = async (): Promise<void> => {
      await from.list({ limit: 500, next: '' });
      for await (const { type, object } of from.watch({ version: '1', timeout: 300, signal }))
        if (type === 'ADDED') await this.#run(client, object);
    };
    const begin = async (): Promise<void> => {
      await this.#connected.promise;
      await Promise.all([follow(), hasNetwork ? this.#followSlices(news, requests) : undefined, news.run(signal)]);
    };
    this.#running.push(begin());
    return news;
  }

  async #followSlices(news: News, requests: ApiClientOptions): Promise<void> {
    const slices = listWatch(requests, SLICES, '');
    const from = news.listWatch('endpointslices', {
      list: (options) => {
        this.slices.lists++;
        return slices.list(options);
      },
      watch: (at) => {
        this.slices.requests++;
        return slices.watch(at);
      },
    });
    const { version } = await from.list({ limit: 500, next: '' });
    for await (const { type } of from.watch({ version, timeout: 300, signal: this.#ending.signal }))
      if (type !== 'BOOKMARK') this.slices.changes++;
  }

  async #allowNetworks(): Promise<void> {
    const rules = [{ apiGroups: [GROUP], resources: ['endpointslices'], verbs: ['list', 'watch'] }];
    await this.admin.create({ ...RBAC, resource: 'clusterroles' }, { metadata: { name: 'network' }, rules });
    const subjects = [{ apiGroup: RBAC.group, kind: 'Group', name: 'system:nodes' }];
    const roleRef = { apiGroup: RBAC.group, kind: 'ClusterRole', name: 'network' };
    const binding = { metadata: { name: 'network' }, roleRef, subjects };
    await this.admin.create({ ...RBAC, resource: 'clusterrolebindings' }, binding);
  }

  async #run(client: Client, pod: JsonObject): Promise<void> {
    this.counts.writes++;
    const conditions = [{ type: 'Ready', status: 'True' }];
    const ref = refOf(PODS, namespaceOf(pod), nameOf(pod));
    await client.patch(ref, { status: { phase: 'Running', podIP: '10.0.0.9', conditions } }, 'status');
  }
}
