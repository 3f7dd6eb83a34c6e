import type { Container, Pod, ResourceRequirements } from '#lib/api/types/core.v1.ts';
import type { Quantity } from '#lib/api/types/scalars.ts';
import { equal } from '#lib/machinery/json-value.ts';
import { canonicalQuantity, compareQuantities } from '#lib/machinery/resource/quantities.ts';

/** The containers whose resources can change while they run: all init containers and regular containers. */
export const resizableContainers = ({ spec }: Pod): readonly Container[] => [
  ...(spec.containers ?? []),
  ...(spec.initContainers ?? []),
];

type List = Readonly<Record<string, Quantity>>;

/** Whether two requirements have equal amounts, regardless of notation. */
export const sameRequirements = (a: ResourceRequirements, b: ResourceRequirements): boolean =>
  sameList(a.limits, b.limits) && sameList(a.requests, b.requests) && equal(a.claims ?? [], b.claims ?? []);

function sameList(a: List = {}, b: List = {}): boolean {
  const other = new Map(Object.entries(b));
  return (
    Object.keys(a).length === other.size &&
    Object.entries(a).every(([name, value]) => {
      const held = other.get(name);
      return held !== undefined && compareQuantities(value, held) === 0;
    })
  );
}

/** The requirements with their fields in the order of the Go struct, for `marshal`. */
export function goRequirements({ limits, requests, claims }: ResourceRequirements): ReadonlyMap<string, unknown> {
  const list = (amounts: List | undefined): [string, unknown][] =>
    Object.entries(amounts ?? {}).map(([name, value]) => [name, canonicalQuantity(value)]);
  const fields: [string, unknown][] = [];
  for (const [name, amounts] of [['limits', list(limits)] as const, ['requests', list(requests)] as const])
    if (amounts.length > 0) fields.push([name, Object.fromEntries(amounts)]);
  if (claims !== undefined && claims.length > 0) fields.push(['claims', claims]);
  return new Map(fields);
}
