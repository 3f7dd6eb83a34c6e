import type { ServedResource } from '#lib/client/discovery.ts';
import type { Kind } from '#lib/client/typed-client.ts';
import { nearest } from '#lib/machinery/config/nearest.ts';
import { apiVersion } from '#lib/machinery/schema.ts';
import type { Declaration } from './declaration.ts';

/** For a suggested kind, one letter in this many may be wrong. */
const LETTERS = 4;

/** The declared kinds that are not served, without duplicates. */
export function unservedKinds(declaration: Declaration, served: readonly ServedResource[]): readonly Kind[] {
  const known = new Set(served.map((one) => nameOf({ apiVersion: apiVersion(one.resource), kind: one.kind })));
  const declared = new Map(kindsOf(declaration).map((kind) => [nameOf(kind), kind]));
  return [...declared].filter(([name]) => !known.has(name)).map(([, kind]) => kind);
}

/** `kind Widgt of example.com/v1 is not served; did you mean Widget?` */
export function notServed(kind: Kind, served: readonly ServedResource[]): string {
  const meant = nearestKind(kind, served);
  return `kind ${nameOf(kind)} is not served${meant === undefined ? '' : `; did you mean ${meant}?`}`;
}

/** Every kind in a declaration, including duplicates. */
export const kindsOf = ({ for: own, owns, watches }: Declaration): readonly Kind[] => [own, ...owns, ...watches];

const nameOf = ({ apiVersion: version, kind }: Kind): string => `${kind} of ${version}`;

/** Prefers kinds of the same version. */
function nearestKind({ apiVersion: version, kind }: Kind, served: readonly ServedResource[]): string | undefined {
  const within = Math.max(1, Math.floor(kind.length / LETTERS));
  const here = served.filter(({ resource }) => apiVersion(resource) === version).map((one) => one.kind);
  const beside = nearest(kind, here, within);
  if (beside !== undefined) return beside;
  const named = nearest(
    kind,
    served.map((one) => one.kind),
    within,
  );
  const places = served.filter((one) => one.kind === named).map(({ resource }) => apiVersion(resource));
  const place = nearest(version, places);
  return named === undefined || place === undefined ? undefined : nameOf({ apiVersion: place, kind: named });
}
