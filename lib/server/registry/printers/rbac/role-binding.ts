import type { ClusterRoleBinding, RoleBinding, Subject } from '#lib/api/types/rbac.v1.ts';
import { nameOf } from '#lib/machinery/meta.ts';
import type { TablePrinter } from '../../printer.ts';
import { age } from '../cells.ts';
import { column, named, wide } from '../columns.ts';

/** Upstream's printRoleBinding and printClusterRoleBinding. */
export const roleBinding: TablePrinter<RoleBinding | ClusterRoleBinding> = {
  columns: [
    ...named(column('Role', 'The role that is given.')),
    wide('Users', 'The users that it is given to.'),
    wide('Groups', 'The groups that it is given to.'),
    wide('ServiceAccounts', 'The service accounts that it is given to.'),
  ],
  cells(object, now) {
    const { roleRef, subjects = [] } = object;
    return [
      nameOf(object),
      `${roleRef.kind}/${roleRef.name}`,
      age(object, now),
      namesOf(subjects, 'User').join(', '),
      namesOf(subjects, 'Group').join(', '),
      namesOf(subjects, 'ServiceAccount').join(', '),
    ];
  },
};

function namesOf(subjects: readonly Subject[], kind: string): string[] {
  const ofKind = subjects.filter((subject) => subject.kind === kind);
  return ofKind.map(({ namespace = '', name }) => (kind === 'ServiceAccount' ? `${namespace}/${name}` : name));
}
