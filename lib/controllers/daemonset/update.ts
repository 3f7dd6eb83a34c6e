import type { Pod } from '#lib/api/types/core.v1.ts';
import { isDeleting } from '#lib/machinery/meta.ts';
import { isAvailableIn, isUpdated, limitsOf, type View } from './view.ts';

/** The nodes on which an update creates pods in one reconciliation, and the pods that it deletes. */
interface Update {
  readonly create: readonly string[];
  readonly remove: readonly Pod[];
}

/** The pods on one node, without those that are terminating. */
interface Site {
  readonly node: string;
  readonly shouldRun: boolean;
  readonly updated: Pod | undefined;
  readonly old: Pod | undefined;
  /** Whether the node has more than one updated pod or more than one old pod. This must be resolved first. */
  readonly isCrowded: boolean;
}

/** Upstream's rollingUpdate: replaces pods in place, or surges. */
export function update(view: View): Update {
  const wanted = [...view.placements].filter(([, { shouldRun }]) => shouldRun).map(([node]) => node);
  const sites = [...new Set([...view.byNode.keys(), ...wanted])].map((node) => siteOf(view, node));
  const { surge, unavailable } = limitsOf(view.set, wanted.length);
  return surge === 0 ? replace(view, sites, unavailable) : surpass(view, sites, surge, wanted.length);
}

function siteOf(view: View, node: string): Site {
  const pods = (view.byNode.get(node) ?? []).filter((pod) => !isDeleting(pod));
  const updated = pods.filter((pod) => isUpdated(view, pod));
  const old = pods.filter((pod) => !updated.includes(pod));
  return {
    node,
    shouldRun: view.placements.get(node)?.shouldRun === true,
    updated: updated[0],
    old: old[0],
    isCrowded: updated.length > 1 || old.length > 1,
  };
}

/** Deletes unavailable old pods, and as many other old pods as maxUnavailable allows. */
function replace(view: View, sites: readonly Site[], unavailable: number): Update {
  const isUp = (pod: Pod | undefined): pod is Pod => pod !== undefined && isAvailableIn(view, pod);
  const isCandidate = ({ isCrowded, updated, old }: Site): boolean => !isCrowded && updated === undefined && isUp(old);
  const isDown = (site: Site): boolean => {
    const { isCrowded, updated, old } = site;
    return isCrowded || (updated === undefined) === (old === undefined) || !isUp(updated ?? old);
  };
  const down = sites.filter(isDown);
  const broken = down.filter(({ isCrowded, updated }) => !isCrowded && updated === undefined);
  const candidates = sites.filter(isCandidate).slice(0, Math.max(0, unavailable - down.length));
  return { create: [], remove: [...broken, ...candidates].flatMap(({ old }) => (old === undefined ? [] : [old])) };
}

/**
 * Creates new pods beside old ones: on up to maxSurge nodes, and on every node whose old pod is unavailable. Deletes an old pod when the
 * new one is available. On a node that should have no pod, deletes an available pod only while enough others are available.
 */
function surpass(view: View, sites: readonly Site[], surge: number, wanted: number): Update {
  const isUp = (pod: Pod | undefined): boolean => pod !== undefined && isAvailableIn(view, pod);
  const clear = sites.filter(({ isCrowded }) => !isCrowded);
  const available = clear.filter(({ old, updated }) => isUp(old ?? updated)).length;
  const pairs = clear.filter(({ old, updated }) => old !== undefined && updated !== undefined);
  const alone = clear.filter(({ old, updated }) => old !== undefined && updated === undefined);
  const surging = sites.length - clear.length + pairs.filter(({ updated }) => !isUp(updated)).length;
  const misplaced = alone.filter(({ shouldRun, old }) => !shouldRun && isUp(old));
  const gone = [
    ...pairs.filter(({ updated }) => isUp(updated)),
    ...alone.filter(({ shouldRun, old }) => !shouldRun && !isUp(old)),
    ...misplaced.slice(0, Math.max(0, available - wanted)),
  ];
  const placed = alone.filter(({ shouldRun }) => shouldRun);
  const candidates = placed.filter(({ old }) => isUp(old)).slice(0, Math.max(0, surge - surging));
  const create = [...placed.filter(({ old }) => !isUp(old)), ...candidates].map(({ node }) => node);
  return { create, remove: gone.flatMap(({ old }) => (old === undefined ? [] : [old])) };
}
