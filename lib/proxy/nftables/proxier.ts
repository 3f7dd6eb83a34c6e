import { endpointsOf, type Endpoint } from '../endpoint.ts';
import { servicePortsOf, type ServicePort } from '../service-port.ts';
import type { ServiceState } from '../service-state.ts';
import { categorizeEndpoints, type NodePlace } from '../topology.ts';
import type { IPFamily, ServiceName } from '../types.ts';
import { serviceRules, type RuleSettings, type ServiceRules } from './service-rules.ts';
import { serviceTable } from './service-table.ts';
import type { Table } from './table.ts';

/** The name of the tables, one of each family. */
export const TABLE = 'davit-service-proxy';

/** A node as the rules depend on it. */
export interface NodeSettings extends NodePlace, Omit<RuleSettings, 'family'> {}

/** A port of a Service with its endpoints. */
export interface ForwardedPort {
  readonly port: ServicePort;
  readonly endpoints: readonly Endpoint[];
}

interface Known extends ForwardedPort {
  readonly rules: ServiceRules;
}

/** The wanted table of one family of addresses. Rules are written anew for Services that changed alone (upstream: Proxier). */
export class Proxier {
  readonly family: IPFamily;
  readonly #state: ServiceState;
  readonly #known = new Map<ServiceName, readonly Known[]>();
  readonly #dirty = new Set<ServiceName>();
  #settings: RuleSettings & NodePlace;

  constructor(family: IPFamily, state: ServiceState, settings: NodeSettings) {
    this.family = family;
    this.#state = state;
    this.#settings = { ...settings, family };
  }

  /** Takes the name of a Service that changed, or whose endpoints did. */
  changed(name: ServiceName): void {
    this.#dirty.add(name);
  }

  /** Takes another state of the node. */
  place(settings: NodeSettings): void {
    this.#settings = { ...settings, family: this.family };
    for (const name of [...this.#known.keys(), ...this.#state.names()]) this.#dirty.add(name);
  }

  /** The table that the node is to have. */
  table(): Table {
    this.#update();
    return serviceTable(this.#settings, this.#rules());
  }

  /** The ports that the node forwards, with all of their endpoints. */
  *forwarded(): Generator<ForwardedPort> {
    this.#update();
    for (const ports of this.#known.values()) yield* ports;
  }

  *#rules(): Generator<ServiceRules> {
    for (const ports of this.#known.values()) for (const { rules } of ports) yield rules;
  }

  #update(): void {
    for (const name of this.#dirty) {
      const ports = this.#portsOf(name);
      if (ports.length === 0) this.#known.delete(name);
      else this.#known.set(name, ports);
    }
    this.#dirty.clear();
  }

  #portsOf(name: ServiceName): readonly Known[] {
    const service = this.#state.service(name);
    if (service === undefined) return [];
    const ports = servicePortsOf(service, this.family);
    if (ports.size === 0) return [];
    const all = endpointsOf(name, this.#state.slices(name), this.family, this.#settings.node);
    return [...ports].map(([key, port]) => {
      const endpoints = all.get(key) ?? [];
      const rules = serviceRules(port, categorizeEndpoints(endpoints, port, this.#settings), this.#settings);
      return { port, endpoints, rules };
    });
  }
}
