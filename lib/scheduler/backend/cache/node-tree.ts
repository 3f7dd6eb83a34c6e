type Labels = Readonly<Record<string, string>>;

const ZONES = ['failure-domain.beta.kubernetes.io/zone', 'topology.kubernetes.io/zone'];
const REGIONS = ['failure-domain.beta.kubernetes.io/region', 'topology.kubernetes.io/region'];

const first = (labels: Labels, names: readonly string[]): string =>
  names.map((name) => labels[name]).find((value) => value !== undefined) ?? '';

/** Upstream's GetZoneKey. Returns an empty string for a node with neither zone nor region. */
export function zoneOf(labels: Labels): string {
  const [region, zone] = [first(labels, REGIONS), first(labels, ZONES)];
  return region === '' && zone === '' ? '' : `${region}:\0:${zone}`;
}

interface Zoned {
  readonly labels: Labels;
}

/** Interleaves the nodes of all zones, so that pods spread over zones even if a search does not visit every node. */
export function byTurnsOfZones<T extends Zoned>(nodes: Iterable<T>): T[] {
  const zones = [...Map.groupBy(nodes, ({ labels }) => zoneOf(labels)).values()];
  const longest = Math.max(0, ...zones.map((zone) => zone.length));
  return Array.from({ length: longest }, (_, i) => zones.flatMap((zone) => zone[i] ?? [])).flat();
}
