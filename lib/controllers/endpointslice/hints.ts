import { equal, ownField, type JsonObject } from '#lib/machinery/json-value.ts';
import { annotationsOf } from '#lib/machinery/meta.ts';
import { at, items, text } from '#lib/machinery/unstructured.ts';

const MODES: readonly string[] = ['service.kubernetes.io/topology-aware-hints', 'service.kubernetes.io/topology-mode'];
const DISTRIBUTIONS: readonly string[] = ['PreferClose', 'PreferSameZone', 'PreferSameNode'];

/** How near traffic is to stay; undefined where it goes everywhere. */
export function distributionOf(service: JsonObject): string | undefined {
  const annotations = annotationsOf(service);
  const mode = MODES.map((name) => annotations[name]).find((one) => one !== undefined);
  if (mode === 'Auto' || mode === 'auto') return undefined;
  const distribution = text(at(service, 'spec'), 'trafficDistribution');
  return DISTRIBUTIONS.includes(distribution) ? distribution : undefined;
}

/** The slice with the hints that its endpoints should have; undefined where it has them. KEP-4444, KEP-3015. */
export function hinted(slice: JsonObject, distribution: string | undefined): JsonObject | undefined {
  const endpoints = items(slice, 'endpoints');
  const next = endpoints.map((endpoint) => withHints(endpoint, distribution));
  return next.every((endpoint, index) => endpoint === endpoints[index]) ? undefined : { ...slice, endpoints: next };
}

function withHints(endpoint: JsonObject, distribution: string | undefined): JsonObject {
  const { hints, ...rest } = endpoint;
  // Near traffic leaves the hints of endpoints alone that are not ready.
  if (distribution !== undefined && ownField(at(endpoint, 'conditions'), 'ready') !== true) return endpoint;
  const wanted = distribution === undefined ? undefined : hintsFor(endpoint, distribution);
  if (equal(hints ?? undefined, wanted)) return endpoint;
  return wanted === undefined ? rest : { ...rest, hints: wanted };
}

function hintsFor(endpoint: JsonObject, distribution: string): JsonObject | undefined {
  const [zone, node] = [text(endpoint, 'zone'), text(endpoint, 'nodeName')];
  const nodes = distribution === 'PreferSameNode' && node !== '' ? { forNodes: [{ name: node }] } : {};
  const hints = { ...(zone === '' ? {} : { forZones: [{ name: zone }] }), ...nodes };
  return Object.keys(hints).length === 0 ? undefined : hints;
}
