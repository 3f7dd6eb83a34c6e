import { equal, ownField, type JsonObject } from '#lib/machinery/json-value.ts';
import { at, items, text, texts } from '#lib/machinery/unstructured.ts';

/** Endpoints that are wanted and not yet placed, by what makes one the same endpoint: upstream's EndpointSet. */
export class EndpointSet {
  readonly #endpoints = new Map<string, JsonObject>();

  get size(): number {
    return this.#endpoints.size;
  }

  add(endpoint: JsonObject): void {
    this.#endpoints.set(identity(endpoint), endpoint);
  }

  /** What is wanted in the place of `endpoint`. */
  get(endpoint: JsonObject): JsonObject | undefined {
    return this.#endpoints.get(identity(endpoint));
  }

  /** Takes out what is wanted in the place of `endpoint`. */
  take(endpoint: JsonObject): JsonObject | undefined {
    const key = identity(endpoint);
    const found = this.#endpoints.get(key);
    this.#endpoints.delete(key);
    return found;
  }

  /** Takes out up to `count`, first come first. */
  takeSome(count: number): JsonObject[] {
    const some = [...this.#endpoints].slice(0, Math.max(0, count));
    for (const [key] of some) this.#endpoints.delete(key);
    return some.map(([, endpoint]) => endpoint);
  }
}

function identity(endpoint: JsonObject): string {
  const target = at(endpoint, 'targetRef');
  const names = [text(endpoint, 'hostname'), text(target, 'namespace'), text(target, 'name')];
  return JSON.stringify([texts(endpoint, 'addresses').sort(), ...names]);
}

/** Whether two endpoints with one identity tell the same. Hints are not compared: they follow from the rest. */
export function tellsSame(a: JsonObject, b: JsonObject): boolean {
  const told = (endpoint: JsonObject): JsonObject => ({
    nodeName: text(endpoint, 'nodeName'),
    zone: text(endpoint, 'zone'),
    conditions: at(endpoint, 'conditions') ?? {},
    targetRef: { ...at(endpoint, 'targetRef'), resourceVersion: null },
  });
  return equal(told(a), told(b));
}

/** The same for lists of ports that are the same, in whatever order. */
export function portsKey(ports: readonly JsonObject[]): string {
  const texts = ports.map((port) =>
    JSON.stringify([
      text(port, 'name'),
      Number(ownField(port, 'port') ?? -1),
      text(port, 'protocol'),
      ownField(port, 'appProtocol') ?? null,
    ]),
  );
  return texts.sort().join();
}

export const portsKeyOf = (slice: JsonObject): string => portsKey(items(slice, 'ports'));
