import { BETA_REGION, BETA_ZONE, REGION, ZONE, ZONE_DELIMITER } from '#lib/csi-translation/topology.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { labelsOf } from '#lib/machinery/meta.ts';

/** Where a volume can be used, by one label. */
export interface VolumeTopology {
  readonly key: string;
  readonly values: ReadonlySet<string>;
}

type Labels = Readonly<Record<string, string>>;

const LABELS = [BETA_ZONE, BETA_REGION, ZONE, REGION];
/** What became of labels. */
const SUCCESSORS: ReadonlyMap<string, string> = new Map([
  [BETA_ZONE, ZONE],
  [BETA_REGION, REGION],
]);

/** A node without any such label is in a cluster of one zone. */
export const isZoned = (labels: Labels): boolean => LABELS.some((key) => labels[key] !== undefined);

export function allows({ key, values }: VolumeTopology, labels: Labels): boolean {
  const value = labels[key] ?? labels[SUCCESSORS.get(key) ?? key];
  return value !== undefined && values.has(value);
}

/** What a volume's labels say; one with an empty zone says nothing. */
export function topologiesOf(volume: JsonObject): VolumeTopology[] {
  const labels = labelsOf(volume);
  return LABELS.flatMap((key) => {
    const values = labels[key]?.split(ZONE_DELIMITER).map((value) => value.trim());
    return values === undefined || values.includes('') ? [] : [{ key, values: new Set(values) }];
  });
}

export const sameTopologies = (some: readonly VolumeTopology[], others: readonly VolumeTopology[]): boolean =>
  some.length === others.length &&
  some.every(({ key, values }, i) => {
    const other = others[i];
    return other?.key === key && values.size === other.values.size && values.isSubsetOf(other.values);
  });
