import type { Table } from '#lib/node/nftables/table.ts';
import { type Endpoint, endpointsOf } from '../endpoint.ts';
import { isExternallyAccessible, type ServicePort, servicePortsOf } from '../service-port.ts';
import type { ServiceState } from '../service-state.ts';
import { type CategorizedEndpoints, categorizeEndpoints, type NodePlace } from '../topology.ts';
import { type IPFamily, portKey, type ServiceName } from '../types.ts';
import { type RuleSettings, type ServiceRules, serviceRules } from './service-rules.ts';
import { serviceTable } from './service-table.ts';

/** The table name, used once per family. */
export const TABLE = 'davit-service-proxy';

/** The node settings that the rules depend on. */
export interface NodeSettings extends NodePlace, Omit<RuleSettings, 'family'> {}

/** A Service port and its endpoints. */
export interface ForwardedPort {
  readonly port: ServicePort;
  readonly endpoints: readonly Endpoint[];
}

interface Known extends ForwardedPort {
  readonly rules: ServiceRules;
  /** The policies for which no local endpoint exists although endpoints exist elsewhere. All of them are Local. */
  readonly lacking: readonly TrafficPolicy[];
}

/** The traffic that a policy of a Service applies to. */
export type TrafficPolicy = 'internal' | 'external';

/** The wanted table of one address family. It only rebuilds the rules of changed Services (upstream: Proxier). */
export class Proxier {
  readonly family: IPFamily;
  readonly #state: ServiceState;
  readonly #known = new Map<ServiceName, readonly Known[]>();
  readonly #dirty = new Set<ServiceName>();
  #settings: RuleSettings & NodePlace;
  #udpChanged = true;

  constructor(family: IPFamily, state: ServiceState, settings: NodeSettings) {
    this.family = family;
    this.#state = state;
    this.#settings = { ...settings, family };
  }

  /** Marks a Service as changed. Called with its name if the Service or its endpoints changed. */
  changed(name: ServiceName): void {
    this.#dirty.add(name);
  }

  /** Updates the settings of the node. */
  place(settings: NodeSettings): void {
    this.#settings = { ...settings, family: this.family };
    for (const name of [...this.#known.keys(), ...this.#state.names()]) this.#dirty.add(name);
  }

  /** The wanted table of the node. */
  table(): Table {
    this.#update();
    return serviceTable(this.#settings, this.#rules());
  }

  /** The ports that the node forwards, with all their endpoints. */
  *forwarded(): Generator<ForwardedPort> {
    this.#update();
    for (const ports of this.#known.values()) yield* ports;
  }

  /** The number of ports with endpoints but none on this node, although the policy is Local. */
  lacking(policy: TrafficPolicy): number {
    return [...this.#known.values()].flat().filter(({ lacking }) => lacking.includes(policy)).length;
  }

  /** Whether endpoints of a UDP port may have changed since the last call. Flows may then go to endpoints that no longer exist. */
  takeUDPChange(): boolean {
    const changed = this.#udpChanged;
    this.#udpChanged = false;
    return changed;
  }

  /** Restores the pending UDP change, because flows could not be cleaned up. The next sync retries the cleanup. */
  keepUDPChange(): void {
    this.#udpChanged = true;
  }

  *#rules(): Generator<ServiceRules> {
    for (const ports of this.#known.values()) for (const { rules } of ports) yield rules;
  }

  #update(): void {
    for (const name of this.#dirty) {
      const ports = this.#portsOf(name);
      this.#udpChanged ||= udpOf(this.#known.get(name)) !== udpOf(ports);
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
      const categorized = categorizeEndpoints(endpoints, port, this.#settings);
      const rules = serviceRules(port, categorized, this.#settings);
      return { port, endpoints, rules, lacking: lackingOf(port, categorized) };
    });
  }
}

/** The UDP ports and their endpoints as one text. */
const udpOf = (ports: readonly Known[] = []): string =>
  ports
    .filter(({ port }) => port.protocol === 'UDP')
    .map(({ port, endpoints }) => [portKey(port), ...endpoints.map(({ text, isServing }) => `${text} ${isServing}`)])
    .join(';');

function lackingOf(port: ServicePort, { local, hasAny }: CategorizedEndpoints): readonly TrafficPolicy[] {
  if (!hasAny || local.length > 0) return [];
  return [
    ...(port.internalPolicyLocal ? (['internal'] as const) : []),
    ...(port.externalPolicyLocal && isExternallyAccessible(port) ? (['external'] as const) : []),
  ];
}
