import type { NodeSelectorRequirement, NodeSelectorTerm, PersistentVolume } from '#lib/api/types/core.v1.ts';
import { labelsOf } from '#lib/machinery/meta.ts';

/** The label of a node's zone. */
export const ZONE = 'topology.kubernetes.io/zone';
/** The former label of a node's zone. */
export const BETA_ZONE = 'failure-domain.beta.kubernetes.io/zone';
/** The label of a node's region. */
export const REGION = 'topology.kubernetes.io/region';
/** The former label of a node's region. */
export const BETA_REGION = 'failure-domain.beta.kubernetes.io/region';
/** The separator of the zones in one label. */
export const ZONE_DELIMITER = '__';

const termsOf = ({ spec }: PersistentVolume): readonly NodeSelectorTerm[] =>
  spec.nodeAffinity?.required?.nodeSelectorTerms ?? [];

const asks = (volume: PersistentVolume, key: string): boolean =>
  termsOf(volume).some(({ matchExpressions = [] }) => matchExpressions.some((one) => one.key === key));

/** The volume with the driver's zone label in its node affinity, replacing Kubernetes' own: upstream's translateTopologyFromInTreeToCSI. */
export function translateTopology(volume: PersistentVolume, topologyKey: string): PersistentVolume {
  const isBeta = usesBeta(volume);
  const zone = isBeta ? BETA_ZONE : ZONE;
  const zoned = hasValues(volume, zone)
    ? withKey(volume, zone, topologyKey)
    : withZones(volume, topologyKey, labelsOf(volume)[zone] ?? '');
  return isBeta ? withKey(zoned, BETA_REGION, REGION) : zoned;
}

/** Whether the volume uses the former zone label in its affinity. If its affinity has no zone label, its own labels decide. */
function usesBeta(volume: PersistentVolume): boolean {
  if (asks(volume, ZONE)) return false;
  if (asks(volume, BETA_ZONE)) return true;
  const labels = labelsOf(volume);
  return labels[ZONE] === undefined && labels[BETA_ZONE] !== undefined;
}

const hasValues = (volume: PersistentVolume, key: string): boolean =>
  termsOf(volume).some(({ matchExpressions = [] }) =>
    matchExpressions.some((one) => one.key === key && (one.values ?? []).length > 0),
  );

function withKey(volume: PersistentVolume, from: string, to: string): PersistentVolume {
  if (!asks(volume, from)) return volume;
  return withTerms(volume, (expressions) => expressions.map((one) => (one.key === from ? { ...one, key: to } : one)));
}

function withZones(volume: PersistentVolume, key: string, label: string): PersistentVolume {
  const named = label.split(ZONE_DELIMITER).map((zone) => zone.trim());
  const values = [...new Set(named.filter((zone) => zone !== ''))].sort();
  if (values.length === 0) return volume;
  return withTerms(volume, (expressions) => [...expressions, { key, operator: 'In', values }]);
}

type Change = (expressions: readonly NodeSelectorRequirement[]) => NodeSelectorRequirement[];

/** The volume with changed expressions in each of its terms. Adds a term if there is none. */
function withTerms(volume: PersistentVolume, change: Change): PersistentVolume {
  const terms: readonly NodeSelectorTerm[] = termsOf(volume).length === 0 ? [{}] : termsOf(volume);
  const nodeSelectorTerms = terms.map((term) => ({
    ...term,
    matchExpressions: change(term.matchExpressions ?? []),
  }));
  const required = { ...volume.spec.nodeAffinity?.required, nodeSelectorTerms };
  return { ...volume, spec: { ...volume.spec, nodeAffinity: { required } } };
}
