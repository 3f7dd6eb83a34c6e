import { applyConflict, type StatusError } from '#lib/machinery/errors.ts';
import { quote } from '#lib/machinery/go.ts';
import { compareText } from './element-order.ts';
import { paths } from './field-set.ts';
import type { Manager, Managers } from './managed-fields.ts';
import { showPath } from './path-element.ts';
import type { Conflicts } from './updater.ts';

/** Returns the 409 of an apply without force, with upstream's message and one cause per manager and field. */
export function conflictError(conflicts: Conflicts, managers: Managers): StatusError {
  const ids = [...conflicts.keys()].sort(compareText);
  const found = ids.map((id) => ({
    who: showManager(managers.get(id) as Manager),
    fields: paths(conflicts.get(id) ?? {}).map((path) => showPath(path)),
  }));
  const causes = found.flatMap(({ who, fields }) =>
    fields.map((field) => ({ reason: 'FieldManagerConflict', message: `conflict with ${who}`, field })),
  );
  return applyConflict(causes, message(found, causes.length));
}

function message(found: { who: string; fields: string[] }[], count: number): string {
  const [only] = found;
  if (count === 1) return `Apply failed with 1 conflict: conflict with ${only?.who}: ${only?.fields[0]}`;
  const lines = found.flatMap(({ who, fields }) => [`conflicts with ${who}:`, ...fields.map((field) => `- ${field}`)]);
  return `Apply failed with ${count} conflicts: ${lines.join('\n')}`;
}

function showManager({ manager, operation, apiVersion, subresource }: Manager): string {
  const name = quote(manager) + (subresource === '' ? '' : ` with subresource ${quote(subresource)}`);
  return operation === 'Update' ? `${name} using ${apiVersion}` : name;
}
