import type { APIService, APIServiceSpec, APIServiceStatus } from '#lib/api/types/apiregistration.v1.ts';
import { findCondition } from '#lib/machinery/conditions.ts';
import { nameOf } from '#lib/machinery/meta.ts';
import type { TablePrinter } from '../../printer.ts';
import { age } from '../cells.ts';
import { column, named } from '../columns.ts';

/** The table columns of kube-aggregator's registry. */
export const apiService: TablePrinter<APIService> = {
  columns: named(
    column('Service', 'The service that answers for the group; Local is this server itself.'),
    column('Available', 'Whether the group is answered for, or why it is not.'),
  ),
  cells: (object, now) => [nameOf(object), serviceText(object.spec), available(object.status), age(object, now)],
};

const serviceText = ({ service }: APIServiceSpec): string =>
  service === undefined ? 'Local' : `${service.namespace ?? ''}/${service.name ?? ''}`;

function available({ conditions = [] }: APIServiceStatus): string {
  const found = findCondition(conditions, 'Available');
  if (found === undefined) return 'Unknown';
  const { status, reason } = found;
  return status === 'True' || !reason ? status : `${status} (${reason})`;
}
