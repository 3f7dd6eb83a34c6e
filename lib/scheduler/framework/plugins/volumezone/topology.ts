import type { PersistentVolume } from '#lib/api/types/core.v1.ts';
import { BETA_REGION, BETA_ZONE, REGION, ZONE, ZONE_DELIMITER } from '#lib/helpers/csi-translation/topology.ts';
import { labelsOf } from '#lib/machinery/meta.ts';

/** A label key with the values that a node may have to use a volume. */
export interface VolumeTopology {
  readonly key: string;
  readonly values: ReadonlySet<string>;
}

type Labels = Readonly<Record<string, string>>;

const LABELS = [BETA_ZONE, BETA_REGION, ZONE, REGION];
/** The GA labels that replace beta labels. */
const SUCCESSORS: ReadonlyMap<string, string> = new Map([
  [BETA_ZONE, ZONE],
  [BETA_REGION, REGION],
]);

/** Whether a node has a zone or region label. If not, its cluster has a single zone. */
export const isZoned = (labels: Labels): boolean => LABELS.some((key) => labels[key] !== undefined);

/** Whether a node with these labels is in the volume's topology. The GA names of labels also match their beta names. */
export function allows({ key, values }: VolumeTopology, labels: Labels): boolean {
  const value = labels[key] ?? labels[SUCCESSORS.get(key) ?? key];
  return value !== undefined && values.has(value);
}

/** The topologies in a volume's labels. A label with an empty zone is ignored. */
export function topologiesOf(volume: PersistentVolume): VolumeTopology[] {
  const labels = labelsOf(volume);
  return LABELS.flatMap((key) => {
    const values = labels[key]?.split(ZONE_DELIMITER).map((value) => value.trim());
    return values === undefined || values.includes('') ? [] : [{ key, values: new Set(values) }];
  });
}

/** Whether two volumes have the same topologies, in the same order. */
export const sameTopologies = (some: readonly VolumeTopology[], others: readonly VolumeTopology[]): boolean =>
  some.length === others.length &&
  some.every(({ key, values }, i) => {
    const other = others[i];
    return other?.key === key && values.size === other.values.size && values.isSubsetOf(other.values);
  });
