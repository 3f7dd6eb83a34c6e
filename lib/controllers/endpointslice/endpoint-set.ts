import type { Endpoint, EndpointPort, EndpointSlice } from '#lib/api/types/discovery.v1.ts';
import { equal, type JsonObject } from '#lib/machinery/json-value.ts';

/** Endpoints that are wanted and not yet placed, by what makes one the same endpoint: upstream's EndpointSet. */
export class EndpointSet {
  readonly #endpoints = new Map<string, Endpoint>();

  get size(): number {
    return this.#endpoints.size;
  }

  add(endpoint: Endpoint): void {
    this.#endpoints.set(identity(endpoint), endpoint);
  }

  /** The endpoint that is wanted in place of `endpoint`. */
  get(endpoint: Endpoint): Endpoint | undefined {
    return this.#endpoints.get(identity(endpoint));
  }

  /** Takes out the endpoint that is wanted in place of `endpoint`. */
  take(endpoint: Endpoint): Endpoint | undefined {
    const key = identity(endpoint);
    const found = this.#endpoints.get(key);
    this.#endpoints.delete(key);
    return found;
  }

  /** Takes out up to `count`, first come first. */
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

/** Whether two endpoints with one identity tell the same. Hints are not compared: they follow from the rest. */
export function tellsSame(a: Endpoint, b: Endpoint): boolean {
  const told = ({ nodeName = '', zone = '', conditions, targetRef }: Endpoint): JsonObject => ({
    nodeName,
    zone,
    conditions,
    targetRef: { ...targetRef, resourceVersion: null },
  });
  return equal(told(a), told(b));
}

/** The same for lists of ports that are the same, in whatever order. */
export function portsKey(ports: readonly EndpointPort[]): string {
  const texts = ports.map(({ name = '', port = -1, protocol = '', appProtocol = null }) =>
    JSON.stringify([name, port, protocol, appProtocol]),
  );
  return texts.sort().join();
}

/** The `portsKey` of a slice. */
export const portsKeyOf = (slice: EndpointSlice): string => portsKey(slice.ports ?? []);
