import type { AppArmorProfile } from '#lib/api/types/core.v1.ts';
import type { FieldPath } from '#lib/machinery/validation/field.ts';

const LOCALHOST = 'localhost/';

/** The profile in an AppArmor annotation. Undefined if it is not a profile. */
export function appArmorProfileOf(annotation: string): AppArmorProfile | undefined {
  if (annotation === 'unconfined') return { type: 'Unconfined' };
  if (annotation === 'runtime/default') return { type: 'RuntimeDefault' };
  const name = annotation.startsWith(LOCALHOST) ? annotation.slice(LOCALHOST.length) : '';
  return name === '' || name.trim() !== name ? undefined : { type: 'Localhost', localhostProfile: name };
}

/** The warning about an annotation at the given path. */
export const appArmorWarning = (path: FieldPath): string =>
  `${path}: deprecated since v1.30; use the "appArmorProfile" field instead`;
