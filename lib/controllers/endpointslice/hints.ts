import type { Service } from '#lib/api/types/core.v1.ts';
import type { Endpoint, EndpointHints, EndpointSlice } from '#lib/api/types/discovery.v1.ts';
import { defined } from '#lib/machinery/defined.ts';
import { equal, hasNoField } from '#lib/machinery/json-value.ts';
import { annotationsOf } from '#lib/machinery/meta.ts';

const MODES: readonly string[] = ['service.kubernetes.io/topology-aware-hints', 'service.kubernetes.io/topology-mode'];
const DISTRIBUTIONS: readonly string[] = ['PreferClose', 'PreferSameZone', 'PreferSameNode'];

/** The traffic distribution of the service. Undefined if traffic is distributed to all endpoints. */
export function distributionOf(service: Service): string | undefined {
  const annotations = annotationsOf(service);
  const mode = MODES.map((name) => annotations[name]).find((one) => one !== undefined);
  if (mode === 'Auto' || mode === 'auto') return undefined;
  const distribution = service.spec.trafficDistribution ?? '';
  return DISTRIBUTIONS.includes(distribution) ? distribution : undefined;
}

/** The slice with the hints that its endpoints should have. Undefined if they are up to date. KEP-4444, KEP-3015. */
export function hinted(slice: EndpointSlice, distribution: string | undefined): EndpointSlice | undefined {
  const endpoints = slice.endpoints ?? [];
  const next = endpoints.map((endpoint) => withHints(endpoint, distribution));
  return next.every((endpoint, index) => endpoint === endpoints[index]) ? undefined : { ...slice, endpoints: next };
}

function withHints(endpoint: Endpoint, distribution: string | undefined): Endpoint {
  const { hints, ...rest } = endpoint;
  // With a traffic distribution, the hints of unready endpoints stay unchanged.
  if (distribution !== undefined && endpoint.conditions.ready !== true) return endpoint;
  const wanted = distribution === undefined ? undefined : hintsFor(endpoint, distribution);
  if (equal(hints, wanted)) return endpoint;
  return wanted === undefined ? rest : { ...rest, hints: wanted };
}

function hintsFor({ zone, nodeName }: Endpoint, distribution: string): EndpointHints | undefined {
  const hints = defined({
    forZones: zone ? [{ name: zone }] : undefined,
    forNodes: distribution === 'PreferSameNode' && nodeName ? [{ name: nodeName }] : undefined,
  });
  return hasNoField(hints) ? undefined : hints;
}
