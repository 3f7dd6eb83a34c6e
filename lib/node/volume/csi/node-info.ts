import { typedObject } from '#lib/api/typed.ts';
import type { Node } from '#lib/api/types/core.v1.ts';
import { CSI_NODES, NODES } from '#lib/api/types/resources.ts';
import type { CSINode, CSINodeDriver } from '#lib/api/types/storage.v1.ts';
import type { Clientset } from '#lib/client/clientset.ts';
import { PLUGINS } from '#lib/helpers/csi-translation/plugins.ts';
import { aggregateText } from '#lib/machinery/aggregate.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import { messageOfError } from '#lib/machinery/error-message.ts';
import { quote } from '#lib/machinery/go.ts';
import { MAX_INT32 } from '#lib/machinery/integer-limits.ts';
import { delayAfter } from '#lib/machinery/wait/backoff.ts';
import { retryOnError } from '#lib/machinery/wait/retry-on-error.ts';
import { nodeIDs, withNodeID } from './node-annotation.ts';
import type { DriverNodeInfo, DriverRecords } from './registration.ts';

/** The attempts of an update, with delays in ms. Same as upstream. */
const UPDATE = { duration: 10, factor: 5, steps: 4 };
/** Delay in ms between attempts to create the CSINode. */
const INITIAL = { duration: 1000, factor: 2, cap: 60_000 };
/** The annotation of a CSINode with the in-tree plugins that are migrated to CSI drivers. */
const MIGRATED = 'storage.alpha.kubernetes.io/migrated-plugins';
/** The annotation of a Node with its ids by driver, as JSON. */
const NODE_IDS = 'csi.volume.kubernetes.io/nodeid';
const MIGRATED_PLUGINS = PLUGINS.map(({ name }) => name).toSorted();

/** The settings and ports of CSINodeRecords. */
export interface CSINodeRecordsOptions {
  readonly client: Clientset;
  readonly node: string;
  readonly clock: Clock;
  /** Whether the agent has registered its Node. */
  isRegistered(): boolean;
  onFault(error: unknown): void;
}

/** Records drivers in the Node and the CSINode (upstream: nodeInfoManager). Changes are made one at a time. */
export class CSINodeRecords implements DriverRecords {
  readonly #options: CSINodeRecordsOptions;
  #last: Promise<unknown> = Promise.resolve();
  #woken = new AbortController();
  #fault: string | undefined = 'CSINode is not yet initialized';

  constructor(options: CSINodeRecordsOptions) {
    this.#options = options;
  }

  /** The reason why the node is not ready, or undefined after its CSINode exists. */
  get fault(): string | undefined {
    return this.#fault;
  }

  /** Creates or corrects the node's CSINode. Retries until it succeeds or the signal aborts. Never rejects. */
  async initialize(signal: AbortSignal): Promise<void> {
    const { clock, onFault, isRegistered } = this.#options;
    for (let failures = 1; !signal.aborted; failures++) {
      this.#woken = new AbortController();
      const hasNode = isRegistered();
      try {
        await this.#afterOthers(() => this.#attempts('error updating CSINode annotation', () => this.#ensureCSINode()));
        this.#fault = undefined;
        return;
      } catch (error) {
        this.#fault = `failed to initialize CSINode: ${messageOfError(error)}`;
        if (hasNode) onFault(error); // a new machine waits for its Node, which is not an error
      }
      await clock.sleep(delayAfter(failures, INITIAL), AbortSignal.any([signal, this.#woken.signal]));
    }
  }

  /** Called when the Node is registered, so that the CSINode can be created. */
  wake(): void {
    this.#woken.abort();
  }

  install(driver: string, info: DriverNodeInfo): Promise<void> {
    return this.#afterOthers(async () => {
      if (info.nodeID === '') throw new Error('error adding CSI driver node info: driverNodeID must not be empty');
      await labelled('error updating Node object with CSI driver node info: ', () =>
        this.#attempts('error updating node', () => this.#patchNode((node) => withDriver(node, driver, info))),
      );
      await this.#update(driver, info);
    });
  }

  /** Records a changed limit or topology of a driver. */
  update(driver: string, info: DriverNodeInfo): Promise<void> {
    return this.#afterOthers(() => this.#update(driver, info));
  }

  uninstall(driver: string): Promise<void> {
    return this.#afterOthers(async () => {
      await labelled('error uninstalling CSI driver from CSINode object ', () =>
        this.#attempts('error updating CSINode', () => this.#uninstallDriver(driver)),
      );
      await labelled('error removing CSI driver node info from Node object ', () =>
        this.#attempts('error updating node', () => this.#patchNode((node) => withoutDriver(node, driver))),
      );
    });
  }

  /** Serializes changes: a driver that restarts is removed before it is recorded again. */
  #afterOthers(run: () => Promise<void>): Promise<void> {
    const done = this.#last.then(run);
    this.#last = done.catch(() => undefined);
    return done;
  }

  #update(driver: string, info: DriverNodeInfo): Promise<void> {
    return labelled('error updating CSINode object with CSI driver node info: ', () =>
      this.#attempts('error updating CSINode', () => this.#installDriver(driver, info)),
    );
  }

  /** Retries until it succeeds, with at most four attempts. */
  async #attempts(prefix: string, run: () => Promise<unknown>): Promise<void> {
    const failures: string[] = [];
    const isRetriable = (error: unknown): boolean => failures.push(messageOfError(error)) > 0;
    await retryOnError(run, UPDATE, { clock: this.#options.clock, isRetriable }).catch((cause: unknown) => {
      const all = aggregateText([...failures, messageOfError(cause)]);
      throw new Error(`${prefix}: timed out waiting for the condition; caused by: ${all}`, { cause });
    });
  }

  async #node(): Promise<Node> {
    const { client, node: name } = this.#options;
    const node = await client.get({ resource: NODES, namespace: '', name });
    if (node === undefined) throw new Error(`nodes ${quote(name)} not found`);
    return node;
  }

  async #patchNode(change: (node: Node) => NodeChange | undefined): Promise<void> {
    const changed = change(await this.#node());
    if (changed === undefined) return;
    const ref = { resource: NODES, namespace: '', name: this.#options.node };
    await this.#options.client.patch(ref, { metadata: { ...changed } }, 'status');
  }

  /** The CSINode of this node, created if it is missing. Rejects after it deleted one of an earlier node with the same name. */
  async #ensureCSINode(): Promise<CSINode> {
    const { client, node: name } = this.#options;
    const uid = (await this.#node()).metadata.uid ?? '';
    const ref = { resource: CSI_NODES, namespace: '', name };
    const found = await client.get(ref);
    if (found === undefined) return client.create(CSI_NODES, newCSINode(name, uid));
    const owners = (found.metadata.ownerReferences ?? []).filter(({ kind }) => kind === 'Node');
    if (owners.some((owner) => owner.name === name && owner.uid === uid)) {
      const annotated = withMigrated(found);
      return annotated === undefined ? found : client.update(ref, annotated);
    }
    await client.delete(ref);
    const ids = `oldNodeID=${quote(owners.at(-1)?.uid ?? '')}, newNodeID=${quote(uid)}`;
    throw new Error(`CSINode ${quote(name)} was owned by different node (${ids}), deleted it`);
  }

  async #installDriver(name: string, info: DriverNodeInfo): Promise<void> {
    const csiNode = await this.#ensureCSINode();
    const wanted = driverOf(name, info);
    const drivers = csiNode.spec.drivers ?? [];
    const before = drivers.find((driver) => driver.name === name);
    if (before !== undefined && sameDriver(before, wanted)) return;
    const spec = { drivers: [...drivers.filter((driver) => driver.name !== name), wanted] };
    await this.#replace({ ...csiNode, spec });
  }

  async #uninstallDriver(name: string): Promise<void> {
    const { client, node } = this.#options;
    const csiNode = await client.get({ resource: CSI_NODES, namespace: '', name: node });
    const drivers = csiNode?.spec.drivers ?? [];
    const left = drivers.filter((driver) => driver.name !== name);
    if (csiNode !== undefined && left.length < drivers.length)
      await this.#replace({ ...csiNode, spec: { drivers: left } });
  }

  async #replace(csiNode: CSINode): Promise<void> {
    await this.#options.client.update({ resource: CSI_NODES, namespace: '', name: this.#options.node }, csiNode);
  }
}

async function labelled(prefix: string, run: () => Promise<void>): Promise<void> {
  try {
    await run();
  } catch (error) {
    throw new Error(`${prefix}${messageOfError(error)}`, { cause: error });
  }
}

interface NodeChange {
  readonly annotations?: Readonly<Record<string, string | null>>;
  readonly labels?: Readonly<Record<string, string>>;
}

/** The change of the Node for a driver: its annotation and labels. Throws if another driver reports a different topology. */
function withDriver({ metadata }: Node, driver: string, { nodeID, topology }: DriverNodeInfo): NodeChange | undefined {
  const { labels = {}, annotations = {} } = metadata;
  const ids = withNodeID(nodeIDs(annotations[NODE_IDS]), driver, nodeID);
  const annotated = ids === undefined ? {} : { annotations: { [NODE_IDS]: ids } };
  for (const [key, value] of Object.entries(topology)) {
    const before = Object.hasOwn(labels, key) ? labels[key] : undefined;
    if (before === undefined || before === value) continue;
    const [told, has] = [`${quote(key)}:${quote(value)}`, `${quote(key)}:${quote(before)}`];
    throw new Error(`detected topology value collision: driver reported ${told} but existing label is ${has}`);
  }
  const isNew = Object.entries(topology).some(([key, value]) => !Object.hasOwn(labels, key) || labels[key] !== value);
  if (ids === undefined && !isNew) return undefined;
  return { ...annotated, ...(isNew ? { labels: topology } : {}) };
}

function withoutDriver({ metadata: { annotations = {} } }: Node, driver: string): NodeChange | undefined {
  const ids = withNodeID(nodeIDs(annotations[NODE_IDS]), driver, undefined);
  return ids === undefined ? undefined : { annotations: { [NODE_IDS]: ids === '' ? null : ids } };
}

const newCSINode = (name: string, uid: string): CSINode =>
  typedObject(CSI_NODES, {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'CSINode',
    metadata: {
      name,
      annotations: { [MIGRATED]: MIGRATED_PLUGINS.join(',') },
      ownerReferences: [{ apiVersion: 'v1', kind: 'Node', name, uid }],
    },
    spec: { drivers: [] },
  });

/** The CSINode with the migrated plugins, or undefined if it has them. */
function withMigrated(csiNode: CSINode): CSINode | undefined {
  const { annotations = {} } = csiNode.metadata;
  const before = new Set((annotations[MIGRATED] ?? '').split(',').filter((name) => name !== ''));
  if (before.size === MIGRATED_PLUGINS.length && MIGRATED_PLUGINS.every((name) => before.has(name))) return undefined;
  return {
    ...csiNode,
    metadata: { ...csiNode.metadata, annotations: { ...annotations, [MIGRATED]: MIGRATED_PLUGINS.join(',') } },
  };
}

const driverOf = (name: string, { nodeID, maxVolumes, topology }: DriverNodeInfo): CSINodeDriver => ({
  name,
  nodeID,
  topologyKeys: Object.keys(topology).toSorted(),
  ...(maxVolumes > 0 ? { allocatable: { count: Math.min(maxVolumes, MAX_INT32) } } : {}),
});

function sameDriver(one: CSINodeDriver, two: CSINodeDriver): boolean {
  const [keys, others] = [new Set(one.topologyKeys), new Set(two.topologyKeys)];
  return (
    one.nodeID === two.nodeID &&
    keys.size === others.size &&
    keys.isSubsetOf(others) &&
    one.allocatable?.count === two.allocatable?.count
  );
}
