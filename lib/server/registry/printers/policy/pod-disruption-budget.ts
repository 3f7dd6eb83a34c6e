import type { PodDisruptionBudget } from '#lib/api/types/policy.v1.ts';
import { nameOf } from '#lib/machinery/meta.ts';
import type { TablePrinter } from '../../printer.ts';
import { age } from '../cells.ts';
import { column, named } from '../columns.ts';

/** Upstream's printPodDisruptionBudget. */
export const podDisruptionBudget: TablePrinter<PodDisruptionBudget> = {
  columns: named(
    column('Min Available', 'How many pods must stay available, as a number or a share.'),
    column('Max Unavailable', 'How many pods may be unavailable, as a number or a share.'),
    column('Allowed Disruptions', 'How many pods may be evicted now.', 'integer'),
  ),
  cells(object, now) {
    const { spec, status } = object;
    return [
      nameOf(object),
      String(spec.minAvailable ?? 'N/A'),
      String(spec.maxUnavailable ?? 'N/A'),
      status.disruptionsAllowed,
      age(object, now),
    ];
  },
};
