import { typedObject } from '#lib/api/typed.ts';
import type { Service } from '#lib/api/types/core.v1.ts';
import type { IPAddress, ServiceCIDR } from '#lib/api/types/networking.v1.ts';
import { IP_ADDRESSES, SERVICE_CIDRS, SERVICES } from '#lib/api/types/resources.ts';
import type { ObjectChange } from '#lib/client/controller/reconciler.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import type { Prefix } from '#lib/machinery/net/prefix.ts';
import type { ResourceOf } from '#lib/machinery/schema.ts';
import type { Allocation } from '#lib/server/registry/kinds/core/service/allocation.ts';
import { holderIn } from '#lib/server/registry/kinds/core/service/allocator/pool.ts';
import { networksOf } from '../service-cidrs/decide.ts';
import { holdings, isGiven, isLabelled, isManaged, parentOf } from './decide.ts';

const NOTHING: Allocation = { clusterIPs: [], nodePorts: [] };

/** Keys: `service/here/db`, `address/10.96.0.7`, `port/30080`. */
const serviceKey = (service: string): string => `service/${service}`;
const addressKey = (ip: string): string => `address/${ip}`;
const portKey = (port: string | number): string => `port/${port}`;

interface Address {
  /** The service that it names. */
  readonly parent: string | undefined;
  readonly isManaged: boolean;
  readonly isLabelled: boolean;
}

/**
 * The values that services use and those that are allocated, from changes. If both agree, no read is needed. The view may lag,
 * so a disagreement only selects a key to reconcile.
 */
export class Relations {
  readonly #services = new Map<string, Allocation>();
  readonly #addresses = new Map<string, Address>();
  readonly #ports = new Map<string, string>();
  readonly #networks = new Map<string, readonly Prefix[]>();
  /** The holders by `addressKey` or `portKey`. */
  readonly #holders = new Map<string, Set<string>>();

  /** Applies a change. Returns the keys that it concerns. */
  take(change: ObjectChange): readonly string[] {
    switch (`${change.group}/${change.resource}`) {
      case '/services':
        return this.#service(`${change.namespace}/${change.name}`, present(SERVICES, change));
      case 'networking.k8s.io/ipaddresses':
        return this.#address(change.name, present(IP_ADDRESSES, change));
      case '/servicenodeports':
        return this.#port(change.name, change.type === 'DELETED' ? undefined : change.object());
      case 'networking.k8s.io/servicecidrs':
        return this.#network(change.name, present(SERVICE_CIDRS, change));
      default:
        return [];
    }
  }

  #service(service: string, object: Service | undefined): string[] {
    const before = keysOf(this.#services.get(service) ?? NOTHING);
    const now = object === undefined ? NOTHING : holdings(object);
    if (object === undefined) this.#services.delete(service);
    else this.#services.set(service, now);
    for (const key of before) this.#holders.get(key)?.delete(service);
    for (const key of keysOf(now)) {
      const holders = this.#holders.get(key) ?? new Set();
      this.#holders.set(key, holders.add(service));
    }
    for (const key of before) if (this.#holders.get(key)?.size === 0) this.#holders.delete(key);
    return [serviceKey(service), ...before];
  }

  #address(ip: string, object: IPAddress | undefined): string[] {
    if (object === undefined) this.#addresses.delete(ip);
    else {
      const [parent, managed, labelled] = [parentOf(object), isManaged(object), isLabelled(object)];
      this.#addresses.set(ip, { parent, isManaged: managed, isLabelled: labelled });
    }
    return [addressKey(ip), ...this.#heldBy(addressKey(ip))];
  }

  #port(port: string, object: JsonObject | undefined): string[] {
    if (object === undefined) this.#ports.delete(port);
    else {
      const { namespace, name } = holderIn(object);
      this.#ports.set(port, `${namespace}/${name}`);
    }
    return [portKey(port), ...this.#heldBy(portKey(port))];
  }

  #network(name: string, object: ServiceCIDR | undefined): string[] {
    if (object !== undefined) {
      this.#networks.set(name, networksOf(object));
      return [];
    }
    this.#networks.delete(name);
    return [...this.#services.keys()].map(serviceKey);
  }

  #heldBy(key: string): string[] {
    return [...(this.#holders.get(key) ?? [])].map(serviceKey);
  }

  /** Whether services and allocations agree about a key. */
  isSettled(key: string): boolean {
    const slash = key.indexOf('/');
    const name = key.slice(slash + 1);
    if (key.startsWith('service/')) return this.#isServiceSettled(name);
    if (key.startsWith('address/')) return this.#isAddressSettled(name);
    const owner = this.#ports.get(name);
    return owner === undefined || (this.#holders.get(key)?.has(owner) ?? false);
  }

  #isServiceSettled(service: string): boolean {
    const { clusterIPs, nodePorts } = this.#services.get(service) ?? NOTHING;
    const networks = [...this.#networks.values()].flat();
    return (
      nodePorts.every((port) => this.#ports.get(String(port)) === service) &&
      clusterIPs.every((ip) => {
        const address = this.#addresses.get(ip);
        return address?.parent === service && address.isLabelled && isGiven(ip, networks);
      })
    );
  }

  #isAddressSettled(ip: string): boolean {
    const address = this.#addresses.get(ip);
    if (address === undefined || !address.isManaged) return true;
    return address.parent !== undefined && (this.#holders.get(addressKey(ip))?.has(address.parent) ?? false);
  }
}

const present = <T extends JsonObject>(resource: ResourceOf<T>, { type, object }: ObjectChange): T | undefined =>
  type === 'DELETED' ? undefined : typedObject(resource, object());

const keysOf = ({ clusterIPs, nodePorts }: Allocation): string[] => [
  ...clusterIPs.map(addressKey),
  ...nodePorts.map(portKey),
];
