import { objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { nameOf } from '#lib/machinery/meta.ts';
import { text, texts } from '#lib/machinery/unstructured.ts';
import type { TablePrinter } from '../../printer.ts';
import { age, NONE } from '../cells.ts';
import { column, named } from '../columns.ts';
import { NAME_COLUMN } from '../default.ts';

/** Upstream's printServiceCIDR. */
export const serviceCidr: TablePrinter = {
  columns: named(column('CIDRs', 'The ranges that addresses of services are from.')),
  cells: (object, now) => [nameOf(object), texts(objectAt(object, 'spec'), 'cidrs').join(','), age(object, now)],
};

/** Upstream's printIPAddress, which gives an age without a column for it. */
export const ipAddress: TablePrinter = {
  columns: [NAME_COLUMN, column('ParentRef', 'The object that has the address.')],
  cells: (object, now) => [
    nameOf(object),
    parentText(objectAt(objectAt(object, 'spec'), 'parentRef')),
    age(object, now),
  ],
};

/** `services/namespace/name`. */
function parentText(parent: JsonObject | undefined): string {
  if (parent === undefined) return NONE;
  const resource = [text(parent, 'resource'), text(parent, 'group')].filter((part) => part !== '').join('.');
  const namespace = text(parent, 'namespace');
  return `${resource.toLowerCase()}${namespace === '' ? '' : `/${namespace}`}/${text(parent, 'name')}`;
}
