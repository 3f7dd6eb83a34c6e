import type { Endpoint, EndpointPort, EndpointSlice } from '#lib/api/types/discovery.v1.ts';
import { equal, type JsonObject } from '#lib/machinery/json-value.ts';

/** Wanted endpoints that are not yet placed, keyed by endpoint identity: upstream's EndpointSet. */
export class EndpointSet {
  readonly #endpoints = new Map<string, Endpoint>();

  get size(): number {
    return this.#endpoints.size;
  }

  add(endpoint: Endpoint): void {
    this.#endpoints.set(identity(endpoint), endpoint);
  }

  /** The wanted endpoint with the identity of `endpoint`. */
  get(endpoint: Endpoint): Endpoint | undefined {
    return this.#endpoints.get(identity(endpoint));
  }

  /** Removes and returns the wanted endpoint with the identity of `endpoint`. */
  take(endpoint: Endpoint): Endpoint | undefined {
    const key = identity(endpoint);
    const found = this.#endpoints.get(key);
    this.#endpoints.delete(key);
    return found;
  }

  /** Removes and returns up to `count` endpoints, first in, first out. */
  takeSome(count: number): Endpoint[] {
    const some = [...this.#endpoints].slice(0, Math.max(0, count));
    for (const [key] of some) this.#endpoints.delete(key);
    return some.map(([, endpoint]) => endpoint);
  }
}

function identity(endpoint: Endpoint): string {
  const { addresses, hostname = '', targetRef: { namespace = '', name = '' } = {} } = endpoint;
  return JSON.stringify([(addresses ?? []).toSorted(), hostname, namespace, name]);
}

/** Whether two endpoints with the same identity have the same content. Ignores hints, which are derived from the rest. */
export function tellsSame(a: Endpoint, b: Endpoint): boolean {
  const told = ({ nodeName = '', zone = '', conditions, targetRef }: Endpoint): JsonObject => ({
    nodeName,
    zone,
    conditions,
    targetRef: { ...targetRef, resourceVersion: null },
  });
  return equal(told(a), told(b));
}

/** A key that is the same for equal lists of ports in any order. */
export function portsKey(ports: readonly EndpointPort[]): string {
  const texts = ports.map(({ name = '', port = -1, protocol = '', appProtocol = null }) =>
    JSON.stringify([name, port, protocol, appProtocol]),
  );
  return texts.sort().join();
}

/** The `portsKey` of a slice. */
export const portsKeyOf = (slice: EndpointSlice): string => portsKey(slice.ports ?? []);
