import { objectAt, ownField, type JsonObject } from '#lib/machinery/json-value.ts';
import { nameOf } from '#lib/machinery/meta.ts';
import { count } from '#lib/machinery/unstructured.ts';
import type { TablePrinter } from '../../printer.ts';
import { age } from '../cells.ts';
import { column, named } from '../columns.ts';

/** Upstream's printPodDisruptionBudget. */
export const podDisruptionBudget: TablePrinter = {
  columns: named(
    column('Min Available', 'How many pods must stay available, as a number or a share.'),
    column('Max Unavailable', 'How many pods may be unavailable, as a number or a share.'),
    column('Allowed Disruptions', 'How many pods may be evicted now.', 'integer'),
  ),
  cells(object, now) {
    const spec = objectAt(object, 'spec');
    return [
      nameOf(object),
      bound(spec, 'minAvailable'),
      bound(spec, 'maxUnavailable'),
      count(objectAt(object, 'status'), 'disruptionsAllowed'),
      age(object, now),
    ];
  },
};

const bound = (spec: JsonObject | undefined, field: string): string => String(ownField(spec, field) ?? 'N/A');
