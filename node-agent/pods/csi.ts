import { systemClock as clock } from '#adapters/clock.ts';
import { SocketCSIClients } from '#adapters/node/grpc/csi/clients.ts';
import { CSI_DRIVERS } from '#lib/api/types/resources.ts';
import type { CSIDriver } from '#lib/api/types/storage.v1.ts';
import { aborted } from '#lib/machinery/wait/on-abort.ts';
import { CSINodeRecords } from '#lib/node/volume/csi/node-info.ts';
import { NodeUpdates } from '#lib/node/volume/csi/node-updates.ts';
import { CSIDrivers } from '#lib/node/volume/csi/registration.ts';
import type { PodContext } from './context.ts';

/** Time in ms for which a CSIDriver is cached. Each sync of a pod with a volume reads it. */
const GOOD_FOR = 60_000;

/** The storage drivers of this machine. */
export interface NodeCSI {
  readonly drivers: CSIDrivers;
  readonly records: CSINodeRecords;
  /** Undefined if it does not exist. Throws if the server is unavailable. */
  csiDriver(name: string): Promise<CSIDriver | undefined>;
  /** Queries a driver about this node again, and records the response. */
  update(name: string): Promise<void>;
  /** Maintains the records until the signal aborts. Then closes the connections to drivers. */
  run(signal: AbortSignal): Promise<void>;
}

type CSIContext = Pick<PodContext, 'client' | 'options' | 'log' | 'node'>;

/** Creates the registry of storage drivers. */
export function nodeCSI({ client, options, log, node }: CSIContext): NodeCSI {
  const clients = new SocketCSIClients();
  const onFault = log.fault('cannot record the storage drivers of this node');
  const isRegistered = (): boolean => node.latest.metadata.uid !== undefined;
  const records = new CSINodeRecords({ client, node: options.node, clock, isRegistered, onFault });
  const known = new Map<string, { readonly driver: CSIDriver; readonly at: number }>();
  const csiDriver: NodeCSI['csiDriver'] = async (name) => {
    const before = known.get(name);
    if (before !== undefined && clock.monotonic() - before.at < GOOD_FOR) return before.driver;
    const driver = await client.get({ resource: CSI_DRIVERS, namespace: '', name });
    if (driver === undefined) known.delete(name);
    else known.set(name, { driver, at: clock.monotonic() });
    return driver;
  };
  const update: NodeCSI['update'] = async (name) => records.update(name, await drivers.nodeInfo(name));
  const updates: NodeUpdates = new NodeUpdates({
    clock,
    csiDriver,
    isRegistered: (name) => drivers.has(name),
    update,
    onFault,
  });
  const drivers: CSIDrivers = new CSIDrivers({
    records,
    nodeClient: (endpoint) => clients.nodeClient(endpoint),
    release: (endpoint) => clients.release(endpoint),
    changed: (name) => updates.changed(name),
    onFault,
  });
  return {
    drivers,
    records,
    csiDriver,
    update,
    async run(signal) {
      await Promise.all([records.initialize(signal), aborted(signal)]);
      updates[Symbol.dispose]();
      clients[Symbol.dispose]();
    },
  };
}
