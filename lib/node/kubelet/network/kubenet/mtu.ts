import { BRIDGE } from './conf-list.ts';

/** A network interface that is up. */
export interface LinkUp {
  readonly name: string;
  readonly mtu: number;
  /** The bridge that it is a port of; absent: none. */
  readonly master?: string;
}

/** The MTU where the machine tells of no interface, upstream's. */
const DEFAULT = 1460;

/** The MTU of pods: the given one, or with 0 the smallest of the interfaces that are up. kubenet's own do not count: they would keep a small one for ever. */
export function podMTU(given: number, links: readonly LinkUp[]): number {
  if (given > 0) return given;
  const others = links.filter(({ name, master }) => name !== BRIDGE && master !== BRIDGE);
  return others.length === 0 ? DEFAULT : Math.min(...others.map(({ mtu }) => mtu));
}
