import type { IPAddress, ParentReference, ServiceCIDR } from '#lib/api/types/networking.v1.ts';
import { nameOf } from '#lib/machinery/meta.ts';
import type { TablePrinter } from '../../printer.ts';
import { age, NONE } from '../cells.ts';
import { column, named } from '../columns.ts';
import { NAME_COLUMN } from '../default.ts';

/** Upstream's printServiceCIDR. */
export const serviceCidr: TablePrinter<ServiceCIDR> = {
  columns: named(column('CIDRs', 'The ranges that addresses of services are from.')),
  cells: (object, now) => [nameOf(object), (object.spec.cidrs ?? []).join(','), age(object, now)],
};

/** Upstream's printIPAddress, which prints an age cell although it defines no age column. */
export const ipAddress: TablePrinter<IPAddress> = {
  columns: [NAME_COLUMN, column('ParentRef', 'The object that has the address.')],
  cells: (object, now) => [nameOf(object), parentText(object.spec.parentRef), age(object, now)],
};

/** The parent as text, for example `services/namespace/name`. */
function parentText(parent: ParentReference | undefined): string {
  if (parent === undefined) return NONE;
  const { resource = '', group = '', namespace = '', name = '' } = parent;
  const qualified = [resource, group].filter((part) => part !== '').join('.');
  return `${qualified.toLowerCase()}${namespace === '' ? '' : `/${namespace}`}/${name}`;
}
