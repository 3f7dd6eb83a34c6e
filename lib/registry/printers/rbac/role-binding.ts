import { objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { nameOf } from '#lib/machinery/meta.ts';
import { items, text } from '#lib/machinery/unstructured.ts';
import type { TablePrinter } from '../../printer.ts';
import { age } from '../cells.ts';
import { column, named, wide } from '../columns.ts';

/** Upstream's printRoleBinding and printClusterRoleBinding. */
export const roleBinding: TablePrinter = {
  columns: [
    ...named(column('Role', 'The role that is given.')),
    wide('Users', 'The users that it is given to.'),
    wide('Groups', 'The groups that it is given to.'),
    wide('ServiceAccounts', 'The service accounts that it is given to.'),
  ],
  cells(object, now) {
    const role = objectAt(object, 'roleRef');
    return [
      nameOf(object),
      `${text(role, 'kind')}/${text(role, 'name')}`,
      age(object, now),
      subjects(object, 'User').join(', '),
      subjects(object, 'Group').join(', '),
      subjects(object, 'ServiceAccount').join(', '),
    ];
  },
};

function subjects(object: JsonObject, kind: string): string[] {
  const ofKind = items(object, 'subjects').filter((subject) => text(subject, 'kind') === kind);
  if (kind !== 'ServiceAccount') return ofKind.map((subject) => text(subject, 'name'));
  return ofKind.map((subject) => `${text(subject, 'namespace')}/${text(subject, 'name')}`);
}
