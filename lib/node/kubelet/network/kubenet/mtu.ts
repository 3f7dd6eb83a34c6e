import { BRIDGE } from './conf-list.ts';

/** A network interface that is up. */
export interface LinkUp {
  readonly name: string;
  readonly mtu: number;
  /** The bridge of a bridge port. Absent for other interfaces. */
  readonly master?: string;
}

/** Upstream's MTU if the machine reports no interface. */
const DEFAULT = 1460;

/**
 * The MTU of pods: the given one, or with 0 the smallest of the interfaces that are up. kubenet's own interfaces are ignored, because they
 * would preserve a small MTU forever.
 */
export function podMTU(given: number, links: readonly LinkUp[]): number {
  if (given > 0) return given;
  const others = links.filter(({ name, master }) => name !== BRIDGE && master !== BRIDGE);
  return others.length === 0 ? DEFAULT : Math.min(...others.map(({ mtu }) => mtu));
}
