import type { ParentReference } from '#lib/api/types/networking.v1.ts';
import { defined } from '#lib/machinery/defined.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { newUid } from '#lib/machinery/random.ts';
import { timeOf } from '#lib/machinery/time-at.ts';
import type { StorageOf } from '#lib/storage/storage.ts';
import { type Owner, type Pool, pool } from './pool.ts';
import type { AddressRange } from './ranges.ts';
import { serviceRanges } from './service-cidrs.ts';

const ADDRESSES = { group: 'networking.k8s.io', resource: 'ipaddresses' };
/** Stored next to API kinds, but not served. */
const PORTS = { group: '', resource: 'servicenodeports' };

const parentRef = ({ namespace, name }: Owner): ParentReference => ({ resource: 'services', namespace, name });

const metadata = (name: string, now: Date, labels?: JsonObject): JsonObject => ({
  name,
  uid: newUid(),
  creationTimestamp: timeOf(now),
  ...defined({ labels }),
});

const LABELS: JsonObject = {
  'ipaddress.kubernetes.io/ip-family': 'IPv4',
  'ipaddress.kubernetes.io/managed-by': 'ipallocator.k8s.io',
};

/** The pools of service addresses and node ports. */
export interface Pools {
  readonly addresses: Pool;
  /** The current address ranges. */
  ranges(): Promise<readonly AddressRange[]>;
  readonly ports: Pool;
}

/** The pools of a cluster. `now` is the time of new claims. */
export function servicePools(storageOf: StorageOf, { cluster, now }: { cluster: string; now: Date }): Pools {
  return {
    ranges: () => serviceRanges(storageOf, cluster),
    addresses: pool({
      ...ADDRESSES,
      cluster,
      storage: storageOf(ADDRESSES),
      object: (address, owner) => ({
        kind: 'IPAddress',
        apiVersion: 'networking.k8s.io/v1',
        metadata: metadata(address, now, { ...LABELS }),
        spec: { parentRef: parentRef(owner) },
      }),
    }),
    ports: pool({
      ...PORTS,
      cluster,
      storage: storageOf(PORTS),
      object: (port, owner) => ({ metadata: metadata(port, now), spec: { parentRef: parentRef(owner) } }),
    }),
  };
}
