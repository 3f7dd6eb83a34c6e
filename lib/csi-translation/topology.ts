import { objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { labelsOf } from '#lib/machinery/meta.ts';
import { at, items, text, texts } from '#lib/machinery/unstructured.ts';

export const ZONE = 'topology.kubernetes.io/zone';
export const BETA_ZONE = 'failure-domain.beta.kubernetes.io/zone';
export const REGION = 'topology.kubernetes.io/region';
export const BETA_REGION = 'failure-domain.beta.kubernetes.io/region';
/** Between the zones of one label. */
export const ZONE_DELIMITER = '__';

const termsOf = (volume: JsonObject): readonly JsonObject[] =>
  items(at(volume, 'spec', 'nodeAffinity', 'required'), 'nodeSelectorTerms');

const asks = (volume: JsonObject, key: string): boolean =>
  termsOf(volume).some((term) => items(term, 'matchExpressions').some((one) => text(one, 'key') === key));

/**
 * The volume within reach of nodes that have its zone under the driver's label instead of Kubernetes' own: upstream's
 * translateTopologyFromInTreeToCSI.
 */
export function translateTopology(volume: JsonObject, topologyKey: string): JsonObject {
  const isBeta = usesBeta(volume);
  const zone = isBeta ? BETA_ZONE : ZONE;
  const zoned = hasValues(volume, zone)
    ? withKey(volume, zone, topologyKey)
    : withZones(volume, topologyKey, labelsOf(volume)[zone] ?? '');
  return isBeta ? withKey(zoned, BETA_REGION, REGION) : zoned;
}

/** Which generation of labels it goes by: that of its affinity, else that of its own labels. */
function usesBeta(volume: JsonObject): boolean {
  if (asks(volume, ZONE)) return false;
  if (asks(volume, BETA_ZONE)) return true;
  const labels = labelsOf(volume);
  return labels[ZONE] === undefined && labels[BETA_ZONE] !== undefined;
}

const hasValues = (volume: JsonObject, key: string): boolean =>
  termsOf(volume).some((term) =>
    items(term, 'matchExpressions').some((one) => text(one, 'key') === key && texts(one, 'values').length > 0),
  );

function withKey(volume: JsonObject, from: string, to: string): JsonObject {
  if (!asks(volume, from)) return volume;
  return withTerms(volume, (expressions) =>
    expressions.map((one) => (text(one, 'key') === from ? { ...one, key: to } : one)),
  );
}

function withZones(volume: JsonObject, key: string, label: string): JsonObject {
  const named = label.split(ZONE_DELIMITER).map((zone) => zone.trim());
  const values = [...new Set(named.filter((zone) => zone !== ''))].sort();
  if (values.length === 0) return volume;
  return withTerms(volume, (expressions) => [...expressions, { key, operator: 'In', values }]);
}

/** The volume with the expressions of each of its terms, of which there is one at least, as `change` has them. */
function withTerms(volume: JsonObject, change: (expressions: readonly JsonObject[]) => JsonObject[]): JsonObject {
  const terms = termsOf(volume).length === 0 ? [{}] : termsOf(volume);
  const nodeSelectorTerms = terms.map((term) => ({
    ...term,
    matchExpressions: change(items(term, 'matchExpressions')),
  }));
  const required = { ...at(volume, 'spec', 'nodeAffinity', 'required'), nodeSelectorTerms };
  return { ...volume, spec: { ...objectAt(volume, 'spec'), nodeAffinity: { required } } };
}
