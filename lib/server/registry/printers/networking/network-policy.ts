import type { NetworkPolicy } from '#lib/api/types/networking.v1.ts';
import { nameOf } from '#lib/machinery/meta.ts';
import type { TablePrinter } from '../../printer.ts';
import { age, selectorOrNone } from '../cells.ts';
import { column, named } from '../columns.ts';

/** Upstream's printNetworkPolicy. */
export const networkPolicy: TablePrinter<NetworkPolicy> = {
  columns: named(column('Pod-Selector', 'The pods that the policy is for.')),
  cells: (object, now) => [nameOf(object), selectorOrNone(object.spec.podSelector), age(object, now)],
};
